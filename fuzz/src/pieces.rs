//! Splits the input of a fuzzer into pieces.

/// The text of an input, and a number that decides how it is split.
pub(crate) fn split_input(input: &[u8]) -> Option<(u16, &[u8])> {
    let (how, text) = input.split_first_chunk::<2>()?;
    Some((u16::from_le_bytes(*how), text))
}

/// Splits the text into pieces of uneven lengths, which `how` decides.
pub(crate) fn pieces(text: &[u8], how: u16) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    let mut state = u32::from(how) | 1;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        state = state.wrapping_mul(0x9e37_79b1).rotate_left(7);
        let length = 1 + (state >> 16) as usize % (1 + (state & 63) as usize);
        let (piece, after) = rest.split_at(length.min(rest.len()));
        rest = after;
        Some(piece)
    })
}
