//! Head and tail of a long text.

use handrail_text::{Capture, bound_chars};

use crate::{PIECE_BYTES, Row};

const HEAD: usize = 3_000;
const TAIL: usize = 7_000;

/// One row per way to bound `text`, which is valid UTF-8.
pub(crate) fn rows(text: &[u8]) -> Vec<Row<'_>> {
    let string = std::str::from_utf8(text).unwrap_or_default();
    vec![
        Row::new("bound: by bytes, 64 KiB pieces", text.len(), move || {
            let mut capture = Capture::new(HEAD, TAIL);
            text.chunks(PIECE_BYTES).for_each(|piece| capture.push(piece));
            std::hint::black_box(capture.finish());
        }),
        Row::new("bound: by characters, whole", text.len(), move || {
            std::hint::black_box(bound_chars(string, HEAD, TAIL));
        }),
    ]
}
