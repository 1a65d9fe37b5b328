//! Finding texts of which every match of a pattern contains at least one.

use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Class, ClassBytesRange, ClassUnicodeRange, Hir, HirKind};

use crate::prefilter::{self, MIN_LITERAL_BYTES};

/// How many texts may be searched for on behalf of one pattern.
const MAX_TEXTS: usize = 64;

/// The longest text that is searched for. More bytes would not make it rarer.
const MAX_TEXT_BYTES: usize = 24;

/// The largest class whose members are listed.
const MAX_CLASS_MEMBERS: usize = 8;

/// The bytes of a text, and whether upper and lower case are the same.
pub(super) type RequiredText = (Vec<u8>, bool);

/// The set of required texts that occurs most rarely. `keywords`, which are in lower case, are one such set.
pub(super) fn rarest(hir: &Hir, keywords: &[Vec<u8>]) -> Option<Vec<RequiredText>> {
    let mut all = sets(hir);
    all.push(keywords.iter().map(|keyword| (keyword.clone(), true)).collect());
    best(all)
}

/// Whether every match continues after a line break. `more` says that something follows each match.
pub(crate) fn needs_two_lines(hir: &Hir, mut more: bool) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => {
            let newline = memchr::memchr(b'\n', &literal.0);
            newline.is_some_and(|at| more || at + 1 < literal.0.len())
        }
        HirKind::Repetition(repetition) => {
            repetition.min > 0 && needs_two_lines(&repetition.sub, more || repetition.min > 1)
        }
        HirKind::Capture(capture) => needs_two_lines(&capture.sub, more),
        HirKind::Alternation(parts) => parts.iter().all(|part| needs_two_lines(part, more)),
        HirKind::Concat(parts) => parts.iter().rev().any(|part| {
            let found = needs_two_lines(part, more);
            more |= part.properties().minimum_len() > Some(0);
            found
        }),
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => false,
    }
}

fn best(mut sets: Vec<Vec<RequiredText>>) -> Option<Vec<RequiredText>> {
    let is_usable = |text: &[u8]| text.len() >= MIN_LITERAL_BYTES && !text.contains(&b'\n');
    sets.retain(|set| {
        (1..=MAX_TEXTS).contains(&set.len()) && set.iter().all(|(text, _)| is_usable(text))
    });
    // How often one of the texts occurs, relative to other sets.
    let share = |set: &Vec<RequiredText>| {
        set.iter().map(|(text, _)| (-prefilter::rarity(text)).exp()).sum()
    };
    let rated = sets.into_iter().map(|set| (share(&set), set));
    rated.min_by(|one: &(f32, _), other| one.0.total_cmp(&other.0)).map(|(_, set)| set)
}

/// Sets of texts from all parts of the pattern. Every match contains a text of each set.
fn sets(hir: &Hir) -> Vec<Vec<RequiredText>> {
    match hir.kind() {
        HirKind::Capture(capture) => sets(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => sets(&repetition.sub),
        HirKind::Alternation(parts) => {
            let each: Option<Vec<_>> = parts.iter().map(|part| best(sets(part))).collect();
            each.map(|sets| sets.concat()).into_iter().collect()
        }
        HirKind::Concat(parts) => {
            let mut found = Vec::new();
            let mut continues_text = false;
            for (at, part) in parts.iter().enumerate() {
                let is_spelled = is_spelled_out(part);
                if is_spelled && continues_text {
                    continue;
                }
                continues_text = is_spelled;
                if is_spelled
                    || matches!(part.kind(), HirKind::Capture(_) | HirKind::Alternation(_))
                {
                    let rest = &parts[at..parts.len().min(at + MAX_TEXT_BYTES)];
                    found.extend(beginnings(&Hir::concat(rest.to_vec())));
                }
                if !is_spelled {
                    found.extend(sets(part));
                }
            }
            found
        }
        _ => beginnings(hir).into_iter().collect(),
    }
}

/// Whether texts continue over this part, so that none needs to begin after it.
fn is_spelled_out(hir: &Hir) -> bool {
    let members: usize = match hir.kind() {
        HirKind::Literal(_) => return true,
        HirKind::Class(Class::Bytes(class)) => class.iter().map(ClassBytesRange::len).sum(),
        HirKind::Class(Class::Unicode(class)) => class.iter().map(ClassUnicodeRange::len).sum(),
        _ => return false,
    };
    members <= MAX_CLASS_MEMBERS
}

/// The texts that a match can begin with. Texts that occur in both cases are given once, as caseless.
fn beginnings(hir: &Hir) -> Option<Vec<RequiredText>> {
    let mut extractor = Extractor::new();
    extractor
        .limit_class(MAX_CLASS_MEMBERS)
        .limit_literal_len(MAX_TEXT_BYTES)
        .limit_total(MAX_TEXTS);
    let found = extractor.extract(hir);
    let exact: Vec<Vec<u8>> =
        found.literals()?.iter().map(|text| text.as_bytes().to_vec()).collect();
    let mut caseless: Vec<_> = exact.iter().map(|text| text.to_ascii_lowercase()).collect();
    caseless.sort_unstable();
    caseless.dedup();
    let is_caseless = caseless.len() < exact.len();
    let texts = if is_caseless { caseless } else { exact };
    Some(texts.into_iter().map(|text| (text, is_caseless)).collect())
}
