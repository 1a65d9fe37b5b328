//! Finding where a string or an element ends.

/// The closing quote that was searched for last.
#[derive(Default)]
pub(super) struct ClosingQuote {
    quote: u8,
    from: usize,
    to: usize,
    /// Bytes read.
    pub(super) steps: u64,
}

impl ClosingQuote {
    /// Where `quote` closes the string that contains `at`: on the same line, and not after a backslash.
    pub(super) fn find(&mut self, text: &[u8], at: usize, quote: u8) -> usize {
        let known = self.quote == quote && (self.from..=self.to).contains(&at) && self.to > 0;
        if !known {
            let mut escaped = false;
            let end = text[at..].iter().position(|&byte| {
                let ends = byte == b'\n' || byte == quote && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            });
            let to = end.map_or(text.len(), |end| at + end);
            let steps = self.steps + (to - at) as u64;
            *self = Self { quote, from: at, to, steps };
        }
        self.to
    }
}

/// The closing tag that was searched for last. None begins between `from` and `to`.
#[derive(Default)]
pub(super) struct ClosingTag {
    from: usize,
    to: usize,
    /// Bytes read.
    pub(super) steps: u64,
}

impl ClosingTag {
    /// Where the first closing tag at or after `at` begins whose opening mark ends before `limit`.
    pub(super) fn find(&mut self, text: &[u8], at: usize, limit: usize) -> Option<usize> {
        const LONGEST_MARK: usize = b"&lt;/".len();
        let known = (self.from..=self.to).contains(&at);
        let (from, start) = if known { (self.from, self.to) } else { (at, at) };
        let near = text.get(start..limit)?;
        let closes =
            |&at: &usize| near[at..].starts_with(b"</") || near[at..].starts_with(b"&lt;/");
        let found = memchr::memchr2_iter(b'<', b'&', near).find(closes).map(|at| start + at);
        let read = limit.saturating_sub(LONGEST_MARK).max(start);
        let to = found.unwrap_or(read);
        *self = Self { from, to, steps: self.steps + (to - start) as u64 };
        found
    }
}
