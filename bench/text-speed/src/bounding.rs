//! Head and tail of a long text.

use handrail_text::{Bounds, Cutter, Unit};

use crate::{PIECE_BYTES, Row};

/// One row per way to bound `text`, which is valid UTF-8.
pub(crate) fn rows(text: &[u8]) -> Vec<Row<'_>> {
    let bytes = Bounds::new(Unit::Bytes, 3_000, 7_000);
    let large = Bounds::new(Unit::Bytes, 300_000, 700_000);
    let chars = Bounds::new(Unit::Chars, 3_000, 7_000);
    let lines = Bounds::new(Unit::Lines, 60, 140);
    [
        ("bytes", bytes),
        ("bytes, 1 MB kept", large),
        ("characters", chars),
        ("lines", lines),
        ("bytes, lines at most 1,000 characters", Bounds { max_line_chars: Some(1_000), ..bytes }),
    ]
    .map(|(name, bounds)| {
        Row::new(format!("bound: {name}"), text.len(), move || {
            let mut cutter = Cutter::new(bounds);
            text.chunks(PIECE_BYTES).for_each(|piece| cutter.push(piece));
            std::hint::black_box(cutter.finish());
        })
    })
    .into()
}
