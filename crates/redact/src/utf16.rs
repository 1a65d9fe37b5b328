//! Converting UTF-16 to UTF-8, and offsets in UTF-8 back to offsets in UTF-16.

use std::collections::VecDeque;

/// The number of units that are converted together, a power of two that vector registers divide.
const BLOCK_UNITS: usize = 64;

/// The most bytes that one unit takes: U+FFFF takes three, half a surrogate pair takes two.
const MAX_UNIT_BYTES: usize = 3;

/// Appends `units` as UTF-8. A surrogate without its other half becomes U+FFFD.
pub fn append_utf8(units: &[u16], bytes: &mut Vec<u8>) {
    append(units, bytes, |_, _| ());
}

/// Appends `units` as UTF-8, and calls `wide` with the end and the length of each character that is not ASCII.
fn append(mut units: &[u16], bytes: &mut Vec<u8>, mut wide: impl FnMut(usize, usize)) {
    bytes.reserve(units.len() * MAX_UNIT_BYTES);
    while !units.is_empty() {
        units = &units[append_ascii(units, bytes)..];
        // This block contains other characters, or it is the last one.
        let (mixed, rest) = split_before_pair(units, BLOCK_UNITS);
        let (mut block, mut length) = ([0; (BLOCK_UNITS + 1) * MAX_UNIT_BYTES], 0);
        let mut at = 0;
        while at < mixed.len() {
            if mixed[at] < 0x80 {
                block[length] = mixed[at].to_le_bytes()[0];
                length += 1;
                at += 1;
                continue;
            }
            let (character, used) = first(&mixed[at..]);
            let width = character.encode_utf8(&mut block[length..]).len();
            length += width;
            wide(bytes.len() + length, width);
            at += used;
        }
        bytes.extend_from_slice(&block[..length]);
        units = rest;
    }
}

/// The first character of `units`, which is not empty, and the number of its units.
fn first(units: &[u16]) -> (char, usize) {
    let unit = u32::from(units[0]);
    if let Some(character) = char::from_u32(unit) {
        return (character, 1);
    }
    match units.get(1) {
        Some(low @ 0xdc00..=0xdfff) if unit < 0xdc00 => {
            let code = 0x1_0000 + ((unit - 0xd800) << 10) + (u32::from(*low) - 0xdc00);
            (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 2)
        }
        _ => (char::REPLACEMENT_CHARACTER, 1),
    }
}

/// Appends whole blocks of ASCII up to the first block with another character. Returns how many units were appended.
fn append_ascii(units: &[u16], bytes: &mut Vec<u8>) -> usize {
    let mut done = 0;
    for block in units.chunks_exact(BLOCK_UNITS) {
        if block.iter().fold(0, |all, unit| all | unit) >= 0x80 {
            break;
        }
        bytes.extend(block.iter().map(|unit| unit.to_le_bytes()[0]));
        done += BLOCK_UNITS;
    }
    done
}

/// Two parts, the first of about `length` units. No surrogate pair is cut.
fn split_before_pair(units: &[u16], length: usize) -> (&[u16], &[u16]) {
    let mut at = length.min(units.len());
    if at < units.len() && matches!(units[at - 1], 0xd800..=0xdbff) {
        at += 1;
    }
    units.split_at(at)
}

/// The positions of characters that have more bytes than units. Offsets are asked for in ascending order, and positions
/// before them are dropped.
#[derive(Default)]
pub(crate) struct Offsets {
    /// The number of bytes of the text so far.
    bytes: usize,
    /// The end and the length in bytes of each such character after the last offset, in order.
    ahead: VecDeque<(usize, usize)>,
    /// How many more bytes than units the characters before the last offset have.
    excess: usize,
}

impl Offsets {
    /// Sets `bytes` to the UTF-8 of the next units of the text.
    pub(crate) fn read(&mut self, units: &[u16], bytes: &mut Vec<u8>) {
        bytes.clear();
        let Self { bytes: before, ahead, .. } = self;
        append(units, bytes, |end, length| ahead.push_back((*before + end, length)));
        self.bytes += bytes.len();
    }

    /// Takes the next text if that is UTF-8 already.
    pub(crate) fn skip(&mut self, text: &str) {
        for (number, block) in text.as_bytes().chunks(BLOCK_UNITS).enumerate() {
            if block.is_ascii() {
                continue;
            }
            for (at, &byte) in block.iter().enumerate().filter(|(_, byte)| **byte >= 0xc0) {
                let length = 2 + usize::from(byte >= 0xe0) + usize::from(byte >= 0xf0);
                self.ahead.push_back((self.bytes + number * BLOCK_UNITS + at + length, length));
            }
        }
        self.bytes += text.len();
    }

    /// The offset in units of an offset in bytes. A byte inside a character counts as the character's start. No call
    /// may pass a smaller offset than one before.
    pub(crate) fn unit(&mut self, byte: usize) -> usize {
        while let Some(&(end, length)) = self.ahead.front() {
            if end > byte {
                return byte.min(end - length) - self.excess;
            }
            // A character of two or three bytes has one unit, one of four bytes has two.
            self.excess += length.min(3) - 1;
            self.ahead.pop_front();
        }
        byte - self.excess
    }
}
