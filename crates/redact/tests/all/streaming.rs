//! The result depends on the bytes alone: every split, random splits, windows, redacting twice.

use crate::support::compositions::{fixtures, pieces, redactors, whole};
use crate::support::stream;
use handrail_redact::{HOLD_BYTES, Redactor, WINDOW_BYTES};
use proptest::prelude::*;

/// Pieces in any order.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        12 => prop::sample::select(pieces()).prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

#[expect(clippy::disallowed_methods, reason = "how long to test is the runner's choice")]
fn soak() -> u32 {
    std::env::var("HANDRAIL_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

#[test]
fn every_single_split_gives_the_same() {
    let fixtures = fixtures();
    for redactor in redactors() {
        for text in &fixtures {
            let expected = whole(&redactor, text.as_bytes());
            for cut in 0..=text.len() {
                let (first, second) = text.as_bytes().split_at(cut);
                assert_eq!(stream(&redactor, &[first, second]), expected, "{text:?} at {cut}");
            }
            let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(stream(&redactor, &bytes), expected, "{text:?} byte by byte");
        }
    }
}

/// A long line: filler, a piece near a window's border, filler, another piece.
fn long_lines() -> impl Strategy<Value = Vec<u8>> {
    let near = prop::sample::select(vec![
        WINDOW_BYTES - HOLD_BYTES,
        WINDOW_BYTES,
        2 * WINDOW_BYTES - HOLD_BYTES,
    ]);
    let filler = prop::sample::select(vec!["a ", "x-", "é", "=", "\"", "aB3/", "key="]);
    (near, 0_usize..120, filler, texts(), texts()).prop_map(
        |(near, shift, filler, first, second)| {
            let length = near + shift - 80;
            let mut text: Vec<u8> = filler.bytes().cycle().take(length).collect();
            text.push(b' ');
            text.extend(first);
            text.extend(filler.bytes().cycle().take(length));
            text.extend(second);
            text
        },
    )
}

fn split(text: &[u8], cuts: Vec<usize>) -> Vec<&[u8]> {
    let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut % (text.len() + 1)).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

/// Whether a line is as wide as a terminal may be, or may be without its terminal sequences.
fn is_wide(line: &[u8]) -> bool {
    let width = line.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    let has_sequence = line.iter().any(|byte| b"\x1b\\".contains(byte));
    [80, 100, 120].contains(&width) || width > 80 && has_sequence
}

/// Whether a line may be the header of a table.
fn is_header(line: &[u8]) -> bool {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || b" _-./()#%\"'`*,;\t\r|".contains(byte);
    let has_name = || {
        let line = line.to_ascii_lowercase();
        ["pass", "pw", "secret", "token", "key", "auth", "cred"]
            .iter()
            .any(|word| memchr::memmem::find(&line, word.as_bytes()).is_some())
    };
    line.iter().all(|byte| is_part(byte) || *byte >= 0x80) && has_name()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000 * soak(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunk_splits(text in texts(), cuts in prop::collection::vec(0_usize..600, 0..6), which in 0_usize..5) {
        let redactor = &REDACTORS.with(|all| all[which].clone());
        let expected = whole(redactor, &text);
        prop_assert_eq!(stream(redactor, &split(&text, cuts)), expected);
    }

    #[test]
    fn lines_are_independent(first in texts(), second in texts(), which in prop::sample::select(vec![0_usize, 3])) {
        let redactor = &REDACTORS.with(|all| all[which].clone());
        // Only private keys, block scalars, names with a value below, headers of tables and values that fill a row of a
        // terminal reach over lines, and known values, which these redactors have none of.
        let has = |word: &str| memchr::memmem::find(&first, word.as_bytes()).is_some();
        let reaches = first.split(|byte| *byte == b'\n').any(|line| is_wide(line) || is_header(line));
        if reaches || ["BEGIN", "Lines", "|", ">", "name", "variable", "output"].into_iter().any(has) {
            return Ok(());
        }
        let joined = [&first[..], b"\n", &second].concat();
        let expected = [whole(redactor, &first), b"\n".to_vec(), whole(redactor, &second)].concat();
        prop_assert_eq!(whole(redactor, &joined), expected);
    }

    #[test]
    fn findings_agree_with_the_text(text in texts(), which in 0_usize..2) {
        let redactor = &REDACTORS.with(|all| all[which].clone());
        let findings = redactor.scan(&text);
        prop_assert!(findings.is_sorted_by(|a, b| a.end <= b.start));
        prop_assert!(findings.iter().all(|finding| finding.start < finding.end && finding.end <= text.len()));
        prop_assert_eq!(findings.is_empty(), redactor.redact(&text).is_none());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200 * soak(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn long_lines_do_not_depend_on_the_split(text in long_lines(), cuts in prop::collection::vec(0_usize..400_000, 0..6), which in 0_usize..3) {
        let redactor = &REDACTORS.with(|all| all[which].clone());
        let expected = whole(redactor, &text);
        prop_assert!(stream(redactor, &split(&text, cuts)) == expected);
    }
}

/// No rule matches in a mask, across it or from it, whoever wrote it.
#[test]
fn a_mask_is_an_atom() {
    for text in [
        "[REDACTED:password]=hunter2\n",
        "[REDACTED:12]=hunter2 [REDACTED:password:12]=hunter2\n",
        "password=[REDACTED:2]\ntoken: \"[REDACTED:token:123456789]\"\n",
        "correct-[REDACTED:x:1]horse ref-1[REDACTED:ref-1:34]2\n",
        "password=\"hunter2 [REDACTED] x1y2\"\n",
        "Authorization: Digest username=\"u\", nonce=\"[REDACTED]\", response=\"x1y2\"\n",
        "correct-[REDACTED]horse ref-1[REDACTED:x]2\n",
    ] {
        for redactor in redactors() {
            let twice = whole(&redactor, &whole(&redactor, text.as_bytes()));
            assert_eq!(twice, whole(&redactor, text.as_bytes()), "{text}");
        }
        assert_eq!(whole(&redactors()[0], text.as_bytes()), text.as_bytes(), "{text}");
    }
}

thread_local! {
    static REDACTORS: Vec<Redactor> = redactors();
}
