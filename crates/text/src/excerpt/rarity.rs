//! How rare something is among the lines that could have it.

/// Fewest lines whose values are compared.
const MIN_ROWS: u64 = 8;

/// From 0 to 1: how rare it is that of `rows` rows only `as_rare` have a value that is as rare.
pub(super) fn rarity(rows: u64, as_rare: u64) -> f32 {
    if rows < MIN_ROWS {
        return 0.0;
    }
    let all = to_f32(rows) + 1.0;
    (all / to_f32(as_rare)).ln().max(0.0) / all.ln()
}

/// A count as a float, for proportions.
#[expect(clippy::cast_precision_loss, reason = "proportions need the first digits only")]
pub(super) fn to_f32(count: impl TryInto<u64>) -> f32 {
    count.try_into().unwrap_or(u64::MAX) as f32
}
