//! UTF-16 as UTF-8, and back from places in the one to places in the other.

use std::collections::VecDeque;

/// Units looked at together; a power of two that vector registers divide.
const BLOCK: usize = 64;

/// Longest form of one unit: U+FFFF takes three bytes, a surrogate half of four.
const MAX_UNIT_BYTES: usize = 3;

/// Appends `units` as UTF-8. A surrogate without its other half becomes U+FFFD.
pub fn append_utf8(units: &[u16], bytes: &mut Vec<u8>) {
    append(units, bytes, |_, _| ());
}

/// Appends, and tells `wide` the end and the length of each character that is no ASCII.
fn append(mut units: &[u16], bytes: &mut Vec<u8>, mut wide: impl FnMut(usize, usize)) {
    bytes.reserve(units.len() * MAX_UNIT_BYTES);
    while !units.is_empty() {
        units = &units[append_ascii(units, bytes)..];
        // A block with something else in it, or the last units.
        let (mixed, rest) = split_before_pair(units, BLOCK);
        let (mut block, mut length) = ([0; (BLOCK + 1) * MAX_UNIT_BYTES], 0);
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

/// The first character of what is not empty, and how many units it has.
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

/// Appends whole blocks of ASCII, at most up to the first that has something else. Gives how many units these are.
fn append_ascii(units: &[u16], bytes: &mut Vec<u8>) -> usize {
    let mut done = 0;
    for block in units.chunks_exact(BLOCK) {
        if block.iter().fold(0, |all, unit| all | unit) >= 0x80 {
            break;
        }
        bytes.extend(block.iter().map(|unit| unit.to_le_bytes()[0]));
        done += BLOCK;
    }
    done
}

/// Two parts, the first of about `length` units, with no pair of surrogates cut in two.
fn split_before_pair(units: &[u16], length: usize) -> (&[u16], &[u16]) {
    let mut at = length.min(units.len());
    if at < units.len() && matches!(units[at - 1], 0xd800..=0xdbff) {
        at += 1;
    }
    units.split_at(at)
}

/// Where the characters are that have more bytes than units. Asked in ascending order, and forgets what lies behind.
#[derive(Default)]
pub(crate) struct Places {
    /// Bytes of the text so far.
    bytes: usize,
    /// End in bytes and length of each such character that is not behind, in order.
    ahead: VecDeque<(usize, usize)>,
    /// Bytes more than units, of all that lies behind.
    excess: usize,
}

impl Places {
    /// Makes `bytes` the UTF-8 of the next units of the text.
    pub(crate) fn read(&mut self, units: &[u16], bytes: &mut Vec<u8>) {
        bytes.clear();
        let Self { bytes: before, ahead, .. } = self;
        append(units, bytes, |end, length| ahead.push_back((*before + end, length)));
        self.bytes += bytes.len();
    }

    /// Takes the next text that is UTF-8 already.
    pub(crate) fn skip(&mut self, text: &str) {
        for (number, block) in text.as_bytes().chunks(BLOCK).enumerate() {
            if block.is_ascii() {
                continue;
            }
            for (at, &byte) in block.iter().enumerate().filter(|(_, byte)| **byte >= 0xc0) {
                let length = 2 + usize::from(byte >= 0xe0) + usize::from(byte >= 0xf0);
                self.ahead.push_back((self.bytes + number * BLOCK + at + length, length));
            }
        }
        self.bytes += text.len();
    }

    /// The unit of a byte; one inside a character counts as its start. Never less than what was asked before.
    pub(crate) fn unit(&mut self, byte: usize) -> usize {
        while let Some(&(end, length)) = self.ahead.front() {
            if end > byte {
                return byte.min(end - length) - self.excess;
            }
            // Two bytes are one unit, three are one, four are two.
            self.excess += length.min(3) - 1;
            self.ahead.pop_front();
        }
        byte - self.excess
    }
}
