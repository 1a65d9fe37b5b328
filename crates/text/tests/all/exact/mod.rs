//! What several tests check of a bounded text.
#![allow(dead_code, clippy::allow_attributes, reason = "each test file uses a part of it")]

use handrail_text::{Bounds, Cut, Cutter, Unit};

pub(crate) fn bounded(bounds: Bounds, pieces: &[&[u8]]) -> Cut {
    let mut bounder = Cutter::new(bounds);
    for piece in pieces {
        bounder.push(piece);
    }
    bounder.finish()
}

/// The pieces between these places of a text.
pub(crate) fn divided<'a>(text: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().copied().filter(|&cut| cut <= text.len()).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

/// A notice in a bounded text: what it says is missing, and how long it is.
enum Notice {
    Bytes(usize),
    Chars(usize),
}

/// Checks that the text is the source with exactly what its notices say left out, and that the counts are the sums.
pub(crate) fn verify(source: &str, captured: &Cut) {
    assert!(
        explains(source, &captured.text, captured.omitted.bytes),
        "{:?}\nis not\n{:?}",
        captured.text,
        source
    );
    assert_eq!(captured.total.bytes, source.len() as u64);
    assert!(captured.is_truncated() || captured.text == source);
}

/// Whether `shown` is `source` with what its notices say left out, which is `omitted` bytes.
fn explains(source: &str, shown: &str, omitted: u64) -> bool {
    let Some((before, notice, after)) = next_notice(shown) else {
        return source == shown && omitted == 0;
    };
    let added = before.strip_suffix('\n').filter(|_| shown[before.len()..].starts_with("[..."));
    [Some(before), added].into_iter().flatten().any(|kept| {
        let Some(rest) = source.strip_prefix(kept) else { return false };
        let skipped = match notice {
            Notice::Bytes(bytes) => Some(bytes),
            Notice::Chars(chars) => {
                rest.char_indices().map(|(at, _)| at).chain([rest.len()]).nth(chars)
            }
        };
        skipped.is_some_and(|skipped| {
            let rest = rest.get(skipped..).zip(omitted.checked_sub(skipped as u64));
            rest.is_some_and(|(rest, omitted)| explains(rest, after, omitted))
        })
    })
}

fn next_notice(text: &str) -> Option<(&str, Notice, &str)> {
    let start = text.find("[... ")?;
    let (words, after) = text[start + 5..].split_once(" ...]")?;
    let numbers: Vec<usize> = words.split(' ').filter_map(|word| word.parse().ok()).collect();
    let notice = match *numbers.as_slice() {
        [first, _] if words.contains("bytes") => Notice::Bytes(first),
        [first, _] if words.starts_with(&format!("{first} characters")) => Notice::Chars(first),
        [_, second] => Notice::Chars(second),
        // Within a line: what follows is the same line.
        [chars] => return Some((&text[..start], Notice::Chars(chars), after)),
        _ => return None,
    };
    Some((&text[..start], notice, after.strip_prefix('\n')?))
}

/// Units of a text.
pub(crate) fn units(unit: Unit, text: &str) -> usize {
    match unit {
        Unit::Bytes => text.len(),
        Unit::Chars => text.chars().count(),
        Unit::Lines => text.lines().count(),
    }
}
