//! The part of a session whose program is a shell that marks its commands.

use std::time::Instant;

use super::Session;
use crate::echo::Echo;
use crate::marks::{Boundary, Nonce};

impl Session {
    /// The program is a shell that was asked to mark its commands with this nonce.
    /// `paints_echo`: the shell paints its line again while it is typed, so that the echo ends only where the command begins.
    pub fn expect_marks(&mut self, nonce: Nonce, paints_echo: bool) {
        self.marks.expect(nonce, paints_echo);
    }

    /// Says whether a line that is written now would be read without echo. It is no question for a password where a shell has
    /// said that its command is over. Gives whether it is one.
    pub fn unechoed(&mut self, is_unechoed: bool) -> bool {
        let is_unechoed = is_unechoed && !self.marks.is_over();
        if let Some(request) = &mut self.request {
            request.is_unechoed = is_unechoed;
        }
        is_unechoed
    }

    /// Passes output on without its marks.
    pub(super) fn take_unmarked(&mut self, raw: &[u8], now: Instant) {
        let (text, boundaries) = self.marks.filter(raw, now);
        let mut from = 0;
        for (at, boundary) in boundaries {
            self.display.push(&text[from..at], &mut self.transcript, &mut self.prompt);
            from = at;
            match boundary {
                Boundary::EchoEnds => self.end_echo(),
                Boundary::CommandEnds => self.end_command(),
            }
        }
        self.display.push(&text[from..], &mut self.transcript, &mut self.prompt);
    }

    /// A command is over: what it painted is a picture no more, and its last line has ended.
    fn end_command(&mut self) {
        self.display.end_alternate(&mut self.transcript, &mut self.prompt);
        if self.marks.paints_echo {
            self.transcript.end_padded_line(&mut self.prompt);
        }
    }

    /// The command that was sent begins: the text since the input is its echo, and no part of the answer.
    fn end_echo(&mut self) {
        self.transcript.end_line();
        self.prompt.forget();
        if let Some(request) = &mut self.request {
            request.echo = Echo::default();
        }
    }
}
