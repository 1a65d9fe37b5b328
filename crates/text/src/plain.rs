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
    let (blocks, tail) = data.as_chunks::<BLOCK_BYTES>();
    let mut high = 0;
    for (index, block) in blocks.iter().enumerate() {
        if block_stops(block) {
            let (at, ascii) = stop_by_byte(block);
            return (index * BLOCK_BYTES + at, ascii && high < 0x80);
        }
        high |= block.iter().fold(0, |all, byte| all | byte);
    }
    let (at, ascii) = stop_by_byte(tail);
    (blocks.len() * BLOCK_BYTES + at, ascii && high < 0x80)
}

fn stop_by_byte(data: &[u8]) -> (usize, bool) {
    let at = data.iter().position(|&byte| stops(byte)).unwrap_or(data.len());
    (at, data[..at].is_ascii())
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
