//! What is found in UTF-16 is what is found in the same text as UTF-8, however it is cut.

use crate::support::letters;
use handrail_redact::{Mark, Options, Redactor, Utf16Scanner, append_utf8};
use proptest::prelude::*;

fn marks(scanner: &mut Utf16Scanner, pieces: &[&[u16]]) -> Vec<Mark> {
    let mut marks = Vec::new();
    for piece in pieces {
        scanner.push(piece, &mut |mark| marks.push(mark));
    }
    scanner.finish(&mut |mark| marks.push(mark));
    marks
}

/// The text with each mark in its place, built of units.
fn masked(redactor: &Redactor, units: &[u16], marks: &[Mark]) -> String {
    let mut text = Vec::new();
    let mut at = 0;
    for mark in marks {
        text.extend_from_slice(&units[at..mark.start]);
        if !mark.continues {
            text.extend(redactor.mask(mark.rule, mark.quoted).encode_utf16());
        }
        at = mark.end;
    }
    text.extend_from_slice(&units[at..]);
    String::from_utf16_lossy(&text)
}

#[track_caller]
fn agrees(redactor: &Redactor, scanner: &mut Utf16Scanner, units: &[u16], cut: usize) {
    let text = String::from_utf16_lossy(units);
    let expected = redactor.redact(text.as_bytes());
    let expected = expected.map_or(text, |bytes| String::from_utf8(bytes).expect("UTF-8"));
    let found = marks(scanner, &[&units[..cut], &units[cut..]]);
    assert_eq!(masked(redactor, units, &found), expected);
    let mut same = Vec::new();
    for piece in [&units[..cut], &units[cut..]] {
        scanner.push_str(&String::from_utf16_lossy(piece), &mut |mark| same.push(mark));
    }
    scanner.finish(&mut |mark| same.push(mark));
    assert_eq!(same, found, "as UTF-8");
}

fn fixtures() -> Vec<String> {
    let key = format!("ghp_{}", letters(36));
    let value = "ü😀".repeat(40_000);
    vec![
        "password=hunter2".into(),
        "😀 password=hunter2 😀".into(),
        format!("é {key}é{key} 完 {key}"),
        "{\"password\": 12345678, \"é\": 1}".into(),
        format!(
            "-----BEGIN {k}-----\né\nMIIE\n-----END {k}-----\n完 token=abcdef123456",
            k = "PRIVATE KEY"
        ),
        format!("ä password=\"{value}\" é token=abcdef123456"),
        "password: |\n  hünter2\n  zwei\nuser: ä\n".into(),
    ]
}

#[test]
fn masks_the_same_in_both_forms() {
    for label in [false, true] {
        let redactor = Redactor::new(Options { label, ..Options::default() }).expect("options");
        let mut scanner = redactor.utf16_scanner();
        for text in fixtures() {
            let units: Vec<u16> = text.encode_utf16().collect();
            let step = (units.len() / 50).max(1);
            for cut in (0..=units.len()).step_by(step) {
                let splits_pair = cut > 0 && matches!(units[cut - 1], 0xd800..=0xdbff);
                if !splits_pair {
                    agrees(&redactor, &mut scanner, &units, cut);
                }
            }
        }
    }
}

#[test]
fn leaves_lone_surrogates_where_they_are() {
    let redactor = Redactor::new(Options::default()).expect("options");
    let mut units: Vec<u16> = "x password=hunter2 y".encode_utf16().collect();
    units[0] = 0xdc00;
    let last = units.len() - 1;
    units[last] = 0xd800;
    let found = marks(&mut redactor.utf16_scanner(), &[&units]);
    let places: Vec<(usize, usize)> = found.iter().map(|mark| (mark.start, mark.end)).collect();
    assert_eq!(places, [(11, 18)]);
}

#[test]
fn is_as_new_after_a_text() {
    let redactor = Redactor::new(Options::default()).expect("options");
    let mut scanner = redactor.utf16_scanner();
    let open: Vec<u16> = "ééé password=\"hunter2".encode_utf16().collect();
    let plain: Vec<u16> = "ééé password=hunter2".encode_utf16().collect();
    marks(&mut scanner, &[&open]);
    assert_eq!(marks(&mut scanner, &[&plain]), marks(&mut redactor.utf16_scanner(), &[&plain]));
}

/// More than the units that are looked at together.
const BLOCKS: usize = 3 * 64;

#[test]
fn agrees_with_the_standard_library_at_every_place() {
    for strange in [0x80, 0xe9, 0x7ff, 0x800, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfeff, 0xffff] {
        for at in 0..BLOCKS - 1 {
            for pair in [false, true] {
                let mut units = vec![u16::from(b'a'); BLOCKS];
                units[at] = strange;
                if pair {
                    units[at + 1] = 0xde00;
                }
                let mut bytes = Vec::new();
                append_utf8(&units, &mut bytes);
                let expected = String::from_utf16_lossy(&units);
                assert_eq!(bytes, expected.as_bytes(), "{strange:x} {at}");
            }
        }
    }
}

proptest! {
    #[test]
    fn agrees_on_any_text(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("password=hunter2 ".to_owned()),
                Just("\"secret\": \"é😀abc\"\n".to_owned()),
                Just("😀".to_owned()),
                "[ -~é完\n]{0,80}",
            ],
            0..20,
        ),
        cut in any::<prop::sample::Index>(),
    ) {
        let redactor = Redactor::new(Options::default()).expect("options");
        let units: Vec<u16> = parts.concat().encode_utf16().collect();
        let mut cut = cut.index(units.len() + 1);
        if cut > 0 && matches!(units[cut - 1], 0xd800..=0xdbff) {
            cut -= 1;
        }
        agrees(&redactor, &mut redactor.utf16_scanner(), &units, cut);
    }
}
