//! Estimates the tokens of a text without a tokenizer.

/// Costs are counted in parts of a token, this many to a token.
const PARTS_PER_TOKEN: usize = 16;
/// Cost of a word: letters of one case, or a capital followed by small letters.
const WORD_PARTS: usize = 15;
/// Cost of a word right behind another one on top of that: `Line` and `Chars` in `maxLineChars`.
const JOINED_WORD_PARTS: usize = 4;
/// Letters of a word that `WORD_PARTS` pays for.
const LETTERS_PER_WORD: usize = 6;
/// Cost of each further letter of a word.
const FURTHER_LETTER_PARTS: usize = 2;
/// Letters after which a run of one case is no word, and each of them costs more.
const LETTERS_PER_LONG_WORD: usize = 20;
/// Cost of each of these letters on top of that.
const LETTER_BEYOND_WORD_PARTS: usize = 2;
/// Consonants in a row that words have. More are a sign of random letters, such as those of base64, which share few tokens.
const CONSONANTS_PER_WORD: usize = 3;
/// Cost of each further consonant.
const FURTHER_CONSONANT_PARTS: usize = 13;
/// Cost of a place where letters and digits meet.
const LETTERS_BESIDE_DIGITS_PARTS: usize = 3;
/// Cost of a group of digits.
const DIGITS_PARTS: usize = 16;
/// Most digits of a group.
const DIGITS_PER_GROUP: usize = 3;
/// Cost of blanks right before digits; before a word they are a part of it.
const BLANKS_BEFORE_DIGITS_PARTS: usize = 23;
/// Cost of several blanks.
const BLANKS_PARTS: usize = 18;
/// Cost of a line end.
const LINE_END_PARTS: usize = 14;
/// Cost of a line end behind a sign, of which it often is a part.
const LINE_END_BEHIND_SIGN_PARTS: usize = 5;
/// Cost of each further line end in a row.
const FURTHER_LINE_END_PARTS: usize = 1;
/// Cost of a run of other characters.
const SIGNS_PARTS: usize = 14;
/// Cost of a single such character before a word, of which it often is a part.
const SIGN_BEFORE_WORD_PARTS: usize = 6;
/// Cost of each ASCII character of a run that differs from the one before it.
const CHANGED_SIGN_PARTS: usize = 2;
/// Changes of a run after which its signs share few tokens.
const CHANGES_PER_RUN: usize = 4;
/// Cost of each further change on top of that.
const FURTHER_CHANGE_PARTS: usize = 9;
/// Cost of a control character such as ESC on top of that.
const CONTROL_PARTS: usize = 16;
/// Blanks, or equal signs in a row, that are one more token.
const REPEATS_PER_TOKEN: usize = 64;

/// A long line is paid for in pieces of this size.
const PIECE_BYTES: usize = 48;

/// The characters beyond ASCII whose first two bytes are in a range, and the cost of each.
struct Script {
    first_bytes: std::ops::RangeInclusive<[u8; 2]>,
    parts: usize,
    /// Cost of one after `CHANGES_PER_RUN` others, which share no token any more.
    further_parts: usize,
}

const fn script(first: [u8; 2], last: [u8; 2], parts: usize, further_parts: usize) -> Script {
    Script { first_bytes: first..=last, parts, further_parts }
}

