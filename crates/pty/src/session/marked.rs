//! The part of a session whose program is a shell that marks its commands.

use std::time::Instant;

use super::Session;
use crate::echo::Echo;
use crate::marks::Nonce;

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
        let (text, echo_bytes) = self.marks.filter(raw, now);
        let (echo, text) = text.split_at(echo_bytes.unwrap_or(0));
        self.display.push(echo, &mut self.transcript, &mut self.prompt);
        if echo_bytes.is_some() {
            self.end_echo();
        }
        self.display.push(text, &mut self.transcript, &mut self.prompt);
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
