//! Soak row `text-splits`: random texts of a terminal through the cleaner and the bounders, each made from a number that a
//! failure names.

use crate::exact::{bounded, verify};
use crate::soak::{Random, repeat};
use handrail_text::{Bounds, Cleaner, Cut, Cutter, MAX_LINE_BYTES, Unit};

const FULL: u64 = 1_000_000;

const UNITS: [Unit; 3] = [Unit::Bytes, Unit::Chars, Unit::Lines];

/// Of so many texts one has a line that is longer than the cleaner keeps open.
const LONG_LINE_IN: usize = 2_000;

/// What a cut has to respect, and what the cleaner resolves.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "\r",
    "\r\n",
    "\x08",
    "\t",
    "\x1b",
    "\x1b[",
    "\x1b]0;",
    "\x07",
    "\x1b\\",
    "\x1b[K",
    "\x1b[1K",
    "\x1b[2K",
    "\x1b[J",
    "\x1b[3C",
    "\x1b[2D",
    "\x1b[5G",
    "\x1b[P",
    "\x1b[2@",
    "\x1b[2X",
    "\x1b[31m",
    "\x1b[0m",
    "\x1b(B",
    "\x1b[A",
    "\x1b[3A",
    "\x1b[B",
    "\x1b[99B",
    "\x1b[2E",
    "\x1b[F",
    "\x1b[H",
    "\x1b[4;7H",
    "\x1b[70;2f",
    "\x1b[5d",
    "\x1b[1J",
    "\x1b[2J",
    "\x1b[2L",
    "\x1b[M",
    "\x1b7",
    "\x1b8",
    "\x1b[s",
    "\x1b[u",
    "\x1b[?1049h",
    "\x1b[?1049l",
    "\u{9b}",
    "\u{9c}",
    "\u{9d}",
    "\u{a9}",
    "1",
    ";",
    "m",
    "é",
    "日本",
    "e\u{301}",
    "\u{1f468}\u{200d}\u{1f469}",
    "\u{1f1e9}\u{1f1ea}",
    "step ",
    "same line\n",
    "same line\nsame line\nsame line\nsame line\n",
    "error: no\n",
    "Traceback\n",
    "warning: x\n",
    "[REDACTED]",
    "[REDACTED:rule]",
    "plain words of a line ",
    "[... ",
    " ...]",
];

fn text(random: &mut Random) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..random.below(60) {
        match random.below(16) {
            0 => {
                let count = 1 + random.below(5);
                text.extend(random.bytes(count));
            }
            1 => text.extend(b"x".repeat(1 + random.below(400))),
            2..6 => text.extend(format!("step {}\n", random.below(2_000)).bytes()),
            _ => text.extend(random.pick(PIECES).bytes()),
        }
    }
    if random.one_in(LONG_LINE_IN) {
        let line = random.pick(&["a", "é", "日"]).repeat(MAX_LINE_BYTES / 2);
        text.extend(&line.as_bytes()[..MAX_LINE_BYTES.min(line.len()) - random.below(8)]);
        text.extend(random.pick(&["\rXYZ\x1b[3Cw\n", "\x1b[Ab\x1b[2Bc\nd\x1b[2A"]).bytes());
        text.extend(&line.as_bytes()[..MAX_LINE_BYTES.min(line.len()) - random.below(8)]);
    }
    text
}

fn bounds(random: &mut Random) -> Bounds {
    let unit = *random.pick(&UNITS);
    let most = if unit == Unit::Lines { 30 } else { 300 };
    Bounds {
        max_line_chars: random.one_in(2).then(|| 1 + random.below(100)),
        ..Bounds::new(unit, random.below(most), random.below(most))
    }
}

fn clean(mut cleaner: Cleaner, pieces: &[&[u8]]) -> Vec<u8> {
    let mut text = Vec::new();
    for piece in pieces {
        cleaner.push(piece, &mut |bytes| text.extend_from_slice(bytes));
    }
    cleaner.finish(&mut |bytes| text.extend_from_slice(bytes));
    text
}

fn capture(unit: Unit, head: usize, tail: usize, pieces: &[&[u8]]) -> Cut {
    let mut capture = Cutter::new(Bounds::new(unit, head, tail));
    for piece in pieces {
        capture.push(piece);
    }
    capture.finish()
}

#[test]
fn random_splits_of_what_a_terminal_gets_are_cleaned_the_same() {
    repeat("random splits cleaned", FULL, |number| {
        let mut random = Random::new(number);
        let text = text(&mut random);
        let columns = random.one_in(3).then(|| 1 + random.below(120));
        let cleaner = || columns.map_or_else(Cleaner::new, Cleaner::with_columns);
        let whole = clean(cleaner(), &[&text]);
        assert!(
            clean(cleaner(), &random.split(&text)) == whole,
            "number {number}, {columns:?} columns, of {}",
            text.escape_ascii()
        );
    });
}

#[test]
fn random_splits_of_a_text_are_bounded_the_same() {
    repeat("random splits bounded", FULL, |number| {
        let mut random = Random::new(!number);
        let text = text(&mut random);
        let bounds = bounds(&mut random);
        let whole = bounded(bounds, &[&text]);
        let split = random.split(&text);
        let agree = bounded(bounds, &split) == whole
            && capture(bounds.unit, bounds.head, bounds.tail, &split)
                == capture(bounds.unit, bounds.head, bounds.tail, &[&text]);
        assert!(agree, "number {number}, {bounds:?}, of {}", text.escape_ascii());
        // What a text looks like that has notices of its own is not told apart from a bounder's.
        if let Some(text) = str::from_utf8(&text).ok().filter(|text| !text.contains("[... ")) {
            verify(text, &whole);
        }
    });
}
