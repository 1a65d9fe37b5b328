//! Every way of searching reports what a search at each offset does.

use proptest::prelude::*;

use super::{
    ESCAPE, ESCAPE_OWNER, Literal, MIN_LITERAL_BYTES, MIN_TOKEN_BYTES, Prefilter, Vectors,
    with_vectors,
};
use crate::boundary;
use crate::class::Class;

/// Every way of searching that this processor has.
fn prefilters(literals: &[Literal]) -> [Prefilter; 3] {
    [Vectors::None, Vectors::Avx2, Vectors::Avx512]
        .map(|widest| with_vectors(widest, || Prefilter::new(literals.to_vec())))
}

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
    let may_begin_token = |start: usize| {
        boundary::begins(text, start) && Class::Dash.run(&text[start..]) >= MIN_TOKEN_BYTES
    };
    for Literal { bytes, caseless, begins_token, owner } in literals {
        for (start, candidate) in text.windows(bytes.len()).enumerate() {
            let is_same = candidate == bytes || *caseless && candidate.eq_ignore_ascii_case(bytes);
            if is_same && (!begins_token || may_begin_token(start)) {
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
    let [portable, avx2, avx512] = prefilters(literals).map(|prefilter| hits(&prefilter, text));
    // Also in the same order: what a check finds may depend on it.
    assert_eq!(avx2, portable, "{:?}", text.escape_ascii().to_string());
    assert_eq!(avx512, portable, "{:?}", text.escape_ascii().to_string());
    let mut sorted = portable;
    sorted.sort_unstable();
    assert_eq!(sorted, naive(literals, text), "{:?}", text.escape_ascii().to_string());
}

fn numbered(literals: Vec<(Vec<u8>, bool)>) -> Vec<Literal> {
    let numbered = (0..).zip(literals);
    let literal =
        |(owner, (bytes, caseless))| Literal { bytes, caseless, begins_token: false, owner };
    numbered.map(literal).collect()
}

/// Lets the literals that can begin a token do so only.
fn beginning_tokens(mut literals: Vec<Literal>) -> Vec<Literal> {
    for literal in &mut literals {
        literal.begins_token = literal.bytes[0].is_ascii_alphanumeric()
            && literal.bytes.iter().all(|&byte| Class::Dash.has(byte));
    }
    literals
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

/// Characters of tokens, and few others: those around an escape or a mark.
fn token_bytes(length: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        60 => prop::sample::select(b"aAqQ3D_-0u2n".to_vec()),
        3 => prop::sample::select(b"\\% \n=\xc3\x1b".to_vec()),
    ];
    prop::collection::vec(byte, length)
}

/// Long runs of token characters, with literals that begin tokens and others.
fn texts_with_tokens() -> impl Strategy<Value = (Vec<Literal>, Vec<u8>)> {
    let literals = prop::collection::vec((token_bytes(3..5), any::<bool>()), 1..40);
    (literals, any::<bool>(), token_bytes(0..400)).prop_map(|(literals, few, text)| {
        let literals = beginning_tokens(numbered(literals));
        let some = literals.into_iter().filter(|literal| !few || literal.begins_token);
        (some.collect(), text)
    })
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

    #[test]
    fn all_searches_report_the_same_tokens((literals, text) in texts_with_tokens()) {
        // A search for nothing reports no escapes either.
        if !literals.is_empty() {
            agree(&literals, &text);
        }
    }
}

#[test]
fn a_token_is_found_where_it_is_long_enough_and_nothing_is_joined_to_it() {
    let literals = beginning_tokens(numbered(vec![
        (b"abc_".to_vec(), false),
        (b"ab7".to_vec(), false),
        (b"abc_de-".to_vec(), false),
    ]));
    let prefilter = Prefilter::new(literals.clone());
    for before in ["", "x", "_", "-", " ", "\\n", "\\x", "%3D", "%3", "\\u0022", "\\u002", "\u{e9}"]
    {
        for gap in 0..140 {
            for body in [MIN_TOKEN_BYTES - 5, MIN_TOKEN_BYTES - 4, MIN_TOKEN_BYTES, 200] {
                for after in ["", ".", "\u{e9}"] {
                    let (gap, body) = (".".repeat(gap), "q".repeat(body));
                    let text = format!("{gap}{before}abc_{body}{after}");
                    agree(&literals, text.as_bytes());
                    let joined = ["x", "\\x", "%3", "\\u002"].contains(&before);
                    let found = usize::from(!joined && 4 + body.len() >= MIN_TOKEN_BYTES);
                    assert_eq!(hits(&prefilter, text.as_bytes()).len(), found, "{text}");
                }
            }
        }
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
    for prefilter in prefilters(&literals) {
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
