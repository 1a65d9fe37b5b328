//! Texts of which every match of a pattern has at least one.

use regex_syntax::hir::literal::{ExtractKind, Extractor};
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::prefilter::{self, MIN_LITERAL_BYTES};

/// Most texts looked for on behalf of one pattern.
const MAX_LITERALS: usize = 32;

/// Longest text looked for: what is behind does not make it rarer.
const MAX_BYTES: usize = 24;

/// Most letters with a third form in one text; each doubles the number of texts.
const MAX_THIRD_FORMS: usize = 3;

/// Widest class whose members are spelled out at the start of a pattern.
const MAX_CLASS: usize = 16;

/// Bytes, and whether letters of both cases are the same.
pub(super) type Text = (Vec<u8>, bool);

/// Of all sets of texts that are required, the one that is rarest. `None` when there is none.
pub(super) fn literals(hir: &Hir) -> Option<Vec<Text>> {
    let mut found = Vec::new();
    collect(hir, &mut found);
    found.extend(beginnings(hir));
    best(found)
}

fn best(sets: Vec<Vec<Text>>) -> Option<Vec<Text>> {
    let rated = sets.into_iter().filter(|set| is_usable(set)).map(|set| (share(&set), set));
    rated.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, set)| set)
}

/// How often one of them occurs, relative to other sets.
pub(super) fn share(set: &[Text]) -> f32 {
    set.iter().map(|(text, _)| (-prefilter::rarity(text)).exp()).sum()
}

fn is_usable(set: &[Text]) -> bool {
    (1..=MAX_LITERALS).contains(&set.len())
        && set.iter().all(|(text, _)| text.len() >= MIN_LITERAL_BYTES && !text.contains(&b'\n'))
}

/// What a match can begin with.
fn beginnings(hir: &Hir) -> Option<Vec<Text>> {
    let mut extractor = Extractor::new();
    extractor
        .kind(ExtractKind::Prefix)
        .limit_class(MAX_CLASS)
        .limit_literal_len(MAX_BYTES)
        .limit_total(MAX_LITERALS);
    let found = extractor.extract(hir);
    let texts = found.literals()?.iter().map(|text| (text.as_bytes().to_vec(), false));
    Some(texts.collect())
}

/// Sets of texts of which every match has one, from all parts of the pattern.
fn collect(hir: &Hir, found: &mut Vec<Vec<Text>>) {
    match hir.kind() {
        HirKind::Literal(_) | HirKind::Class(_) => found.extend(Run::of(std::slice::from_ref(hir))),
        HirKind::Repetition(repetition) if repetition.min > 0 => collect(&repetition.sub, found),
        HirKind::Empty | HirKind::Look(_) | HirKind::Repetition(_) => {}
        HirKind::Capture(capture) => collect(&capture.sub, found),
        HirKind::Concat(parts) => {
            for part in parts.iter().filter(|part| letter(part).is_none()) {
                if !matches!(part.kind(), HirKind::Literal(_)) {
                    collect(part, found);
                }
            }
            found.extend(Run::of(parts));
        }
        HirKind::Alternation(parts) => {
            let each: Option<Vec<Vec<Text>>> = parts.iter().map(literals).collect();
            found.extend(each.map(|sets| sets.concat()));
        }
    }
}

/// A letter of both cases, and the third form that some letters have outside ASCII.
#[derive(Clone, Copy)]
struct Letter {
    lower: u8,
    third: Option<char>,
}

fn letter(hir: &Hir) -> Option<Letter> {
    let HirKind::Class(class) = hir.kind() else { return None };
    let members: Vec<char> = match class {
        Class::Unicode(class) => {
            if class.iter().map(regex_syntax::hir::ClassUnicodeRange::len).sum::<usize>() > 3 {
                return None;
            }
            class.iter().flat_map(|range| range.start()..=range.end()).collect()
        }
        Class::Bytes(class) => {
            let bytes = class.iter().take(3).flat_map(|range| [range.start(), range.end()]);
            let mut members: Vec<char> = bytes.map(char::from).collect();
            members.dedup();
            members
        }
    };
    match members[..] {
        [upper, lower] if is_pair(upper, lower) => {
            Some(Letter { lower: u8::try_from(lower).ok()?, third: None })
        }
        [upper, lower, third] if is_pair(upper, lower) && !third.is_ascii() => {
            Some(Letter { lower: u8::try_from(lower).ok()?, third: Some(third) })
        }
        _ => None,
    }
}

fn is_pair(upper: char, lower: char) -> bool {
    upper.is_ascii_uppercase() && upper.to_ascii_lowercase() == lower
}

/// Bytes that follow each other in every match.
#[derive(Default)]
struct Run {
    /// Each text the run can be: more than one when letters have a third form.
    texts: Vec<Vec<u8>>,
    third_forms: usize,
    caseless: bool,
    /// A letter of one case only is in the run.
    exact: bool,
}

impl Run {
    /// The runs in parts that follow each other.
    fn of(parts: &[Hir]) -> Vec<Vec<Text>> {
        let mut found = Vec::new();
        let mut run = Self::default();
        for part in parts {
            if let HirKind::Literal(literal) = part.kind() {
                for &byte in &literal.0 {
                    run.push(byte, None, false, &mut found);
                }
            } else if let Some(Letter { lower, third }) = letter(part) {
                run.push(lower, third, true, &mut found);
            } else if !matches!(part.kind(), HirKind::Look(_) | HirKind::Empty) {
                run.end(&mut found);
            }
        }
        run.end(&mut found);
        found
    }

    fn push(&mut self, byte: u8, third: Option<char>, caseless: bool, found: &mut Vec<Vec<Text>>) {
        let exact = !caseless && byte.is_ascii_alphabetic();
        let mixed = self.caseless && exact || self.exact && caseless;
        let full = self.texts.first().is_some_and(|text| text.len() >= MAX_BYTES);
        if mixed || full || third.is_some() && self.third_forms == MAX_THIRD_FORMS {
            self.end(found);
        }
        if self.texts.is_empty() {
            self.texts.push(Vec::new());
        }
        self.caseless |= caseless;
        self.exact |= exact;
        let mut others = Vec::new();
        if let Some(third) = third {
            self.third_forms += 1;
            others.clone_from(&self.texts);
            for other in &mut others {
                other.extend_from_slice(third.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        for text in &mut self.texts {
            text.push(byte);
        }
        self.texts.extend(others);
    }

    fn end(&mut self, found: &mut Vec<Vec<Text>>) {
        let run = std::mem::take(self);
        if !run.texts.is_empty() {
            found.push(run.texts.into_iter().map(|text| (text, run.caseless)).collect());
        }
    }
}
