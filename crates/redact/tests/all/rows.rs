//! Secrets that a terminal broke at its right edge.

use std::num::NonZeroU16;

use crate::support::{hex, letters, redact_with, stream};
use handrail_redact::{Options, Redactor, WINDOW_BYTES};

/// Of a secret, fewer bytes than this may be shown.
const SHOWN_BYTES: usize = 4;

fn redactor(columns: Option<u16>) -> Redactor {
    Redactor::new(Options::default())
        .expect("the defaults")
        .with_columns(columns.and_then(NonZeroU16::new))
}

fn redacted(redactor: &Redactor, text: &str) -> String {
    crate::support::redact_with(redactor, text)
}

/// Filler, then `line`, in rows of a terminal; the secret of the line begins in `column`.
fn wrapped(line: &str, secret: &str, columns: usize, column: usize, line_break: &str) -> String {
    let before = line.find(secret).expect("it holds it") % columns;
    let filler = "lorem ".repeat(columns)[..(column + columns - before) % columns].to_owned();
    let text: Vec<u8> = [filler.as_bytes(), line.as_bytes()].concat();
    let rows: Vec<_> =
        text.chunks(columns).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
    format!("started{line_break}{}{line_break}done{line_break}", rows.join(line_break))
}

/// Whether so many bytes of the secret show in a row that another secret would hardly have them.
fn shows(text: &str, secret: &str) -> bool {
    secret
        .as_bytes()
        .windows(SHOWN_BYTES)
        .any(|part| text.as_bytes().windows(SHOWN_BYTES).any(|shown| shown == part))
}

/// A line and the secret in it.
fn lines() -> Vec<(String, String)> {
    let token = format!("ghp_{}", mixed(36));
    let long = format!("sk-ant-api03-{}AA", mixed(93));
    let named = mixed(40);
    let password = mixed(20);
    vec![
        (format!("using postgres://bob:{password}@db.host/x for tests"), password.clone()),
        (format!("open https://guest:{password}@host/"), password.clone()),
        (format!("export GITHUB_TOKEN={token}"), token.clone()),
        (format!("got {token} now"), token.clone()),
        (format!("$ vale deploy --key={long} --verbose"), long.clone()),
        (format!("{{\"id\": 1, \"api_key\": \"{named}\", \"retries\": 3}}"), named.clone()),
        (format!("> Authorization: Bearer {named}"), named.clone()),
        (format!("level=info db_password={named} took=1ms"), named),
    ]
}

/// Letters of both cases and digits, none of them twice in a row; every four of them are rare.
fn mixed(length: usize) -> String {
    let alphabet = "kQ7vB2xR9mT4wZ6hJ3nP8cL5dF";
    (0..length).map(|at| alphabet.as_bytes()[(at * 7 + at / 26) % 26] as char).collect()
}

#[test]
fn a_secret_is_masked_in_every_row_it_has_a_part_of() {
    let unknown = redactor(None);
    for (line, secret) in lines() {
        for columns in [80_usize, 100, 120, 132] {
            let known = redactor(Some(u16::try_from(columns).expect("a width")));
            for line_break in ["\n", "\r\n"] {
                // Four bytes of it on either side, at least.
                let least = columns.saturating_sub(secret.len()) + SHOWN_BYTES;
                for column in least..=columns - SHOWN_BYTES {
                    let text = wrapped(&line, &secret, columns, column, line_break);
                    for redactor in [&known, &unknown] {
                        let masked = redacted(redactor, &text);
                        // The mark of a kind of token is no part of its secret; it is broken here and there.
                        let body = &secret
                            [secret.rfind('_').or(secret.rfind('-')).map_or(0, |at| at + 1)..];
                        assert!(!shows(&masked, body), "{columns} {column}: {text} {masked}");
                        assert_eq!(masked.lines().count(), text.lines().count(), "{masked}");
                    }
                }
            }
        }
    }
}

#[test]
fn any_width_that_is_known_or_shared_by_two_rows() {
    let long = format!("sk-ant-api03-{}AA", mixed(93));
    let line = format!("$ vale deploy --key={long} --verbose");
    for columns in [44, 57, 96, 211] {
        let known = redactor(Some(u16::try_from(columns).expect("a width")));
        let text = wrapped(&line, &long, columns, columns - 10, "\n");
        assert!(!shows(&redacted(&known, &text), &mixed(93)), "{columns}");
        // The row before tells of the width.
        let row = "lorem ".repeat(columns)[..columns].to_owned();
        let told = text.replacen("started", &row, 1);
        assert!(!shows(&redacted(&redactor(None), &told), &mixed(93)), "{columns}");
    }
}

