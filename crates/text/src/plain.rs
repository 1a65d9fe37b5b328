//! Finds how far text reaches before the next control character.

/// Bytes that are checked together; the check has no branches, so the compiler makes vector code of it.
const BLOCK_BYTES: usize = 32;

/// First byte of the two-byte form of U+0080..=U+00BF, the lower half of which are the C1 controls.
const C1_LEAD: u8 = 0xc2;

/// Text without controls other than newline and tab. It need not be valid UTF-8.
pub(crate) struct TextRun {
    /// Length in bytes. The byte after the text is a control, or the input ends there.
    pub(crate) len: usize,
    /// Whether no byte is above 0x7f.
    pub(crate) ascii: bool,
}

/// The text at the start of `data`.
#[inline]
pub(crate) fn run(data: &[u8]) -> TextRun {
    let mut len = 0;
    let mut ascii = true;
    loop {
        let (found, seen_ascii) = first_stop(&data[len..]);
        len += found;
        ascii &= seen_ascii;
        // The lead byte of a C1 control also begins other characters, which do not end the text.
        if data.get(len) != Some(&C1_LEAD) || c1_at(&data[len..]).is_some() {
            return TextRun { len, ascii };
        }
        ascii = false;
        len += 1;
    }
}

/// The second byte of the C1 control that `data` starts with.
pub(crate) fn c1_at(data: &[u8]) -> Option<u8> {
    match data {
        [C1_LEAD, second @ 0x80..=0x9f, ..] => Some(*second),
        _ => None,
    }
}

/// Whether this control has no meaning for text.
pub(crate) fn is_dropped(byte: u8) -> bool {
    (byte < 0x20 && !matches!(byte, b'\n' | b'\t' | b'\r' | 0x08 | 0x1b)) || byte == 0x7f
}

/// Index of the first control or C1 lead byte, and whether all bytes before it are ASCII.
fn first_stop(data: &[u8]) -> (usize, bool) {
    // Texts between two colours are short: vector code only pays off for more than a block.
    let (start, rest) = data.split_at(data.len().min(BLOCK_BYTES));
    let (at, ascii) = first_stop_by_words(start);
    if at < start.len() {
        return (at, ascii);
    }
    let (blocks, tail) = rest.as_chunks::<BLOCK_BYTES>();
    let mut seen_bits = if ascii { 0 } else { 0x80 };
    for (index, block) in blocks.iter().enumerate() {
        if block_stops(block) {
            let (at, ascii) = first_stop_by_words(block);
            return (start.len() + index * BLOCK_BYTES + at, ascii && seen_bits < 0x80);
        }
        seen_bits |= block.iter().fold(0, |all, byte| all | byte);
    }
    let (at, ascii) = first_stop_by_words(tail);
    (data.len() - tail.len() + at, ascii && seen_bits < 0x80)
}

fn first_stop_by_words(data: &[u8]) -> (usize, bool) {
    let (words, tail) = data.as_chunks::<8>();
    let mut seen_bits = 0;
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let stops = word_stops(word);
        if stops != 0 {
            let before = stops & stops.wrapping_neg();
            seen_bits |= word & before.wrapping_sub(1);
            return (index * 8 + stops.trailing_zeros() as usize / 8, seen_bits & HIGH_BITS == 0);
        }
        seen_bits |= word;
    }
    let at = tail.iter().position(|&byte| stops(byte)).unwrap_or(tail.len());
    (words.len() * 8 + at, seen_bits & HIGH_BITS == 0 && tail[..at].is_ascii())
}

/// The highest bit of each byte.
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// A word of eight bytes that all have this value.
const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// A word with the highest bit of each byte that ends the text. No byte carries into its neighbour.
fn word_stops(word: u64) -> u64 {
    let low = word & !HIGH_BITS;
    let equals = |byte: u8| {
        let difference = word ^ all(byte);
        !(((difference & !HIGH_BITS) + !HIGH_BITS) | difference)
    };
    let printable = low + all(0x60);
    let delete = low + all(0x01);
    let control = (!printable | delete) & !word & !equals(b'\n') & !equals(b'\t');
    (control | equals(C1_LEAD)) & HIGH_BITS
}

#[inline]
fn stops(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\n' && byte != b'\t') || byte == 0x7f || byte == C1_LEAD
}

#[inline]
fn block_stops(block: &[u8; BLOCK_BYTES]) -> bool {
    let mut has_stop = 0_u8;
    for &byte in block {
        let control = u8::from(byte < 0x20) & u8::from(byte != b'\n') & u8::from(byte != b'\t');
        has_stop |= control | u8::from(byte == 0x7f) | u8::from(byte == C1_LEAD);
    }
    has_stop != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_of_every_way_to_look() {
        for filler in [b"a\n\t~ z".as_slice(), "é日".as_bytes()] {
            for byte in 0..=255 {
                for at in 0..80 {
                    let mut data: Vec<u8> = filler.iter().copied().cycle().take(at).collect();
                    data.push(byte);
                    data.extend_from_slice(b"xyz");
                    let run = run(&data);
                    let stopped = stops(byte) && byte != C1_LEAD;
                    let expected = if stopped { at } else { data.len() };
                    assert_eq!(run.len, expected, "{byte} at {at}");
                    assert_eq!(run.ascii, data[..expected].is_ascii(), "{byte} at {at}");
                }
            }
        }
    }
}
