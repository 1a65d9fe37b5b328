//! Sets of words that are asked for often: one look instead of a search.

/// Longest word of a set.
const WORD_BYTES: usize = 16;

/// Spreads words over slots.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Words in lower case, each packed into a number, in slots found by a hash. A slot without a word is zero.
pub(super) struct Set<const SLOTS: usize> {
    slots: [u128; SLOTS],
    /// Lengths of the words, and their first letters by [`letter`]: a bit for each.
    lengths: u32,
    firsts: u32,
}

impl<const SLOTS: usize> Set<SLOTS> {
    /// A set that is at most half full, so that a search is short.
    pub(super) const fn new(words: &[&str]) -> Self {
        assert!(SLOTS.is_power_of_two() && SLOTS > 1 && words.len() * 2 <= SLOTS);
        let mut slots = [0; SLOTS];
        let (mut lengths, mut firsts) = (0, 0);
        let mut index = 0;
        while index < words.len() {
            let word = words[index].as_bytes();
            assert!(!word.is_empty() && word.len() <= WORD_BYTES);
            lengths |= 1 << word.len();
            firsts |= letter(word[0]);
            let mut packed = 0;
            let mut at = 0;
            while at < word.len() {
                assert!(word[at] != 0 && !word[at].is_ascii_uppercase());
                packed |= (word[at] as u128) << (8 * at);
                at += 1;
            }
            let mut slot = Self::slot(packed);
            while slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = packed;
            index += 1;
        }
        Self { slots, lengths, firsts }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a hash")]
    const fn slot(packed: u128) -> usize {
        let folded = (packed as u64) ^ ((packed >> 64) as u64).rotate_left(29);
        (folded.wrapping_mul(MULTIPLIER) >> (u64::BITS - SLOTS.trailing_zeros())) as usize
    }

    /// True when `word` is one of them, in any case.
    pub(super) fn has(&self, word: &[u8]) -> bool {
        // Most words are told by that.
        let Some(&first) = word.first() else { return false };
        if word.len() > WORD_BYTES
            || self.lengths >> word.len() & 1 == 0
            || self.firsts & letter(first) == 0
        {
            return false;
        }
        let Some(packed) = pack(word) else { return false };
        let mut slot = Self::slot(packed);
        loop {
            match self.slots[slot] {
                0 => return false,
                found if found == packed => return true,
                _ => slot = (slot + 1) % SLOTS,
            }
        }
    }
}

/// A bit for a byte, the same for both cases of a letter.
const fn letter(byte: u8) -> u32 {
    1 << (byte & 0x1f)
}

/// The word in lower case as a number, unless it is too long, empty or ends with a zero byte.
fn pack(word: &[u8]) -> Option<u128> {
    let length = word.len();
    let bits = 8 * u32::try_from(length).ok()?;
    // The first and the last bytes overlap in a word that is no power of two.
    let packed = if let (Some(first), Some(last)) =
        (word.first_chunk::<8>(), word.last_chunk::<8>())
    {
        let high = u64::from_le_bytes(*last).checked_shr(128_u32.checked_sub(bits)?).unwrap_or(0);
        u128::from(u64::from_le_bytes(*first)) | u128::from(high) << 64
    } else if let (Some(first), Some(last)) = (word.first_chunk::<4>(), word.last_chunk::<4>()) {
        let high = u32::from_le_bytes(*last).checked_shr(64 - bits).unwrap_or(0);
        u128::from(u32::from_le_bytes(*first)) | u128::from(high) << 32
    } else {
        let (&first, &last) = (word.first()?, word.last()?);
        let middle = word[length / 2];
        u128::from(first)
            | u128::from(middle) << (8 * (length / 2))
            | u128::from(last) << (bits - 8)
    };
    let lower = lower(packed);
    (128 - lower.leading_zeros()).div_ceil(8).eq(&(bits / 8)).then_some(lower)
}

/// The bytes in lower case, all at once.
fn lower(packed: u128) -> u128 {
    const EACH: u128 = u128::MAX / 0xff;
    let seven = packed & (0x7f * EACH);
    // The top bit of each byte tells whether it is at least an A, and whether it is behind a Z.
    let from = seven + (0x80 - 0x41) * EACH;
    let behind = seven + (0x80 - 0x5b) * EACH;
    packed | (((from ^ behind) & !packed & (0x80 * EACH)) >> 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_letters_change_their_case() {
        for byte in 0..=u8::MAX {
            let bytes = std::array::from_fn(|at| if at % 3 == 0 { byte } else { 0xff - byte });
            let expected = u128::from_le_bytes(bytes.map(|byte| byte.to_ascii_lowercase()));
            assert_eq!(lower(u128::from_le_bytes(bytes)), expected, "{byte}");
        }
    }

    #[test]
    fn words_of_every_length_are_found_in_any_case() {
        const LETTERS: &str = "abcdefghijklmnop";
        const WORDS: [&str; WORD_BYTES] = {
            let mut words = [""; WORD_BYTES];
            let mut at = 0;
            while at < WORD_BYTES {
                words[at] = LETTERS.split_at(at + 1).0;
                at += 1;
            }
            words
        };
        static SET: Set<32> = Set::new(&WORDS);
        for word in WORDS {
            assert!(SET.has(word.as_bytes()) && SET.has(word.to_uppercase().as_bytes()), "{word}");
            for at in 0..word.len() {
                for byte in [b'z', 0, 0xff, b'a' - 1] {
                    let mut other = word.as_bytes().to_vec();
                    other[at] = byte;
                    assert!(!SET.has(&other), "{other:?}");
                }
            }
            for more in [&b"q"[..], b"\0", b" "] {
                assert!(!SET.has(&[word.as_bytes(), more].concat()), "{word} {more:?}");
            }
        }
        assert!(!SET.has(b"") && !SET.has(b"\0"));
    }
}