#[test]
fn lines_behind_a_secret_that_happens_to_end_at_the_width() {
    for next in [
        "2026-11-21 10:00:00 started",
        "10:00:00.123 started",
        "INFO started",
        "Started",
        "npm install",
        "level=info msg=started",
        "name: value",
        "12345",
        "192.168.0.1 - - GET",
        "/usr/bin/env node",
        "src/main.rs",
        "  indented4X9k",
        "[4X9kQ2]",
        "",
        // Too long for a row.
        &format!("{} x", mixed(90)),
    ] {
        let secret = mixed(20);
        let line = format!("{}password={secret}", "lorem ".repeat(20)[..51].to_owned());
        assert_eq!(line.len(), 80);
        let text = format!("{line}\n{next}\n");
        let masked = redacted(&redactor(None), &text);
        assert_eq!(masked, format!("{}\n{next}\n", line.replace(&secret, "[REDACTED]")));
    }
}

#[test]
fn lines_that_only_meet_stay() {
    for text in [
        format!("{} the_token\nabcDEF123456789 is a name\n", "x ".repeat(35)),
        format!("{}secret\n=4X9kQ2vB7xR1mT\n", "lorem ".repeat(20)[..74].to_owned()),
        format!("{}the key\nboard4X\n", "lorem ".repeat(20)[..73].to_owned()),
    ] {
        assert_eq!(redacted(&redactor(None), &text), text);
    }
}

/// Texts with rows of all kinds, one after the other.
fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    let lines = lines();
    for (index, (line, secret)) in lines.iter().enumerate() {
        let (other, other_secret) = &lines[(index + 1) % lines.len()];
        let mut text = wrapped(line, secret, 80, 70, "\n");
        text += &wrapped(other, other_secret, 100, 90, "\r\n");
        // Two that share a row, and one that the text ends in.
        text += &wrapped(&format!("{line} {other}"), secret, 80, 60, "\n");
        text += wrapped(line, secret, 80, 70, "\n").trim_end_matches("done\n").trim_end();
        texts.push(text.clone());
        texts.push(text.trim_end_matches(|c: char| c != '\n').to_owned());
    }
    texts
}

#[test]
fn cuts_make_no_difference() {
    for redactor in [redactor(None), redactor(Some(80)), redactor(Some(100))] {
        for text in texts() {
            let whole = redacted(&redactor, &text).into_bytes();
            for at in 0..=text.len() {
                let (one, other) = text.as_bytes().split_at(at);
                assert!(stream(&redactor, &[one, other]) == whole, "{at} of {text}");
            }
            for size in [1, 2, 7, 79, 80, 81, 162] {
                let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
                assert!(stream(&redactor, &pieces) == whole, "{size} {text}");
            }
        }
    }
}

#[test]
fn rows_at_the_border_of_a_window() {
    let (line, secret) = &lines()[0];
    let redactor = redactor(None);
    let rows = wrapped(line, secret, 80, 70, "\n");
    for shift in (0..rows.len() + 4).chain([400]) {
        let before = format!("{}\n", "lorem ipsum dolor sit\n".repeat(WINDOW_BYTES / 22 - 1));
        let filler = "y".repeat((WINDOW_BYTES + 2 - before.len()).saturating_sub(shift + 1));
        let text = format!("{before}{filler}\n{rows}{}", "sit amet\n".repeat(9));
        let masked = redacted(&redactor, &text);
        assert!(!shows(&masked, &mixed(36)), "{shift}");
        for size in [100, 4096, 65_536] {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            assert!(stream(&redactor, &pieces) == masked.as_bytes(), "{shift} {size}");
        }
    }
}

