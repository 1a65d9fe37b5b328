//! The prefilter: finds where any of the rules' literals occurs.
//!
//! For each literal the rarest three bytes of it are chosen. A table over a hash of three bytes, folded to lower case,
//! decides at every position of the text whether a literal may be there; only then are literals compared.

/// Bytes of a literal that the tables look at; no literal is shorter.
const GRAM_BYTES: usize = 3;

/// Bits of a hash.
const HASH_BITS: u32 = 16;

/// Upper bits of it that the first test uses: a table of single bytes this large stays in the nearest cache.
const NEAR_BITS: u32 = 14;

/// Sets the bit that tells letters of both cases apart, in each byte of a gram.
const FOLD: u32 = 0x0020_2020;

/// Spreads grams over hashes. Of many odd numbers the one for which the fewest grams of logs and source share a hash with
/// one of a literal.
const MULTIPLIER: u32 = 0x7a86_f7a3;

/// Positions tested between two branches.
const STRIDE: usize = 6;

/// A literal and the number of the rule it belongs to.
pub(crate) struct Trigger {
    pub(crate) literal: &'static [u8],
    /// Upper and lower case letters are the same.
    pub(crate) caseless: bool,
    pub(crate) rule: u16,
}

/// No entry.
const NONE: u16 = u16::MAX;

struct Entry {
    trigger: Trigger,
    /// Where in the literal its gram lies.
    offset: usize,
    hash: u16,
}

/// All literals of the active rules.
pub(crate) struct Triggers {
    /// Nonzero where a literal's gram may be.
    near: Box<[u8; 1 << NEAR_BITS]>,
    /// Index of the first entry of each hash, [`NONE`] without one; entries are sorted by hash.
    first: Box<[u16]>,
    entries: Vec<Entry>,
}

impl Triggers {
    pub(crate) fn new(triggers: Vec<Trigger>) -> Self {
        let mut entries: Vec<Entry> = triggers
            .into_iter()
            .map(|trigger| {
                let offset = rarest_gram(trigger.literal);
                Entry { offset, hash: hash(gram(&trigger.literal[offset..])), trigger }
            })
            .collect();
        entries.sort_by_key(|entry| (entry.hash, entry.trigger.rule));
        let mut near = Box::new([0; 1 << NEAR_BITS]);
        let mut first = vec![NONE; 1 << HASH_BITS].into_boxed_slice();
        for (index, entry) in (0_u16..).zip(&entries) {
            near[near_index(entry.hash)] = 1;
            let first = &mut first[usize::from(entry.hash)];
            *first = index.min(*first);
        }
        Self { near, first, entries }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Calls `found(rule, start, end)` for every occurrence of every literal, until it returns false.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(u16, usize, usize) -> bool) {
        if self.is_empty() {
            return;
        }
        let mut at = 0;
        while let Some(bytes) = text.get(at..at + 8) {
            let word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            let mut any = 0;
            for step in 0..STRIDE {
                any |= self.near[near_index(hash(gram_of(word >> (8 * step))))];
            }
            if any != 0 {
                for step in 0..STRIDE {
                    let hash = hash(gram_of(word >> (8 * step)));
                    let near = self.near[near_index(hash)] != 0;
                    if near && !self.compare(text, at + step, hash, &mut found) {
                        return;
                    }
                }
            }
            at += STRIDE;
        }
        while at + GRAM_BYTES <= text.len() {
            if !self.compare(text, at, hash(gram(&text[at..])), &mut found) {
                return;
            }
            at += 1;
        }
    }

    #[inline]
    fn compare(
        &self,
        text: &[u8],
        at: usize,
        hash: u16,
        found: &mut impl FnMut(u16, usize, usize) -> bool,
    ) -> bool {
        let first = self.first[usize::from(hash)];
        first == NONE || self.compare_from(usize::from(first), text, at, hash, found)
    }

    #[inline(never)]
    fn compare_from(
        &self,
        first: usize,
        text: &[u8],
        at: usize,
        hash: u16,
        found: &mut impl FnMut(u16, usize, usize) -> bool,
    ) -> bool {
        for entry in self.entries[first..].iter().take_while(|entry| entry.hash == hash) {
            let literal = entry.trigger.literal;
            let Some(start) = at.checked_sub(entry.offset) else { continue };
            let Some(candidate) = text.get(start..start + literal.len()) else { continue };
            let equal = if entry.trigger.caseless {
                candidate.eq_ignore_ascii_case(literal)
            } else {
                // Most candidates differ early: no call is worth it.
                candidate.iter().zip(literal).all(|(byte, wanted)| byte == wanted)
            };
            if equal && !found(entry.trigger.rule, start, start + literal.len()) {
                return false;
            }
        }
        true
    }
}

#[inline]
fn near_index(hash: u16) -> usize {
    usize::from(hash >> (HASH_BITS - NEAR_BITS))
}

fn gram(text: &[u8]) -> u32 {
    u32::from_le_bytes([text[0], text[1], text[2], 0]) | FOLD
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "three of the bytes are wanted")]
fn gram_of(word: u64) -> u32 {
    (word as u32 & 0x00ff_ffff) | FOLD
}

#[inline]
fn hash(gram: u32) -> u16 {
    (gram.wrapping_mul(MULTIPLIER) >> (32 - HASH_BITS)) as u16
}

/// Grams of literals that are frequent in logs and source although their bytes are not.
#[rustfmt::skip]
const FREQUENT: &[&[u8; GRAM_BYTES]] = &[
    b"-cl", b"-li", b":54", b":64", b"abi", b"acc", b"al-", b"asi", b"box", b"c l", b"ck-", b"ck_", b"cur", b"dif",
    b"duc", b"e-l", b"gis", b"gli", b"glo", b"ify", b"ign", b"ink", b"key", b"lim", b"log", b"me_",
    b"ock", b"ong", b"ook", b"pli", b"ral", b"rch", b"sec", b"sig", b"th_", b"uff", b"ve_",
    b"y l", b"ys_",
];

/// Offset of the three bytes of a literal that are least frequent in text.
fn rarest_gram(literal: &[u8]) -> usize {
    debug_assert!(literal.len() >= GRAM_BYTES, "a literal needs {GRAM_BYTES} bytes");
    let cost = |offset: &usize| -> u32 {
        let gram = &literal[*offset..*offset + GRAM_BYTES];
        let frequent = FREQUENT.iter().any(|known| known.eq_ignore_ascii_case(gram));
        gram.iter().map(|&byte| frequency(byte)).sum::<u32>() + if frequent { 100 } else { 0 }
    };
    (0..=literal.len() - GRAM_BYTES).min_by_key(cost).unwrap_or(0)
}

/// How frequent a byte is in logs and source, roughly, as a logarithm.
fn frequency(byte: u8) -> u32 {
    match byte.to_ascii_lowercase() {
        b'e' | b't' | b' ' => 10,
        b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 9,
        b'l' | b'c' | b'd' | b'u' | b'm' | b'p' => 7,
        b'h' | b'f' | b'g' | b'b' | b'0' | b'1' | b'.' | b'-' | b'/' => 6,
        b'w' | b'y' | b'v' | b'2'..=b'9' | b':' | b'=' => 5,
        b'k' | b'_' => 4,
        b'x' => 3,
        _ => 2,
    }
}
