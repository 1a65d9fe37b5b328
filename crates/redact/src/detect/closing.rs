//! Where a string ends.

/// The closing quote that was looked for last.
#[derive(Default)]
pub(super) struct Closing {
    quote: u8,
    from: usize,
    to: usize,
}

impl Closing {
    /// Where `quote` closes a string in which `at` lies: not after a backslash, and on the same line.
    pub(super) fn find(&mut self, text: &[u8], at: usize, quote: u8) -> usize {
        let known = self.quote == quote && (self.from..=self.to).contains(&at) && self.to > 0;
        if !known {
            let mut escaped = false;
            let end = text[at..].iter().position(|&byte| {
                let ends = byte == b'\n' || byte == quote && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            });
            *self = Self { quote, from: at, to: end.map_or(text.len(), |end| at + end) };
        }
        self.to
    }
}
