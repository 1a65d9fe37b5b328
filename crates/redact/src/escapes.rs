//! Colours inside a line: what a terminal shows of it is searched as well.
//!
//! `password: ESC[32mhunter2` names a value for whoever sees it, and `ESC[33mghp_…` is a token, while to the checks a
//! sequence is a value that ends and an `m` that belongs to the token. [`Escapes`] notes the lines in which a sequence is
//! near to a trigger or inside a word; [`Shown`] is the text that a terminal shows of one, and knows where in the line that is. A finding that goes over a sequence takes it along.
//!
//! Sequences that carry a text of their own, such as the address of a link, are searched as they stand.

use std::ops::Range;

const ESCAPE: u8 = 0x1b;

/// A longer one is no sequence.
const MAX_SEQUENCE_BYTES: usize = 64;

/// A sequence cares for a trigger so many bytes before it, with so many blanks between, or behind it in the same word.
const NEAR_BYTES: usize = 128;
const NEAR_BLANKS: usize = 3;

/// How the escape of a sequence is written: as it is, and in the strings of documents and programs.
const INTRODUCERS: [&[u8]; 5] = [b"\x1b", b"\\u001b", b"\\x1b", b"\\033", b"\\e"];

/// Beginnings of sequences, for the prefilter; letters of both cases are the same.
pub(crate) const BEGINNINGS: [&[u8]; 22] = [
    b"\x1b[0",
    b"\x1b[1",
    b"\x1b[2",
    b"\x1b[3",
    b"\x1b[4",
    b"\x1b[5",
    b"\x1b[6",
    b"\x1b[7",
    b"\x1b[8",
    b"\x1b[9",
    b"\x1b[;",
    b"\x1b[?",
    b"\x1b[m",
    b"\x1b[K",
    b"\x1b[J",
    b"\x1b[H",
    b"\x1b(B",
    b"\x1b(0",
    b"\\u001b[",
    b"\\x1b[",
    b"\\033[",
    b"\\e[",
];

/// Where sequences and triggers of a text are: which lines ask to be searched as a terminal shows them is decided at its end.
#[derive(Default)]
pub(crate) struct Escapes {
    /// Where the last trigger begins.
    trigger: Option<usize>,
    /// Where what may be a sequence begins, in order, and the last trigger before it.
    sequences: Vec<(usize, Option<usize>)>,
    /// Indices of sequences with a trigger behind them that may be in the same word, and where that begins.
    followed: Vec<(usize, usize)>,
}

/// What a terminal shows of a line.
#[derive(Default)]
pub(crate) struct Shown {
    pub(crate) text: Vec<u8>,
    /// Offsets in `text`, in order, and how much further what begins there is in the line's text.
    shifts: Vec<(usize, usize)>,
    /// Bytes of `text` that are only context.
    pub(crate) from: usize,
}

impl Escapes {
    /// A trigger begins at `start`.
    #[inline]
    pub(crate) fn see_trigger(&mut self, start: usize) {
        self.trigger = Some(start);
        if let Some(&(sequence, _)) = self.sequences.last()
            && start.checked_sub(sequence).is_some_and(|bytes| bytes <= NEAR_BYTES)
        {
            self.followed.push((self.sequences.len() - 1, start));
        }
    }

    /// What may be a sequence begins at `start`.
    #[inline]
    pub(crate) fn see_beginning(&mut self, start: usize) {
        self.sequences.push((start, self.trigger));
    }

    /// The lines that begin before `end` and ask to be searched as a terminal shows them.
    pub(crate) fn lines(&self, text: &[u8], end: usize) -> Vec<Range<usize>> {
        let mut lines: Vec<Range<usize>> = Vec::new();
        let mut followed = self.followed.iter().peekable();
        for (index, &(start, trigger)) in self.sequences.iter().enumerate() {
            let mut behind = None;
            while let Some(&(_, trigger)) = followed.next_if(|&&(sequence, _)| sequence == index) {
                behind = behind.or(Some(trigger));
            }
            let is_listed = lines.last().is_some_and(|line| start < line.end);
            if is_listed || start >= end || !is_wanted(text, start, trigger, behind) {
                continue;
            }
            let begin = memchr::memrchr(b'\n', &text[..start]).map_or(0, |newline| newline + 1);
            let length = memchr::memchr(b'\n', &text[start..]).map(|length| length + 1);
            lines.push(begin..length.map_or(text.len(), |length| start + length));
        }
        lines
    }
}