/// Ranges of first bytes; a character belongs to the first range that has it.
const SCRIPTS: [Script; 24] = [
    // Accents that stand for themselves.
    script([0xcc, 0x80], [0xcd, 0xaf], 24, 24),
    // Greek.
    script([0xcd, 0xb0], [0xcf, 0xbf], 8, 8),
    // Cyrillic.
    script([0xd0, 0x80], [0xd1, 0xbf], 5, 5),
    // Hebrew and Arabic.
    script([0xd6, 0x80], [0xdb, 0xbf], 7, 7),
    // Other characters of two bytes.
    script([0xc0, 0x80], [0xdf, 0xbf], 10, 10),
    // Lao and Tibetan.
    script([0xe0, 0xba], [0xe0, 0xbf], 32, 32),
    // Scripts of India, and Thai.
    script([0xe0, 0x80], [0xe0, 0xb9], 7, 7),
    // Burmese and Georgian.
    script([0xe1, 0x80], [0xe1, 0x83], 15, 15),
    // Ethiopic.
    script([0xe1, 0x88], [0xe1, 0x8d], 29, 29),
    // Khmer.
    script([0xe1, 0x9e], [0xe1, 0x9f], 22, 22),
    // Latin and Greek with marks.
    script([0xe1, 0xb8], [0xe1, 0xbf], 22, 22),
    // Scripts that few write.
    script([0xe1, 0x84], [0xe1, 0xb7], 46, 46),
    // Braille.
    script([0xe2, 0xa0], [0xe2, 0xa3], 47, 47),
    // Dashes, quotes and dots.
    script([0xe2, 0x80], [0xe2, 0x80], 2, 20),
    // Lines of boxes, arrows and other marks.
    script([0xe2, 0x81], [0xe2, 0xbf], 18, 31),
    // Kana.
    script([0xe3, 0x80], [0xe3, 0xbf], 10, 10),
    // Han.
    script([0xe4, 0x80], [0xe9, 0xbf], 12, 12),
    // Scripts that few write.
    script([0xea, 0x80], [0xea, 0xaf], 46, 46),
    // Hangul.
    script([0xea, 0xb0], [0xed, 0xbf], 8, 8),
    // Icons of fonts.
    script([0xee, 0x80], [0xef, 0xa3], 46, 46),
    // Fullwidth forms.
    script([0xef, 0xa4], [0xef, 0xbf], 10, 10),
    // Emoji.
    script([0xf0, 0x9f], [0xf0, 0x9f], 23, 34),
    // Other characters of four bytes.
    script([0xf0, 0x80], [0xf0, 0x9e], 50, 50),
    // Han that few write, and icons.
    script([0xf0, 0xa0], [0xf4, 0xbf], 63, 63),
];

/// The estimated number of tokens of `text`. Fitted to the encoding `o200k` over logs, source, tables, prose, base64, hashes and
/// minified code, and off by at most 15 % on each of them.
pub fn estimate_tokens(text: &[u8]) -> usize {
    parts(text).div_ceil(PARTS_PER_TOKEN)
}

/// A budget of tokens for lines that are taken in their order.
#[derive(Clone, Debug)]
pub struct TokenBudget {
    left_parts: usize,
}

impl TokenBudget {
    /// A budget of so many tokens.
    pub fn new(tokens: usize) -> Self {
        Self { left_parts: tokens.saturating_mul(PARTS_PER_TOKEN) }
    }

    /// Pays for a line, or for what stands before it, if that is possible.
    pub fn pay(&mut self, text: &[u8]) -> bool {
        let left_parts = self.left_parts.checked_sub(parts(text));
        self.left_parts = left_parts.unwrap_or(self.left_parts);
        left_parts.is_some()
    }

    /// The length of the longest beginning of `text`, in bytes, that can be paid for, give or take a few characters.
    pub fn beginning(&self, text: &str) -> usize {
        let mut left_parts = self.left_parts;
        let mut end = 0;
        while end < text.len() {
            let mut ends = end + PIECE_BYTES..text.len();
            let next = ends.find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
            let cost = parts(&text.as_bytes()[end..next]);
            if cost > left_parts {
                break;
            }
            left_parts -= cost;
            end = next;
        }
        // Pieces can cost a little less than the whole of them.
        loop {
            let cost = parts(&text.as_bytes()[..end]);
            if cost <= self.left_parts {
                return end;
            }
            end = end * self.left_parts / cost;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
        }
    }
}

