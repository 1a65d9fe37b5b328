//! Properties of the cleaner: the result does not depend on how the input is split, has no control characters, and does not
//! change when it is cleaned again.

use handrail_text::{Cleaner, sanitize, strip_ansi};

use crate::pieces::{pieces, split_input};

pub(crate) fn check(input: &[u8]) {
    let Some((how, text)) = split_input(input) else { return };
    let whole = sanitize(text);
    let mut cleaner = Cleaner::new();
    let mut cut = Vec::new();
    for piece in pieces(text, how) {
        cleaner.push(piece, &mut |bytes| cut.extend_from_slice(bytes));
    }
    cleaner.finish(&mut |bytes| cut.extend_from_slice(bytes));
    assert!(cut == whole.as_bytes(), "the result depends on the cuts");
    assert!(
        whole.chars().all(|c| !c.is_control() || c == '\n' || c == '\t'),
        "a control is left in the text"
    );
    assert!(sanitize(whole.as_bytes()) == whole, "a clean text is changed again");
    // It only has to accept any text.
    let _ = strip_ansi(&String::from_utf8_lossy(text));
}
