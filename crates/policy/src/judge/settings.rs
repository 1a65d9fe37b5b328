//! Judges arguments of the form `key=value`. A key that the table knows as data passes; any other is a question.

use super::Judge;
use super::payload::Payload;
use crate::program::Program;
use crate::syntax::word::Word;
use crate::tables::is_one_like;
use crate::tables::uses::{Row, USES};
use crate::verdict::Span;

impl Judge<'_> {
    /// Judges one setting. A key with blanks or quotes around it counts as unknown.
    pub(super) fn judge_setting(
        &mut self,
        program: &Program,
        row: &Row,
        setting: &Word,
        span: Span,
    ) {
        let own_row = USES.find_program(program).unwrap_or(row);
        let data = if row.data.is_empty() { own_row.data } else { row.data };
        let text = setting.text.as_str();
        let is_known = if row.is("pairs") {
            let pairs = match text.split_once("://") {
                Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                    rest.split_once('?').map_or("", |(_, query)| query)
                }
                _ => text,
            };
            !pairs.contains('=')
                || pairs
                    .split(|c: char| c == '&' || c.is_whitespace())
                    .all(|pair| is_data(data, pair, false))
        } else {
            is_data(data, text, row.is("expands"))
        };
        if is_known {
            return;
        }
        if self.is_deny_only()
            && let Some((_, value)) = text.split_once('=')
        {
            let code = setting.with_text(value.strip_prefix('!').unwrap_or(value));
            return self.judge_executing_argument(program, span, "a setting", Payload::Code(&code));
        }
        self.ask_about_other_source(program, span, "a setting that is not known to be data");
    }
}

/// Whether the text is `|command`, or an option with that value.
pub(super) fn is_pipe(text: &str) -> bool {
    let value =
        text.split_once('=').filter(|_| text.starts_with('-')).map_or(text, |(_, value)| value);
    let attached = text.strip_prefix('-').and_then(|rest| rest.get(1..)).unwrap_or_default();
    [value, attached]
        .iter()
        .any(|value| value.trim_start_matches([' ', '"', '\'']).starts_with('|'))
}

pub(super) fn is_setting(word: &Word) -> bool {
    !word.text.starts_with('-') && (word.text.contains('=') || word.text.contains("://"))
}

/// Whether the key of the setting is in the list `data`. `NAME:=value`, `NAME+=value` and `NAME:TYPE=value` have the
/// key `NAME`.
fn is_data(data: &str, setting: &str, expands: bool) -> bool {
    let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
    let mut key = key.trim_end_matches([':', '+', '?']);
    if let Some((name, kind)) = key.split_once(':')
        && kind.chars().all(|c| c.is_ascii_uppercase())
    {
        key = name;
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._-:/".contains(c);
    let is_code = value.starts_with(['|', '!'])
        || expands && value.contains(['$', '`', ';', '&', '|', '<', '>', '\n']);
    let key = key.to_ascii_lowercase();
    !is_code && key.chars().all(is_name) && is_one_like(data, &key)
}
