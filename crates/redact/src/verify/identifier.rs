//! The words inside a name, whatever joins them: `GITHUB_TOKEN`, `client-secret`, `accessKeyId`.

/// Longest name looked at.
pub(crate) const NAME_BYTES: usize = 64;

/// The words of a name in lower case.
pub(crate) struct Words {
    text: [u8; NAME_BYTES],
    /// Where each word ends in `text`. There are no more words than characters.
    ends: [u8; NAME_BYTES],
    count: usize,
}

impl Words {
    /// Splits at everything that is no letter or digit and where case says that a new word begins.
    pub(crate) fn new(name: &[u8]) -> Self {
        let mut words = Self { text: [0; NAME_BYTES], ends: [0; NAME_BYTES], count: 0 };
        let mut length = 0;
        for (index, &byte) in name.iter().enumerate().take(NAME_BYTES) {
            if !byte.is_ascii_alphanumeric() {
                words.close(length);
                continue;
            }
            let upper = |at: usize| name.get(at).is_some_and(u8::is_ascii_uppercase);
            let lower = |at: usize| name.get(at).is_some_and(u8::is_ascii_lowercase);
            let after_lower = index > 0 && upper(index) && !upper(index - 1);
            let last_of_capitals =
                index > 0 && upper(index) && upper(index - 1) && lower(index + 1);
            if after_lower || last_of_capitals {
                words.close(length);
            }
            words.text[length] = byte.to_ascii_lowercase();
            length += 1;
        }
        words.close(length);
        words
    }

    fn close(&mut self, end: usize) {
        let start = self.start(self.count);
        if end > start {
            self.ends[self.count] = u8::try_from(end).unwrap_or(u8::MAX);
            self.count += 1;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// A word without the number at its end: `password2` is `password`.
    pub(crate) fn get(&self, index: usize) -> &str {
        let word = &self.text[self.start(index)..usize::from(self.ends[index])];
        let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let trimmed = if digits < word.len() { &word[..word.len() - digits] } else { word };
        std::str::from_utf8(trimmed).unwrap_or_default()
    }

    /// Where a word begins in `text`.
    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |last| usize::from(self.ends[last]))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.count).map(|index| self.get(index))
    }

    pub(crate) fn last(&self) -> &str {
        self.count.checked_sub(1).map_or("", |last| self.get(last))
    }
}
