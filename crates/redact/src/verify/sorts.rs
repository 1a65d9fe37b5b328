//! Which sorts of bytes a value has. Most checks of a value are decided by a sort that is missing, so all are gathered in
//! one pass.

/// A set of sorts.
#[derive(Clone, Copy)]
pub(super) struct Sorts(u16);

pub(super) const LOWER: Sorts = Sorts(1);
pub(super) const UPPER: Sorts = Sorts(1 << 1);
pub(super) const DIGIT: Sorts = Sorts(1 << 2);
pub(super) const LINE: Sorts = Sorts(1 << 3);
pub(super) const DASH: Sorts = Sorts(1 << 4);
pub(super) const DOT: Sorts = Sorts(1 << 5);
pub(super) const COLON: Sorts = Sorts(1 << 6);
pub(super) const BLANK: Sorts = Sorts(1 << 7);
pub(super) const SLASH: Sorts = Sorts(1 << 8);
pub(super) const FOREIGN: Sorts = Sorts(1 << 9);
/// `'`
pub(super) const APOSTROPHE: Sorts = Sorts(1 << 10);
/// What opens arguments: `(`, `[` and a backquote.
pub(super) const OPENER: Sorts = Sorts(1 << 11);
/// What else paths in code hold: `$`, `?`, `>` and `#`.
pub(super) const CODE: Sorts = Sorts(1 << 12);
/// What stands before a path in code: `&` and `*`.
pub(super) const REFERENCE: Sorts = Sorts(1 << 13);
const OTHER: Sorts = Sorts(1 << 14);

/// Letters and what joins them, and what else stands in a path of code.
pub(super) const WORDS: Sorts = LOWER.and(UPPER).and(LINE).and(DASH);
pub(super) const CODE_PATH: Sorts = WORDS.and(DIGIT).and(DOT).and(COLON).and(CODE);

const fn sort(byte: u8) -> Sorts {
    match byte {
        b'a'..=b'z' => LOWER,
        b'A'..=b'Z' => UPPER,
        b'0'..=b'9' => DIGIT,
        b'_' => LINE,
        b'-' => DASH,
        b'.' => DOT,
        b':' => COLON,
        b' ' => BLANK,
        b'/' => SLASH,
        0x80.. => FOREIGN,
        b'\'' => APOSTROPHE,
        b'(' | b'[' | b'`' => OPENER,
        b'$' | b'?' | b'>' | b'#' => CODE,
        b'&' | b'*' => REFERENCE,
        _ => OTHER,
    }
}

static TABLE: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "byte is below 256")]
        let sort = sort(byte as u8);
        table[byte] = sort.0;
        byte += 1;
    }
    table
};

impl Sorts {
    /// Those of all bytes.
    pub(super) fn of(body: &[u8]) -> Self {
        Self(body.iter().fold(0, |sorts, &byte| sorts | TABLE[usize::from(byte)]))
    }

    /// Those of both.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// One of `others` is there.
    pub(super) fn has(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Nothing but `others` is there.
    pub(super) fn only(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_one_sort() {
        for byte in 0..=u8::MAX {
            assert_eq!(Sorts::of(&[byte]).0.count_ones(), 1, "{byte}");
        }
        let sorts = Sorts::of(b"aB-");
        assert!(sorts.has(UPPER) && !sorts.has(DIGIT.and(LINE)));
        assert!(sorts.only(LOWER.and(UPPER).and(DASH)) && !sorts.only(LOWER.and(DASH)));
    }
}