/// Whether the sequence at `start` changes what is found: it breaks a word, or stands soon behind a trigger or in one word
/// with one behind it.
fn is_wanted(text: &[u8], start: usize, before: Option<usize>, behind: Option<usize>) -> bool {
    let in_word = text[..start].last().is_some_and(|&byte| is_word(byte));
    let is_value = before.is_some_and(|before| is_near(text, before, start));
    if !in_word && !is_value && behind.is_none() {
        return false;
    }
    let Some(length) = sequence(&text[start..]) else { return false };
    let end = start + length;
    is_value
        || (in_word && text.get(end).is_some_and(|&byte| is_word(byte)))
        || behind
            .and_then(|behind| text.get(end..behind))
            .is_some_and(|between| !between.iter().any(|&byte| is_blank(byte)))
}

/// Whether what stands at `start` may be the value of a name at `before`.
fn is_near(text: &[u8], before: usize, start: usize) -> bool {
    let between = text.get(before..start).filter(|between| between.len() <= NEAR_BYTES);
    let Some(between) = between else { return false };
    let mut blanks = 0;
    for &byte in between.iter().rev() {
        blanks += usize::from(is_blank(byte));
        if byte == b'\n' || blanks > NEAR_BLANKS {
            return false;
        }
    }
    true
}

impl Shown {
    /// What a terminal shows of `line` in `text`, of which the first `from` bytes are only context.
    pub(crate) fn of(text: &[u8], line: Range<usize>, from: usize) -> Self {
        let mut shown = Self::default();
        let mut at = line.start;
        let sequences = Sequences { text: &text[..line.end], at };
        for Range { start, end } in sequences.chain(std::iter::once(line.end..line.end)) {
            if at < start {
                shown.shifts.push((shown.text.len(), at - shown.text.len()));
                shown.text.extend_from_slice(&text[at..start]);
                shown.from += from.clamp(at, start) - at;
            }
            at = end;
        }
        shown
    }

    /// Where a stretch of it is in the text of the line.
    pub(crate) fn place(&self, stretch: Range<usize>) -> Range<usize> {
        let shift = |at: usize| {
            let behind = self.shifts.partition_point(|&(begin, _)| begin <= at);
            self.shifts[..behind].last().map_or(0, |&(_, shift)| shift)
        };
        let last = stretch.end.saturating_sub(1);
        stretch.start + shift(stretch.start)..stretch.end + shift(last)
    }
}

/// The sequences of a line, in order.
struct Sequences<'t> {
    text: &'t [u8],
    at: usize,
}

impl Iterator for Sequences<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        while let Some(ahead) = memchr::memchr2(ESCAPE, b'\\', &self.text[self.at..]) {
            let start = self.at + ahead;
            self.at = start + 1;
            if let Some(length) = sequence(&self.text[start..]) {
                self.at = start + length;
                return Some(start..self.at);
            }
        }
        None
    }
}

/// Bytes of the sequence at the start of `text`; `None` when there is none that only moves the cursor, erases, or sets
/// colours and character sets. Those with other bytes than parameters are rare, and would take quotes and commas for theirs.
fn sequence(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(MAX_SEQUENCE_BYTES)];
    let introducer = INTRODUCERS.iter().find(|introducer| {
        text.get(..introducer.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(introducer))
    })?;
    let text = &text[introducer.len()..];
    let length = match *text.first()? {
        b'[' => {
            let length = 1 + text[1..].iter().position(|byte| !(b'0'..=b'?').contains(byte))?;
            is_final(text[length]).then_some(length + 1)?
        }
        b'(' | b')' => text.get(1).filter(|byte| byte.is_ascii_alphanumeric()).map(|_| 2)?,
        b'7' | b'8' | b'=' | b'>' if introducer.len() == 1 => 1,
        _ => return None,
    };
    Some(introducer.len() + length)
}

/// What ends the sequences that programs write. Not every letter: of a sequence that was cut off, the next word is no part.
fn is_final(byte: u8) -> bool {
    matches!(
        byte,
        b'A'..=b'H'
            | b'J'
            | b'K'
            | b'L'
            | b'M'
            | b'P'
            | b'S'
            | b'T'
            | b'X'
            | b'@'
            | b'd'
            | b'f'
            | b'h'
            | b'l'
            | b'm'
            | b'n'
            | b'r'
            | b's'
            | b'u'
    )
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
