//! Splitting a name into its words, whatever joins them: `GITHUB_TOKEN`, `client-secret`, `accessKeyId`.

/// The longest name that is read.
pub(crate) const MAX_NAME_BYTES: usize = 64;

/// The words of a name, in lower case.
pub(crate) struct NameWords {
    text: [u8; MAX_NAME_BYTES],
    /// Where each word ends in `text`, without and with the number at its end. A name has no more words than
    /// characters.
    ends: [(u8, u8); MAX_NAME_BYTES],
    count: usize,
    is_path: bool,
}

impl Default for NameWords {
    fn default() -> Self {
        Self { text: [0; MAX_NAME_BYTES], ends: [(0, 0); MAX_NAME_BYTES], count: 0, is_path: false }
    }
}

impl NameWords {
    /// Splits a name at every byte that is no letter or digit, and where the case of letters starts a new word.
    pub(crate) fn new(name: &[u8]) -> Self {
        let mut words = Self::default();
        words.read(name);
        words
    }

    /// Splits a name into this value.
    pub(crate) fn read(&mut self, name: &[u8]) {
        self.count = 0;
        self.is_path = name.contains(&b'.');
        let mut length = 0;
        let mut start = 0;
        let mut before = b' ';
        for (index, &byte) in name.iter().enumerate().take(MAX_NAME_BYTES) {
            let is_upper = byte.is_ascii_uppercase();
            let begins_word = is_upper
                && index > 0
                && (!before.is_ascii_uppercase()
                    || name.get(index + 1).is_some_and(u8::is_ascii_lowercase));
            before = byte;
            let is_alphanumeric = byte.is_ascii_alphanumeric();
            if (begins_word || !is_alphanumeric) && length > start {
                self.close(start, length);
                start = length;
            }
            if is_alphanumeric {
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
        // A number by itself is a word.
        let letters = if letters > start { letters } else { end };
        let byte = |at: usize| u8::try_from(at).unwrap_or(u8::MAX);
        self.ends[self.count] = (byte(letters), byte(end));
        self.count += 1;
    }

    /// Whether dots part the name, as in a file of properties.
    pub(crate) fn is_path(&self) -> bool {
        self.is_path
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// A word without the number at its end: `password2` gives `password`.
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