#[test]
fn only_a_row_that_may_go_on_waits() {
    let waits = |text: &str| {
        let mut stream = redactor(None).stream();
        stream.push(text.as_bytes(), &mut |_: &[u8]| ());
        stream.is_holding()
    };
    let full = format!("{}password={}", "lorem ".repeat(20)[..51].to_owned(), mixed(20));
    assert!(waits(&format!("{full}\n")));
    assert!(!waits(&format!("{full}\nINFO\n")));
    assert!(!waits(&format!("{full}x\n")));
    assert!(!waits(&format!("{}\n", full.replace("password=", "platform="))));
    assert!(!waits(
        &format!("{}.\n", &full.replace(&mixed(20), &format!("{} now", mixed(15))))[..=80]
            .to_owned()
            .replace('.', ":")
    ));
}

#[test]
fn rows_without_end_take_bounded_memory_and_linear_time() {
    let row = format!("{}password={}\n", "4X9k".repeat(13)[..51].to_owned(), mixed(20));
    let one_word = format!("token{}\n", mixed(75));
    for row in [row, one_word] {
        let redactor = redactor(None);
        let text = row.repeat(20_000);
        let mut stream = redactor.stream();
        let (mut given, mut rows, mut most) = (Vec::new(), 0, 0);
        for (taken, piece) in (1..).zip(text.as_bytes().chunks(row.len())) {
            stream.push(piece, &mut |bytes: &[u8]| {
                rows += bytes.split(|&byte| byte == b'\n').count() - 1;
                given.extend_from_slice(bytes);
            });
            most = most.max(taken - rows);
        }
        stream.finish(&mut |bytes: &[u8]| given.extend_from_slice(bytes));
        assert!(most * row.len() < 8 << 10, "{most} rows");
        assert!(given == redacted(&redactor, &text).as_bytes());
    }
}

#[test]
fn redacting_twice_shows_no_more() {
    for text in texts() {
        let redactor = redactor(None);
        let once = redacted(&redactor, &text);
        assert_eq!(redacted(&redactor, &once), once);
    }
}

#[test]
fn values_that_are_known_and_tokens_share_a_row() {
    let value = letters(24);
    let options = Options { secrets: vec![("A".to_owned(), value.clone())], ..Options::default() };
    let redactor = Redactor::new(options).expect("one secret");
    let token = format!("ghp_{}", mixed(36));
    let line = format!("{value} and GITHUB_TOKEN={token} {}", hex(8));
    for column in 45..=76 {
        let text = wrapped(&line, &token, 80, column, "\n");
        let masked = redacted(&redactor, &text);
        assert!(!shows(&masked, &token[4..]) && !shows(&masked, &value), "{column} {masked}");
        for size in [1, 3, 80] {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            assert!(stream(&redactor, &pieces) == masked.as_bytes(), "{column} {size}");
        }
    }
}

#[test]
fn a_pause_shows_no_part() {
    let redactor = redactor(None);
    for (line, secret) in lines() {
        let text = wrapped(&line, &secret, 80, 70, "\n");
        let body = &secret[secret.rfind('_').or(secret.rfind('-')).map_or(0, |at| at + 1)..];
        for at in 0..text.len() {
            let (one, other) = text.as_bytes().split_at(at);
            let mut shown = Vec::new();
            let mut sink = |bytes: &[u8]| shown.extend_from_slice(bytes);
            let mut stream = redactor.stream();
            stream.push(one, &mut sink);
            stream.idle(&mut sink);
            stream.push(other, &mut sink);
            stream.finish(&mut sink);
            let shown = String::from_utf8_lossy(&shown);
            assert!(!shows(&shown, body), "{at} of {text}: {shown}");
            assert_eq!(shown.lines().count(), text.lines().count(), "{shown}");
        }
    }
}

/// The line before a row may have been part of something else.
#[test]
fn the_width_of_a_line_behind_a_private_key_counts_at_every_split() {
    let redactor = Redactor::new(Options::default()).expect("the default options");
    let marker = format!("-----BEGIN RSA {} KEY-----", "PRIVATE");
    let before = "not a key at all, ".repeat(5)[..81].to_owned();
    let row = format!("    name=\"?token={}", letters(64));
    let text = format!("{marker}'; x\n{before}\n{row}\n{}\n", letters(64));
    let whole = redact_with(&redactor, &text);
    for cut in 0..=text.len() {
        let (first, second) = text.as_bytes().split_at(cut);
        let shown = stream(&redactor, &[first, second]);
        assert_eq!(String::from_utf8_lossy(&shown), whole, "{cut}");
    }
}
