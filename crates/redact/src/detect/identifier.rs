//! The words inside a name, whatever joins them: `GITHUB_TOKEN`, `client-secret`, `accessKeyId`.

/// Longest name looked at.
pub(crate) const NAME_BYTES: usize = 64;

/// The words of a name in lower case.
pub(crate) struct Words {
    text: [u8; NAME_BYTES],
    /// Where each word ends in `text`, without the number at its end and with it. There are no more words than characters.
    ends: [(u8, u8); NAME_BYTES],
    count: usize,
}

impl Default for Words {
    fn default() -> Self {
        Self { text: [0; NAME_BYTES], ends: [(0, 0); NAME_BYTES], count: 0 }
    }
}

impl Words {
    /// Splits at everything that is no letter or digit and where case says that a new word begins.
    pub(crate) fn new(name: &[u8]) -> Self {
        let mut words = Self::default();
        words.read(name);
        words
    }

    /// The same in place.
    pub(crate) fn read(&mut self, name: &[u8]) {
        self.count = 0;
        let mut length = 0;
        let mut start = 0;
        let mut before = b' ';
        for (index, &byte) in name.iter().enumerate().take(NAME_BYTES) {
            let capital = byte.is_ascii_uppercase();
            let opens = capital
                && index > 0
                && (!before.is_ascii_uppercase()
                    || name.get(index + 1).is_some_and(u8::is_ascii_lowercase));
            before = byte;
            let belongs = byte.is_ascii_alphanumeric();
            if (opens || !belongs) && length > start {
                self.close(start, length);
                start = length;
            }
            if belongs {
                self.text[length] = byte.to_ascii_lowercase();
                length += 1;
            }
        }
        if length > start {
            self.close(start, length);
        }
    }

    fn close(&mut self, start: usize, end: usize) {
        let mut letters = end;
        while letters > start && self.text[letters - 1].is_ascii_digit() {
            letters -= 1;
        }
        // A number alone is a word.
        let letters = if letters > start { letters } else { end };
        let byte = |at: usize| u8::try_from(at).unwrap_or(u8::MAX);
        self.ends[self.count] = (byte(letters), byte(end));
        self.count += 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// A word without the number at its end: `password2` is `password`.
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |last| usize::from(self.ends[last].1));
        &self.text[start..usize::from(self.ends[index].0)]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.count).map(|index| self.get(index))
    }

    pub(crate) fn last(&self) -> &[u8] {
        self.count.checked_sub(1).map_or(b"", |last| self.get(last))
    }
}
