//! Soak rows `redact-splits` and `redact-twice`: random compositions, each made from a number that a failure names.

use crate::soak::{Random, repeat};
use crate::support::compositions::{fixtures, pieces, redactors, whole};
use crate::support::{shown, stream};
use handrail_redact::{HOLD_BYTES, Redactor, WINDOW_BYTES};

const FULL_SPLITS: u64 = 1_000_000;

const FULL_TWICE: u64 = 1_000_000;

/// Of so many texts one is a line longer than a window.
const LONG_LINE_IN: usize = 1_000;

const MAX_PIECES: usize = 30;

/// What texts are made from.
struct Compositions {
    redactors: Vec<Redactor>,
    pieces: Vec<String>,
    fixtures: Vec<String>,
}

impl Compositions {
    fn new() -> Self {
        Self { redactors: redactors(), pieces: pieces(), fixtures: fixtures() }
    }

    /// A fixture, broken off at random, or pieces in any order, with bytes of any value between them.
    fn part(&self, random: &mut Random, text: &mut Vec<u8>) {
        if random.one_in(4) {
            let fixture = random.pick(&self.fixtures).as_bytes();
            let end = if random.one_in(2) { fixture.len() } else { random.below(fixture.len()) };
            text.extend(&fixture[..end]);
            return;
        }
        for _ in 0..random.below(MAX_PIECES) {
            if random.one_in(13) {
                let count = 1 + random.below(3);
                text.extend(random.bytes(count));
            } else {
                text.extend(random.pick(&self.pieces).as_bytes());
            }
        }
    }

    fn text(&self, random: &mut Random) -> Vec<u8> {
        let mut text = Vec::new();
        if random.one_in(LONG_LINE_IN) {
            self.long_line(random, &mut text);
        }
        for _ in 0..=random.below(2) {
            self.part(random, &mut text);
        }
        text
    }

    /// A part behind as much as leaves it at the border of a window, or of what is held of one.
    fn long_line(&self, random: &mut Random, text: &mut Vec<u8>) {
        let filler = random.pick(&["a ", "x-", "é", "=", "\"", "aB3/", "key="]).as_bytes();
        let near = *random.pick(&[WINDOW_BYTES - HOLD_BYTES, WINDOW_BYTES]);
        let length = near + random.below(160) - 120;
        text.extend(filler.iter().cycle().take(length));
        text.push(b' ');
        self.part(random, text);
        text.extend(filler.iter().cycle().take(random.below(WINDOW_BYTES)));
    }
}

#[test]
fn random_splits_give_the_same() {
    let compositions = Compositions::new();
    let mut findings = 0;
    repeat("random splits", FULL_SPLITS, |number| {
        let mut random = Random::new(number);
        let text = compositions.text(&mut random);
        let redactor = random.pick(&compositions.redactors);
        let expected = whole(redactor, &text);
        findings += usize::from(expected != text);
        let streamed = stream(redactor, &random.split(&text));
        assert!(
            streamed == expected,
            "number {number}\nof {}\nwhole {}\nsplit {}",
            text.escape_ascii(),
            expected.escape_ascii(),
            streamed.escape_ascii()
        );
    });
    assert!(findings > 0, "nothing was masked");
}

/// In broken text a mask can end a quote or a run, so that a second pass finds more; never less.
#[test]
fn redacting_twice_shows_no_more() {
    let compositions = Compositions::new();
    repeat("compositions redacted twice", FULL_TWICE, |number| {
        let mut random = Random::new(!number);
        let text = compositions.text(&mut random);
        let redactor = random.pick(&compositions.redactors);
        let once = whole(redactor, &text);
        let twice = whole(redactor, &once);
        assert!(
            shown(&twice) <= shown(&once),
            "number {number}\nof {}\nonce {}\ntwice {}",
            text.escape_ascii(),
            once.escape_ascii(),
            twice.escape_ascii()
        );
    });
}
