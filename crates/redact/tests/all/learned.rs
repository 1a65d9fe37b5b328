//! Values that were masked in one text and are masked in all others.

use crate::support::{redact_with, stream};
use handrail_redact::{MAX_LEARNED_BYTES, MAX_LEARNED_SECRETS, Options, Redactor};

const MASK: &str = "[REDACTED]";

fn redactor() -> Redactor {
    Redactor::new(Options::default()).expect("valid options")
}

/// Looks random, and differs with its number.
fn random(number: usize) -> String {
    format!("Zk3v{number:04}Q9xT7mLp")
}

fn learn(redactor: &Redactor, value: &str) -> bool {
    redactor.learn([value].into_iter())
}

fn is_hidden(redactor: &Redactor, value: &str) -> bool {
    redact_with(redactor, &format!("so {value} is\n")) == format!("so {MASK} is\n")
}

#[test]
fn a_learned_value_is_masked_without_its_name() {
    let (redactor, value) = (redactor(), random(1));
    assert!(!is_hidden(&redactor, &value));
    assert!(learn(&redactor, &value));
    assert!(is_hidden(&redactor, &value));
    let digits =
        |byte: u8| [byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]);
    let hex = String::from_utf8(value.bytes().flat_map(digits).collect()).expect("ASCII");
    assert!(is_hidden(&redactor, &hex), "all forms of a known value");
    assert!(!learn(&redactor, &value), "nothing is new");
    assert_eq!(redactor.generation(), 1);
}

#[test]
fn a_stream_masks_what_was_learned_meanwhile() {
    let (redactor, value) = (redactor(), random(1));
    let mut written: Vec<u8> = Vec::new();
    let mut stream = redactor.stream();
    stream.push(format!("so {}", &value[..8]).as_bytes(), &mut |bytes| written.extend(bytes));
    learn(&redactor, &value);
    stream.push(format!("{}\n", &value[8..]).as_bytes(), &mut |bytes| written.extend(bytes));
    stream.finish(&mut |bytes| written.extend(bytes));
    assert_eq!(written, format!("so {MASK}\n").as_bytes());
}

/// What the rules mask behind a name, and what would garble ordinary texts if it were masked in them.
#[test]
fn what_is_short_or_made_of_words_is_never_learned() {
    for (value, text) in [
        ("hunter2", "the hunter2 branch"),
        ("v1beta1", "apiVersion: apps/v1beta1"),
        ("abc123", "commit 9abc1234"),
        ("production", "NODE_ENV=production"),
        ("production-2024", "the bucket production-2024"),
        ("staging_db_17", "FROM staging_db_17.users"),
        ("Base32SecretKey", "import Base32SecretKey"),
        ("correct horse 7x9q", "correct horse 7x9q"),
        ("/srv/app/v2b7/x9k2", "cd /srv/app/v2b7/x9k2"),
        ("8080", "PORT=8080"),
        ("4915901234567", "order 4915901234567"),
        ("2024-01-05", "on 2024-01-05"),
        ("db-12.internal.example", "ping db-12.internal.example"),
    ] {
        let redactor = redactor();
        assert!(!learn(&redactor, value), "{value}");
        assert_eq!(redact_with(&redactor, text), text);
        // With the guard off: a host that names the value gets a mask there, where it may be named at all.
        let options = Options { min_secret_length: 1, ..Options::default() };
        let named = Redactor::new(options).expect("valid options");
        if named.add_secret("NAMED", value).is_ok() {
            assert_ne!(redact_with(&named, text), text);
        }
    }
    let long = Options { min_secret_length: 40, ..Options::default() };
    assert!(!learn(&Redactor::new(long).expect("valid options"), &random(1)));
}

#[test]
fn the_oldest_are_forgotten() {
    let redactor = redactor();
    let values: Vec<String> = (0..=MAX_LEARNED_SECRETS).map(random).collect();
    redactor.add_secret("KEPT", &values[1]).expect("a value that is taken");
    for value in &values {
        learn(&redactor, value);
    }
    // One of them is named by the host, so one fewer is learned.
    assert!(values.iter().all(|value| is_hidden(&redactor, value)));
    learn(&redactor, &random(9000));
    let shown: Vec<usize> =
        (0..values.len()).filter(|&index| !is_hidden(&redactor, &values[index])).collect();
    assert_eq!(shown, [0]);
    // What is read again together with something new is new itself.
    assert!(redactor.learn([&*values[2], &random(9001)].into_iter()));
    assert!(is_hidden(&redactor, &values[2]));
    assert!(!is_hidden(&redactor, &values[3]));
}

#[test]
fn long_values_leave_room_for_fewer() {
    let redactor = redactor();
    let long = |number: usize| random(number).repeat(MAX_LEARNED_BYTES / 64);
    for number in 0..8 {
        learn(&redactor, &long(number));
    }
    let hidden: Vec<bool> = (0..8).map(|number| is_hidden(&redactor, &long(number))).collect();
    assert_eq!(hidden, [false, false, false, false, true, true, true, true]);
    assert!(!learn(&redactor, &random(9).repeat(MAX_LEARNED_BYTES)));
    assert!(is_hidden(&redactor, &long(7)));
}

/// A text with too many values would else be compiled anew whenever it is read.
#[test]
fn a_text_with_too_many_values_changes_nothing_the_second_time() {
    let redactor = redactor();
    let values: Vec<String> = (0..3 * MAX_LEARNED_SECRETS).map(random).collect();
    for is_new in [true, false] {
        assert_eq!(redactor.learn(values.iter().map(String::as_str)), is_new);
    }
    assert!(is_hidden(&redactor, &values[MAX_LEARNED_SECRETS - 1]));
    assert!(!is_hidden(&redactor, &values[MAX_LEARNED_SECRETS]));
}

#[test]
fn a_value_that_is_named_later_is_kept() {
    let (redactor, value) = (redactor(), random(9000));
    learn(&redactor, &value);
    redactor.add_secret("NAMED", &value).expect("a value that is taken");
    for number in 0..=MAX_LEARNED_SECRETS {
        learn(&redactor, &random(number));
    }
    assert_eq!(stream(&redactor, &[value.as_bytes()]), MASK.as_bytes());
}
