//! Finding where a string or an element ends.

/// The closing quote that was searched for last.
#[derive(Default)]
pub(super) struct ClosingQuoteSearch {
    quote: u8,
    search_start: usize,
    search_end: usize,
    /// Bytes read.
    pub(super) steps: u64,
}

impl ClosingQuoteSearch {
    /// Where `quote` closes the string that contains `at`: on the same line, and not after a backslash.
    pub(super) fn find(&mut self, text: &[u8], at: usize, quote: u8) -> usize {
        let is_cached = self.quote == quote
            && (self.search_start..=self.search_end).contains(&at)
            && self.search_end > 0;
        if !is_cached {
            let mut escaped = false;
            let end = text[at..].iter().position(|&byte| {
                let ends = byte == b'\n' || byte == quote && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            });
            let search_end = end.map_or(text.len(), |end| at + end);
            let steps = self.steps + (search_end - at) as u64;
            *self = Self { quote, search_start: at, search_end, steps };
        }
        self.search_end
    }
}

/// The closing tag that was searched for last. None begins between `search_start` and `search_end`.
#[derive(Default)]
pub(super) struct ClosingTagSearch {
    search_start: usize,
    search_end: usize,
    /// Bytes read.
    pub(super) steps: u64,
}

impl ClosingTagSearch {
    /// Where the first closing tag at or after `at` begins whose opening mark ends before `limit`.
    pub(super) fn find(&mut self, text: &[u8], at: usize, limit: usize) -> Option<usize> {
        const LONGEST_MARK: usize = b"&lt;/".len();
        let is_cached = (self.search_start..=self.search_end).contains(&at);
        let (search_start, start) =
            if is_cached { (self.search_start, self.search_end) } else { (at, at) };
        let unsearched_text = text.get(start..limit)?;
        let closes = |&at: &usize| {
            unsearched_text[at..].starts_with(b"</") || unsearched_text[at..].starts_with(b"&lt;/")
        };
        let tag_start =
            memchr::memchr2_iter(b'<', b'&', unsearched_text).find(closes).map(|at| start + at);
        let searched_to = limit.saturating_sub(LONGEST_MARK).max(start);
        let search_end = tag_start.unwrap_or(searched_to);
        *self = Self { search_start, search_end, steps: self.steps + (search_end - start) as u64 };
        tag_start
    }
}
