//! Every way of searching reports what a search at each offset does.

use proptest::prelude::*;

use super::{ESCAPE, ESCAPE_OWNER, Literal, MIN_LITERAL_BYTES, Prefilter, portably};

type Hits = Vec<(u16, usize, usize)>;

fn hits(prefilter: &Prefilter, text: &[u8]) -> Hits {
    let mut hits = Vec::new();
    prefilter.find(text, |owner, start, end| {
        hits.push((owner, start, end));
        true
    });
    hits
}

fn naive(literals: &[Literal], text: &[u8]) -> Hits {
    let mut hits = Vec::new();
    for Literal { bytes, caseless, owner } in literals {
        for (start, candidate) in text.windows(bytes.len()).enumerate() {
            if candidate == bytes || *caseless && candidate.eq_ignore_ascii_case(bytes) {
                hits.push((*owner, start, start + bytes.len()));
            }
        }
    }
    let last = text.len().saturating_sub(MIN_LITERAL_BYTES - 1);
    let escapes = (0..last).filter(|&at| text[at] == ESCAPE);
    hits.extend(escapes.map(|at| (ESCAPE_OWNER, at, at + 1)));
    hits.sort_unstable();
    hits
}

fn agree(literals: &[Literal], text: &[u8]) {
    let fast = hits(&Prefilter::new(literals), text);
    let portable = hits(&portably(|| Prefilter::new(literals)), text);
    // Also in the same order: what a check finds may depend on it.
    assert_eq!(fast, portable, "{:?}", text.escape_ascii().to_string());
    let mut sorted = fast;
    sorted.sort_unstable();
    assert_eq!(sorted, naive(literals, text), "{:?}", text.escape_ascii().to_string());
}

fn numbered(literals: Vec<(Vec<u8>, bool)>) -> Vec<Literal> {
    let numbered = (0..).zip(literals);
    numbered.map(|(owner, (bytes, caseless))| Literal { bytes, caseless, owner }).collect()
}

/// Bytes that fold to each other, that share halves, and that are no ASCII.
fn bytes(length: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        8 => prop::sample::select(b"aAbBqQ@`[{1!_\x7f\x00 -\r\xc3\xe3".to_vec()),
        1 => any::<u8>(),
    ];
    prop::collection::vec(byte, length)
}

fn literals() -> impl Strategy<Value = Vec<Literal>> {
    prop::collection::vec((bytes(3..9), any::<bool>()), 1..40).prop_map(numbered)
}

/// Filler, pieces of literals and whole ones.
fn texts() -> impl Strategy<Value = (Vec<Literal>, Vec<u8>)> {
    let parts = prop::collection::vec(
        (bytes(0..50), any::<prop::sample::Index>(), 0_usize..12, any::<bool>()),
        0..12,
    );
    (literals(), parts).prop_map(|(literals, parts)| {
        let mut text = Vec::new();
        for (filler, which, length, upper) in parts {
            text.extend(filler);
            let literal = &which.get(&literals).bytes;
            let mut piece = literal[..literal.len().min(length)].to_vec();
            if upper {
                piece.make_ascii_uppercase();
            }
            text.extend(piece);
        }
        (literals, text)
    })
}

#[expect(clippy::disallowed_methods, reason = "how long to test is the runner's choice")]
fn soak() -> u32 {
    std::env::var("HANDRAIL_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000 * soak(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_searches_report_the_same((literals, text) in texts()) {
        agree(&literals, &text);
    }
}

#[test]
fn a_literal_is_found_at_every_offset_and_in_every_length_of_text() {
    let literals = numbered(vec![
        (b"key".to_vec(), true),
        (b"ghp_".to_vec(), false),
        (b"authorization".to_vec(), true),
        (b"-\xff\xfe-".to_vec(), false),
    ]);
    for Literal { bytes, .. } in &literals {
        for before in 0..140 {
            for after in [0, 1, 2, 3, 63, 64, 65, 66, 67, 68] {
                let text = [&vec![b'k'; before][..], bytes, &vec![b'e'; after]].concat();
                agree(&literals, &text);
            }
        }
    }
}

#[test]
fn a_thousand_literals_that_are_alike_are_told_apart() {
    let words = (0..1_000).map(|n| (format!("tok{n}_abc{}", n % 7).into_bytes(), n % 2 == 0));
    let literals = numbered(words.collect());
    let text = (0..2_000).map(|n| format!("tok{n}_ABC{} tok{n}_abc{} ", n % 7, n % 5));
    let text: Vec<String> = text.collect();
    agree(&literals, text.concat().as_bytes());
}

#[test]
fn literals_are_found_at_both_ends_of_texts_of_every_length() {
    let literals = numbered(vec![(b"sk-".to_vec(), false), (b"token".to_vec(), true)]);
    for length in 0..200 {
        let text = [b"SK-sk-", &vec![b'.'; length][..], b"TOKsk-"].concat();
        agree(&literals, &text);
        let text = [b"token", &vec![b'\x1b'; length][..], b"Token"].concat();
        agree(&literals, &text);
    }
}

#[test]
fn a_search_stops_when_nothing_more_is_wanted() {
    let literals = numbered(vec![(b"key".to_vec(), false), (b"keys".to_vec(), false)]);
    let text = b"keys ".repeat(60);
    for prefilter in [Prefilter::new(&literals), portably(|| Prefilter::new(&literals))] {
        for wanted in [1, 2, 3, 117, 120] {
            let mut count = 0;
            prefilter.find(&text, |_, _, _| {
                count += 1;
                count < wanted
            });
            assert_eq!(count, wanted);
        }
    }
}
