//! The prefilter: finds where any of the rules' literals occurs.
//!
//! For each literal the rarest three bytes of it are chosen. A bitmap over a hash of three bytes, folded to lower case,
//! decides at every position of the text whether a literal may be there; only then are literals compared.

/// Bytes of a literal that the bitmap looks at; no literal is shorter.
const GRAM_BYTES: usize = 3;

/// The bitmap has two to this power bits.
const HASH_BITS: u32 = 16;

/// Sets the bit that tells letters of both cases apart, in each byte of a gram.
const FOLD: u32 = 0x0020_2020;

/// Positions tested between two branches.
const STRIDE: usize = 6;

/// A literal and the number of the rule it belongs to.
pub(crate) struct Trigger {
    pub(crate) literal: &'static [u8],
    /// Upper and lower case letters are the same.
    pub(crate) caseless: bool,
    pub(crate) rule: u16,
}

struct Entry {
    trigger: Trigger,
    /// Where in the literal its gram lies.
    offset: usize,
    hash: u16,
}

/// All literals of the active rules.
pub(crate) struct Triggers {
    bitmap: Box<[u64]>,
    /// Index of the first entry of each hash; entries are sorted by hash.
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
        let mut bitmap = vec![0_u64; 1 << (HASH_BITS - 6)].into_boxed_slice();
        let mut first = vec![u16::MAX; 1 << HASH_BITS].into_boxed_slice();
        for (index, entry) in (0_u16..).zip(&entries) {
            bitmap[usize::from(entry.hash >> 6)] |= 1 << (entry.hash & 63);
            let first = &mut first[usize::from(entry.hash)];
            *first = index.min(*first);
        }
        Self { bitmap, first, entries }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    #[inline]
    fn may_start(&self, gram: u32) -> bool {
        let hash = hash(gram);
        self.bitmap[usize::from(hash >> 6)] >> (hash & 63) & 1 != 0
    }

    /// Calls `found(rule, start, end)` for every occurrence of every literal, until it returns false.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(u16, usize, usize) -> bool) {
        if self.is_empty() {
            return;
        }
        let mut at = 0;
        while let Some(bytes) = text.get(at..at + 8) {
            let word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
            let mut any = false;
            for step in 0..STRIDE {
                any |= self.may_start(gram_of(word >> (8 * step)));
            }
            if any {
                for step in 0..STRIDE {
                    let gram = gram_of(word >> (8 * step));
                    if self.may_start(gram) && !self.compare(text, at + step, gram, &mut found) {
                        return;
                    }
                }
            }
            at += STRIDE;
        }
        while at + GRAM_BYTES <= text.len() {
            let gram = gram(&text[at..]);
            if self.may_start(gram) && !self.compare(text, at, gram, &mut found) {
                return;
            }
            at += 1;
        }
    }

    #[inline(never)]
    fn compare(
        &self,
        text: &[u8],
        at: usize,
        gram: u32,
        found: &mut impl FnMut(u16, usize, usize) -> bool,
    ) -> bool {
        let hash = hash(gram);
        let first = usize::from(self.first[usize::from(hash)]);
        for entry in self.entries[first..].iter().take_while(|entry| entry.hash == hash) {
            let literal = entry.trigger.literal;
            let Some(start) = at.checked_sub(entry.offset) else { continue };
            let Some(candidate) = text.get(start..start + literal.len()) else { continue };
            let equal = if entry.trigger.caseless {
                candidate.eq_ignore_ascii_case(literal)
            } else {
                candidate == literal
            };
            if equal && !found(entry.trigger.rule, start, start + literal.len()) {
                return false;
            }
        }
        true
    }
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
#[expect(clippy::cast_possible_truncation, reason = "the shift leaves 16 bits")]
fn hash(gram: u32) -> u16 {
    (gram.wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS)) as u16
}

/// Offset of the three bytes of a literal that are least frequent in text.
fn rarest_gram(literal: &[u8]) -> usize {
    debug_assert!(literal.len() >= GRAM_BYTES, "a literal needs {GRAM_BYTES} bytes");
    let cost = |offset: &usize| -> u32 {
        literal[*offset..*offset + GRAM_BYTES].iter().map(|&byte| frequency(byte)).sum()
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
