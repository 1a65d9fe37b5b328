//! Words that a text may contain, whatever the case of their letters.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

/// The search is built when it is first used.
pub(crate) struct Words {
    words: Vec<Vec<u8>>,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Words {
    /// None when there are none.
    pub(crate) fn new(words: Vec<Vec<u8>>) -> Option<Self> {
        (!words.is_empty()).then(|| Self { words, automaton: OnceLock::new() })
    }

    /// None when they cannot be searched for.
    pub(super) fn occur_in(&self, text: &[u8]) -> Option<bool> {
        let build = || AhoCorasick::builder().ascii_case_insensitive(true).build(&self.words).ok();
        let automaton = self.automaton.get_or_init(build);
        automaton.as_ref().map(|automaton| automaton.is_match(text))
    }
}