fn parts(text: &[u8]) -> usize {
    let mut parts = 0;
    let mut at = 0;
    while let Some(&first) = text.get(at) {
        let kind = kind_of(first);
        let rest = &text[at..];
        let run = rest.iter().position(|&byte| kind_of(byte) != kind).unwrap_or(rest.len());
        let before = at.checked_sub(1).map(|before| kind_of(text[before]));
        let after = rest.get(run).map(|&byte| kind_of(byte));
        let run = &rest[..run];
        parts += match kind {
            ByteKind::Letter => {
                let beside = [before, after];
                let digits = beside.iter().filter(|kind| **kind == Some(ByteKind::Digit)).count();
                letters(run) + digits * LETTERS_BESIDE_DIGITS_PARTS
            }
            ByteKind::Digit => {
                let blanks = usize::from(before == Some(ByteKind::Blank));
                run.len().div_ceil(DIGITS_PER_GROUP) * DIGITS_PARTS
                    + blanks * BLANKS_BEFORE_DIGITS_PARTS
            }
            ByteKind::LineEnd => {
                let is_behind_sign = before == Some(ByteKind::Sign);
                let first =
                    if is_behind_sign { LINE_END_BEHIND_SIGN_PARTS } else { LINE_END_PARTS };
                first + (run.len() - 1) * FURTHER_LINE_END_PARTS
            }
            ByteKind::Blank => {
                let several = if run.len() > 1 { BLANKS_PARTS } else { 0 };
                several + run.len() * PARTS_PER_TOKEN / REPEATS_PER_TOKEN
            }
            ByteKind::Sign => signs(run, after == Some(ByteKind::Letter)),
        };
        at += run.len();
    }
    parts
}

#[derive(Clone, Copy, PartialEq)]
enum ByteKind {
    Letter,
    Digit,
    LineEnd,
    Blank,
    Sign,
}

fn kind_of(byte: u8) -> ByteKind {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => ByteKind::Letter,
        b'0'..=b'9' => ByteKind::Digit,
        b'\n' => ByteKind::LineEnd,
        b' ' | b'\t' => ByteKind::Blank,
        _ => ByteKind::Sign,
    }
}

/// The cost of a run of letters: `maxLineChars` is three words, `HTTP` is one.
fn letters(run: &[u8]) -> usize {
    let mut parts = 0;
    let (mut length, mut consonants) = (0, 0);
    let mut last = b'a';
    for (at, &byte) in run.iter().enumerate() {
        let begins_word = at == 0 || byte.is_ascii_uppercase() && last.is_ascii_lowercase();
        length = if begins_word { 1 } else { length + 1 };
        if begins_word {
            parts += WORD_PARTS + if at > 0 { JOINED_WORD_PARTS } else { 0 };
        }
        if length > LETTERS_PER_WORD {
            parts += FURTHER_LETTER_PARTS;
        }
        if length > LETTERS_PER_LONG_WORD {
            parts += LETTER_BEYOND_WORD_PARTS;
        }
        let is_vowel = matches!(byte | 0x20, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
        consonants = if is_vowel { 0 } else { consonants + 1 };
        if consonants > CONSONANTS_PER_WORD {
            parts += FURTHER_CONSONANT_PARTS;
        }
        last = byte;
    }
    parts
}

fn signs(run: &[u8], is_before_word: bool) -> usize {
    let is_part_of_word = is_before_word && run.len() == 1;
    let mut parts = if is_part_of_word { SIGN_BEFORE_WORD_PARTS } else { SIGNS_PARTS };
    let (mut changes, mut repeats, mut others_before) = (0, 0, 0);
    let mut rest = run;
    let mut last: &[u8] = &[];
    while let Some(&first) = rest.first() {
        let following = rest[1..].iter().take_while(|byte| crate::counts::is_continuation(**byte));
        let (sign, others) = rest.split_at(1 + following.count());
        if sign == last {
            repeats += 1;
        } else if first.is_ascii() {
            changes += usize::from(!last.is_empty());
            parts += if first.is_ascii_control() && first != b'\r' { CONTROL_PARTS } else { 0 };
        } else {
            let first_bytes = [first, sign.get(1).copied().unwrap_or_default()];
            let script = SCRIPTS.iter().find(|script| script.first_bytes.contains(&first_bytes));
            let cost = |script: &Script| {
                if others_before < CHANGES_PER_RUN { script.parts } else { script.further_parts }
            };
            parts += script.map_or(0, cost);
            others_before += 1;
        }
        last = sign;
        rest = others;
    }
    parts += changes * CHANGED_SIGN_PARTS;
    parts += changes.saturating_sub(CHANGES_PER_RUN) * FURTHER_CHANGE_PARTS;
    parts + repeats * PARTS_PER_TOKEN / REPEATS_PER_TOKEN
}
