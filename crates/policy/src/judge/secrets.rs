//! Refuses words that name files with the passwords and keys of the machine. The kernel keeps commands from opening them
//! where they have a view of their own: this is the sentence before it fails.

use super::{Judge, ReasonText};
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::secrets::is_secret_file;
use crate::verdict::{Decision, Span};

impl Judge<'_> {
    pub(super) fn judge_secret_files(&mut self, words: &[Word]) {
        if let Some(word) = words[1..].iter().find(|word| names_secret_file(&word.text)) {
            self.refuse_secret_file(word.span);
        }
    }

    pub(super) fn refuse_secret_file(&mut self, span: Span) {
        let message = "The file holds passwords or keys of the machine".to_owned();
        let text = ReasonText { program: None, message, hint: "Ask the user for what is needed." };
        self.add_reason(Decision::Deny, rule_id::EFFECT_SECRETS, span, text);
    }
}

/// Whether the word, or what follows a `=`, `:` or `@` in it, is the absolute path of such a file.
fn names_secret_file(text: &str) -> bool {
    text.contains("/etc/")
        && text.match_indices('/').any(|(at, _)| {
            let before = text[..at].chars().next_back();
            before.is_none_or(|before| "=:@".contains(before)) && is_secret_file(&text[at..])
        })
}
