//! Finds how far text reaches before the next control character.

/// Bytes looked at together; the check has no branches inside, so the compiler makes vector code of it.
const BLOCK_BYTES: usize = 32;

/// First byte of the two-byte form of U+0080..=U+00BF, the lower half of which are the C1 controls.
const C1_LEAD: u8 = 0xc2;

/// A stretch of text without controls other than newline and tab. It need not be valid UTF-8.
pub(crate) struct Run {
    /// Its length in bytes; the byte after it is a control, or the input ends there.
    pub(crate) len: usize,
    /// True when no byte of it is above 0x7f.
    pub(crate) ascii: bool,
}

/// The text at the start of `data`.
#[inline]
pub(crate) fn run(data: &[u8]) -> Run {
    let mut len = 0;
    let mut ascii = true;
    loop {
        let (found, seen_ascii) = stop(&data[len..]);
        len += found;
        ascii &= seen_ascii;
        // A lead byte is a stop only because it may begin a C1 control.
        if data.get(len) != Some(&C1_LEAD) || c1_at(&data[len..]).is_some() {
            return Run { len, ascii };
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

/// Index of the first control or C1 lead byte, and whether all before it is ASCII.
fn stop(data: &[u8]) -> (usize, bool) {
    // Runs between two colours are short: only what is longer than a block is worth the vector code.
    let (start, rest) = data.split_at(data.len().min(BLOCK_BYTES));
    let (at, ascii) = stop_by_word(start);
    if at < start.len() {
        return (at, ascii);
    }
    let (blocks, tail) = rest.as_chunks::<BLOCK_BYTES>();
    let mut high = if ascii { 0 } else { 0x80 };
    for (index, block) in blocks.iter().enumerate() {
        if block_stops(block) {
            let (at, ascii) = stop_by_word(block);
            return (start.len() + index * BLOCK_BYTES + at, ascii && high < 0x80);
        }
        high |= block.iter().fold(0, |all, byte| all | byte);
    }
    let (at, ascii) = stop_by_word(tail);
    (data.len() - tail.len() + at, ascii && high < 0x80)
}

fn stop_by_word(data: &[u8]) -> (usize, bool) {
    let (words, tail) = data.as_chunks::<8>();
    let mut high = 0;
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let stops = word_stops(word);
        if stops != 0 {
            let before = stops & stops.wrapping_neg();
            high |= word & before.wrapping_sub(1);
            return (index * 8 + stops.trailing_zeros() as usize / 8, high & HIGH == 0);
        }
        high |= word;
    }
    let at = tail.iter().position(|&byte| stops(byte)).unwrap_or(tail.len());
    (words.len() * 8 + at, high & HIGH == 0 && tail[..at].is_ascii())
}

/// The highest bit of each byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Every byte of the result is the given one.
const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The highest bit of each byte that stops a run; no byte disturbs its neighbour.
fn word_stops(word: u64) -> u64 {
    let low = word & !HIGH;
    let is = |byte: u8| {
        let difference = word ^ all(byte);
        !(((difference & !HIGH) + !HIGH) | difference)
    };
    let printable = low + all(0x60);
    let delete = low + all(0x01);
    let control = (!printable | delete) & !word & !is(b'\n') & !is(b'\t');
    (control | is(C1_LEAD)) & HIGH
}

#[inline]
fn stops(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\n' && byte != b'\t') || byte == 0x7f || byte == C1_LEAD
}

#[inline]
fn block_stops(block: &[u8; BLOCK_BYTES]) -> bool {
    let mut any = 0_u8;
    for &byte in block {
        let control = u8::from(byte < 0x20) & u8::from(byte != b'\n') & u8::from(byte != b'\t');
        any |= control | u8::from(byte == 0x7f) | u8::from(byte == C1_LEAD);
    }
    any != 0
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
