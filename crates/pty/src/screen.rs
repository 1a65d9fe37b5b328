//! What a session says about its terminal, beside answers.

use crate::display::Screen;
use crate::session::Session;
use crate::watch::Modes;

impl Session {
    /// What the terminal shows now: the picture of a full-screen program, or the end of the lines.
    pub fn screen(&self) -> Screen {
        let redactor = self.transcript.redactor();
        self.display.screen(redactor).unwrap_or_else(|| {
            // The lines that the terminal has room for, and no more of the history.
            let from = self.end().saturating_sub(self.display.max_bytes());
            self.display.end_of(&self.history(Some(from)).text, redactor)
        })
    }

    /// What the terminal replies to the questions in the output since the last call. The owner decides whether the program
    /// that asked can be the one that reads the replies.
    pub fn take_replies(&mut self) -> Vec<u8> {
        self.display.take_replies().into_bytes()
    }

    /// Whether the alternate screen is shown.
    pub fn is_alternate(&self) -> bool {
        self.display.is_alternate()
    }

    /// Says that the program that showed the alternate screen is gone, before output of others is passed on.
    pub fn lose_painter(&mut self) {
        self.display.lose_painter();
    }

    /// Says that all output was passed on. A picture whose program is gone ends here.
    pub fn drained(&mut self) {
        if self.display.has_lost_painter() {
            self.display.end_alternate(&mut self.transcript, &mut self.prompt);
        }
    }

    /// The modes of the terminal that the program has set.
    pub fn modes(&self) -> Modes {
        self.display.modes()
    }

    /// Says that the terminal has a new size.
    pub fn resize(&mut self, columns: usize, rows: usize) {
        self.display.resize(columns, rows);
    }
}
