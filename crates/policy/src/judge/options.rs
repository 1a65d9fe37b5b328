//! Reads options as `getopt_long` does, with clusters, attached values and abbreviated long names.

use crate::syntax::word::Word;
pub(crate) use crate::tables::Grammar;
use crate::tables::holds;
use crate::verdict::Span;

/// One option of a command line. `name` is its letter or its full long name.
#[derive(Clone, Debug)]
pub(crate) struct GivenOption {
    pub(crate) name: String,
    pub(crate) value: Option<Word>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    pub(crate) given: Vec<GivenOption>,
    pub(crate) operands: Vec<Word>,
    /// Where the first unknown option stands.
    pub(crate) unknown: Option<Span>,
}

impl Parsed {
    /// Whether an option with one of these names, which have blanks between them, is present.
    pub(crate) fn has(&self, names: &str) -> bool {
        self.given.iter().any(|given| holds(names, &given.name))
    }

    pub(crate) fn value(&self, names: &str) -> Option<&Word> {
        let given = self.given.iter().rev().find(|given| holds(names, &given.name))?;
        given.value.as_ref()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueForm {
    Nothing,
    Value,
    Attached,
}

/// Where reading of options ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionsEnd {
    /// At the first operand, as in launchers.
    FirstOperand,
    /// Only at `--`.
    Anywhere,
}

/// Reads `arguments`, which do not include the program. Numbers such as `-5` are skipped: no program has them as
/// options here.
pub(crate) fn parse(arguments: &[Word], grammar: Grammar, options_end: OptionsEnd) -> Parsed {
    let mut parsed = Parsed::default();
    let mut at = 0;
    while let Some(word) = arguments.get(at) {
        at += 1;
        let text = word.text.as_str();
        if text == "--" {
            parsed.operands.extend_from_slice(&arguments[at..]);
            break;
        } else if let Some(name) = text.strip_prefix("--") {
            at += long_option(name, word, arguments.get(at), grammar, &mut parsed);
        } else if text.len() > 1 && text.starts_with('-') {
            at += cluster(word, arguments.get(at), grammar, &mut parsed);
        } else {
            parsed.operands.push(word.clone());
            if options_end == OptionsEnd::FirstOperand {
                parsed.operands.extend_from_slice(&arguments[at..]);
                break;
            }
        }
    }
    parsed
}

/// Reads one long option. Returns how many of the following words it takes.
fn long_option(
    text: &str,
    word: &Word,
    next: Option<&Word>,
    grammar: Grammar,
    parsed: &mut Parsed,
) -> usize {
    let (name, attached) = match text.split_once('=') {
        Some((name, _)) => (name, Some(word.tail(name.len() + 3))),
        None => (text, None),
    };
    let Some((full, takes)) = find_long(name, grammar) else {
        parsed.unknown.get_or_insert(word.span);
        return 0;
    };
    let separate = takes == ValueForm::Value && attached.is_none();
    let value = if separate { next.cloned() } else { attached };
    parsed.given.push(GivenOption { name: full.to_owned(), value, span: word.span });
    usize::from(separate)
}

fn find_long(name: &str, grammar: Grammar) -> Option<(&'static str, ValueForm)> {
    let entries = grammar.long.split(' ').map(|entry| match entry.as_bytes().last() {
        Some(b'=') => (&entry[..entry.len() - 1], ValueForm::Value),
        Some(b'?') => (&entry[..entry.len() - 1], ValueForm::Attached),
        _ => (entry, ValueForm::Nothing),
    });
    let mut candidates = entries.filter(|(full, _)| full.starts_with(name)).collect::<Vec<_>>();
    if let Some(exact) = candidates.iter().find(|(full, _)| *full == name) {
        return Some(*exact);
    }
    let first = candidates.pop()?;
    // Programs refuse an ambiguous abbreviation, unless all candidates are alike. Here it is an unknown option, and so
    // a question.
    candidates.is_empty().then_some(first)
}

fn cluster(word: &Word, next: Option<&Word>, grammar: Grammar, parsed: &mut Parsed) -> usize {
    let text = word.text.as_str();
    if text[1..].bytes().all(|byte| byte.is_ascii_digit()) {
        return 0;
    }
    for (at, letter) in text.char_indices().skip(1) {
        let Some(takes) = find_short(letter, grammar) else {
            parsed.unknown.get_or_insert(word.span);
            return 0;
        };
        let rest = at + letter.len_utf8();
        let attached = rest < text.len() && takes != ValueForm::Nothing;
        let separate = takes == ValueForm::Value && !attached;
        let value = if attached {
            Some(word.tail(rest))
        } else if separate {
            next.cloned()
        } else {
            None
        };
        parsed.given.push(GivenOption { name: letter.to_string(), value, span: word.span });
        if attached || separate {
            return usize::from(separate);
        }
    }
    0
}

fn find_short(letter: char, grammar: Grammar) -> Option<ValueForm> {
    if letter == ':' || letter == '-' {
        return None;
    }
    let at = grammar.short.find(letter)? + letter.len_utf8();
    let rest = &grammar.short[at..];
    Some(if rest.starts_with("::") {
        ValueForm::Attached
    } else if rest.starts_with(':') {
        ValueForm::Value
    } else {
        ValueForm::Nothing
    })
}

#[cfg(test)]
mod tests;
