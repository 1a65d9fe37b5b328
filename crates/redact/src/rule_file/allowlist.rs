//! What a rule file lets through: matches that are no secrets.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use regex_syntax::hir::{Hir, Look};

use super::reader::{Fields, Reader};
use super::{MAX_LIST_ENTRIES, MAX_REGEX_BYTES, go_syntax};
use crate::error::Error;
use crate::pattern::{Machine, Syntax};

/// What the regular expressions of an allowlist look at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Secret,
    Match,
    Line,
}

impl Target {
    /// Whether a regular expression matches where there is nothing. An empty line has no secret: of lines, that is one that
    /// nothing but its two ends together keeps from matching everywhere.
    fn lets_all_through(self, hir: &Hir) -> bool {
        let properties = hir.properties();
        let ends = properties.look_set();
        let is_empty = properties.minimum_len() == Some(0);
        let of_whole = ends.contains(Look::Start) && ends.contains(Look::End);
        is_empty && !(self == Self::Line && of_whole)
    }
}

/// Of a condition of one side alone the other is as if it held.
pub(crate) struct Allowlist {
    /// Every check must say yes, not just one.
    all: bool,
    pub(super) target: Target,
    regexes: Option<Machine>,
    stopwords: Option<Stopwords>,
}

/// Words that no secret contains; case does not matter.
struct Stopwords {
    words: Vec<Vec<u8>>,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Stopwords {
    fn occur_in(&self, secret: &[u8]) -> bool {
        let build = || AhoCorasick::builder().ascii_case_insensitive(true).build(&self.words).ok();
        let automaton = self.automaton.get_or_init(build);
        automaton.as_ref().is_some_and(|automaton| automaton.is_match(secret))
    }
}

impl Allowlist {
    /// Reads a table. `None` when it can let nothing through here: text has no path and no commit.
    pub(super) fn read(
        fields: &mut Fields<'_>,
        reader: &mut Reader<'_>,
    ) -> Result<Option<Self>, Error> {
        let all = match fields.take("condition") {
            None => false,
            Some(value) => {
                let condition = reader.text(value)?;
                match condition.text.to_ascii_uppercase().as_str() {
                    "AND" | "&&" => true,
                    "" | "OR" | "||" => false,
                    _ => return Err(reader.error(condition.at, "`AND` or `OR` is expected here")),
                }
            }
        };
        let target = match fields.take("regextarget") {
            None => Target::Secret,
            Some(value) => {
                let target = reader.text(value)?;
                match target.text {
                    "" | "secret" => Target::Secret,
                    "match" => Target::Match,
                    "line" => Target::Line,
                    _ => {
                        let reason = "`secret`, `match` or `line` is expected here";
                        return Err(reader.error(target.at, reason));
                    }
                }
            }
        };
        let mut texts = |name| {
            let list = fields.take(name).map(|value| reader.texts(value, MAX_LIST_ENTRIES));
            Ok::<_, Error>(list.transpose()?.unwrap_or_default())
        };
        let outside = [texts("paths")?, texts("commits")?].iter().any(|list| !list.is_empty());
        let mut regexes = texts("regexes")?;
        let mut stopwords = texts("stopwords")?;
        fields.ignore(&["description"]);
        if !outside && regexes.is_empty() && stopwords.is_empty() {
            let reason = "an allowlist needs regexes, stopwords, paths or commits";
            return Err(reader.error(fields.at, reason));
        }
        for (entries, kind) in [(&mut regexes, "regex"), (&mut stopwords, "stopword")] {
            entries.retain(|entry| {
                if entry.text.is_empty() {
                    let text =
                        format!("an empty {kind} would let everything through and is left out");
                    reader.note(entry.at, &text);
                }
                !entry.text.is_empty()
            });
        }
        let mut sources = Vec::with_capacity(regexes.len());
        for regex in &regexes {
            if regex.text.len() > MAX_REGEX_BYTES {
                let reason =
                    format!("this regex is longer than {MAX_REGEX_BYTES} bytes, the most accepted");
                return Err(reader.error(regex.at, reason));
            }
            sources.push(go_syntax::translate(regex.text));
        }
        let patterns = sources.iter().map(|source| source.pattern.clone()).collect();
        // What it looks at has no line end: `^` and `$` are its start and its end alone.
        let (machine, hirs) =
            Machine::new(patterns, Syntax::Plain).map_err(|(index, refusal)| {
                let refusal = refusal.moved(|position| sources[index].origin(position));
                reader.error(regexes[index].at, format!("this regex {refusal}"))
            })?;
        reader.spend(fields.at, &machine)?;
        for (regex, hir) in regexes.iter().zip(&hirs) {
            if target.lets_all_through(hir) {
                reader.note(
                    regex.at,
                    "this regex matches an empty text as well: it may let everything through",
                );
            }
        }
        if all && outside || regexes.is_empty() && stopwords.is_empty() {
            return Ok(None);
        }
        let words = stopwords.iter().map(|word| word.text.as_bytes().to_vec()).collect();
        Ok(Some(Self {
            all,
            target,
            regexes: (!regexes.is_empty()).then_some(machine),
            stopwords: (!stopwords.is_empty())
                .then(|| Stopwords { words, automaton: OnceLock::new() }),
        }))
    }

    /// Whether the secret is let through; `matches` says what the regular expressions say of their target.
    pub(super) fn allows(&self, secret: &[u8], matches: impl FnOnce(&Machine) -> bool) -> bool {
        let regexes = || self.regexes.as_ref().map(matches);
        let stopwords = self.stopwords.as_ref().map(|words| words.occur_in(secret));
        if self.all {
            stopwords != Some(false) && regexes() != Some(false)
        } else {
            stopwords == Some(true) || regexes() == Some(true)
        }
    }
}
