//! Properties of the redactor: the result does not depend on how the input is split, a second pass reveals no more bytes,
//! valid UTF-8 stays valid, and known secrets are masked.

use std::sync::LazyLock;

use handrail_redact::{Options, Redactor, find_masks};

use crate::pieces::{pieces, split_input};

const KNOWN: &str = "correct-horse";

static REDACTORS: LazyLock<[Redactor; 3]> = LazyLock::new(|| {
    let known =
        Options { secrets: vec![("KNOWN".to_owned(), KNOWN.to_owned())], ..Options::default() };
    [Options::default(), known.clone(), Options { label: true, ..known }]
        .map(|options| Redactor::new(options).expect("these options are valid"))
});

pub(crate) fn check(input: &[u8]) {
    let Some((how, text)) = split_input(input) else { return };
    for redactor in REDACTORS.iter() {
        let whole = redactor.redact(text).unwrap_or_else(|| text.to_vec());
        let mut stream = redactor.stream();
        let mut cut = Vec::new();
        for piece in pieces(text, how) {
            stream.push(piece, &mut |bytes| cut.extend_from_slice(bytes));
        }
        stream.finish(&mut |bytes| cut.extend_from_slice(bytes));
        assert!(cut == whole, "the result depends on the cuts");
        let again = redactor.redact(&whole).unwrap_or_else(|| whole.clone());
        assert!(shown(&again) <= shown(&whole), "a second pass shows more");
        if std::str::from_utf8(text).is_ok() {
            assert!(std::str::from_utf8(&whole).is_ok(), "a character was divided");
        }
        let scanned = redactor.scan(text);
        assert!(scanned.windows(2).all(|pair| pair[0].end <= pair[1].start), "findings overlap");
        assert!(scanned.iter().all(|found| found.end <= text.len()), "a finding is outside");
    }
    let [_, known, _] = &*REDACTORS;
    let masked = known.redact(text).unwrap_or_else(|| text.to_vec());
    let is_shown = masked.windows(KNOWN.len()).any(|window| window == KNOWN.as_bytes());
    assert!(!is_shown, "a known value is shown");
}

/// The number of bytes outside of masks.
fn shown(text: &[u8]) -> usize {
    text.len() - find_masks(text).iter().map(ExactSizeIterator::len).sum::<usize>()
}
