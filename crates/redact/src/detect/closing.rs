//! Where a string or an element ends.

/// The closing quote that was looked for last.
#[derive(Default)]
pub(super) struct Closing {
    quote: u8,
    from: usize,
    to: usize,
    /// Bytes read.
    pub(super) steps: u64,
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
            let to = end.map_or(text.len(), |end| at + end);
            let steps = self.steps + (to - at) as u64;
            *self = Self { quote, from: at, to, steps };
        }
        self.to
    }
}

/// The tag that closes an element and that was looked for last: between `from` and `to` none begins.
#[derive(Default)]
pub(super) struct ClosingTag {
    from: usize,
    to: usize,
    /// Bytes read.
    pub(super) steps: u64,
}

impl ClosingTag {
    /// Where the first tag at or after `at` begins that closes an element and ends its mark before `limit`.
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
