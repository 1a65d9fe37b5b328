//! What a terminal does in the middle of a word: the word comes out whole, for whoever looks for secrets behind the cleaner.

use handrail_text::{Cleaner, sanitize};

/// Long enough for every kind of secret, and none.
const TOKEN: &str = "tok_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";

/// What may be written at a place of a word without changing what is seen of it.
fn interruptions(before: &str, after: &str) -> Vec<(&'static str, String)> {
    let next = &after[..after.len().min(1)];
    vec![
        ("colour", "\x1b[1;32m".into()),
        ("colour in parts", "\x1b[0m\x1b[38;2;1;2;3m\x1b[K".into()),
        ("8-bit colour", "\u{9b}31m".into()),
        ("link", "\x1b]8;;https://example.com\x07".into()),
        ("title", "\x1b]0;title\x1b\\".into()),
        ("device string", "\x1bPq#0\x1b\\".into()),
        ("charset", "\x1b(B".into()),
        ("cursor hidden", "\x1b[?25l".into()),
        ("saved cursor", "\x1b7".into()),
        ("saved cursor and back", "\x1b7xyz\x1b8\x1b[K".into()),
        ("up and down again", "\x1b[2A\x1b[2B".into()),
        ("no effect", "\0\x07\x7f\x0e\x0f".into()),
        (
            "backspace and again",
            if before.len() > 4 {
                format!("\x08{}", &before[before.len() - 1..])
            } else {
                String::new()
            },
        ),
        ("typed wrong", if after.is_empty() { String::new() } else { "x\x08".into() }),
        ("typed wrong and erased", "xyz\x08\x08\x08\x1b[K".into()),
        ("overstrike", format!("{next}\x08")),
        ("rewrite", format!("\rkey: {before}")),
        ("rewrite of an erased line", format!("\x1b[2K\rkey: {before}")),
        ("rewrite of a longer line", format!("{}\x1b[1G\x1b[0Kkey: {before}", "-".repeat(100))),
        ("rewrite from a column", format!("\x1b[6G{before}")),
        ("left and again", format!("\x1b[5D\x1b[5C{}", "")),
        ("inserted", if after.is_empty() { String::new() } else { "\x1b[1@\x1b[1P".into() }),
    ]
}

fn clean_in_pieces(input: &[u8], bytes: usize) -> String {
    let mut text = Vec::new();
    let mut cleaner = Cleaner::new();
    for piece in input.chunks(bytes) {
        cleaner.push(piece, &mut |piece| text.extend_from_slice(piece));
    }
    cleaner.finish(&mut |piece| text.extend_from_slice(piece));
    String::from_utf8(text).expect("valid UTF-8")
}

#[test]
fn a_word_interrupted_at_any_place_comes_out_whole() {
    let expected = format!("key: {TOKEN}\nnext\n");
    for at in 0..=TOKEN.len() {
        let (before, after) = TOKEN.split_at(at);
        for (name, interruption) in interruptions(before, after) {
            for end in ["\n", "\r\n"] {
                let input = format!("key: {before}{interruption}{after}{end}next{end}");
                assert_eq!(sanitize(input.as_bytes()), expected, "{name} at {at}");
                for bytes in [1, 7] {
                    assert_eq!(
                        clean_in_pieces(input.as_bytes(), bytes),
                        expected,
                        "{name} at {at}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_word_with_an_interruption_after_each_character_comes_out_whole() {
    for (name, _) in interruptions("", TOKEN) {
        let mut input = "key: ".to_owned();
        for at in 0..TOKEN.len() {
            let (before, after) = TOKEN.split_at(at);
            let all = interruptions(before, after);
            let interruption =
                all.into_iter().find(|(other, _)| *other == name).map(|(_, text)| text);
            input += &interruption.unwrap_or_default();
            input += &after[..1];
        }
        assert_eq!(sanitize(input.as_bytes()), format!("key: {TOKEN}"), "{name}");
    }
}

/// A terminal that wraps writes nothing of its own. A program that knows the width does: a blank, which comes into the next
/// row, and a carriage return.
#[test]
fn a_word_that_a_line_editor_wraps_comes_out_whole() {
    let line = format!("$ export KEY={TOKEN} OTHER={TOKEN}");
    for columns in 1..line.len() + 2 {
        let rows: Vec<&str> =
            line.as_bytes().chunks(columns).map(|row| std::str::from_utf8(row).unwrap()).collect();
        let input = format!("{}\r\n10 %\r20 %\n", rows.join(" \r"));
        for bytes in [1, 7, input.len()] {
            let mut text = Vec::new();
            let mut cleaner = Cleaner::with_columns(columns);
            for piece in input.as_bytes().chunks(bytes) {
                cleaner.push(piece, &mut |piece| text.extend_from_slice(piece));
            }
            cleaner.finish(&mut |piece| text.extend_from_slice(piece));
            let first = String::from_utf8(text).unwrap();
            assert_eq!(first.lines().next(), Some(line.as_str()), "{columns} columns");
        }
    }
}

#[test]
fn a_carriage_return_goes_to_the_start_of_the_row() {
    let clean = |columns: usize, input: &str| {
        let mut text = Vec::new();
        let mut cleaner = Cleaner::with_columns(columns);
        cleaner.push(input.as_bytes(), &mut |piece| text.extend_from_slice(piece));
        cleaner.finish(&mut |piece| text.extend_from_slice(piece));
        String::from_utf8(text).expect("valid UTF-8")
    };
    assert_eq!(clean(4, "abc\rx"), "xbc");
    assert_eq!(clean(4, "abcd\rx"), "xbcd");
    assert_eq!(clean(4, "abcde\rx"), "abcdx");
    assert_eq!(clean(4, "abcdefgh\rx"), "abcdxfgh");
    assert_eq!(clean(4, "abcdefgh\r\rx\r\ry"), "abcdyfgh");
    assert_eq!(clean(4, "abcdefgh\r\x1b[Kx\ry"), "abcdy");
    assert_eq!(clean(4, "abcdef\x1b[1Gx"), "abcdxf");
    assert_eq!(clean(0, "ab\rx"), "ax");
    assert_eq!(clean(usize::MAX, "abcdef\rx"), "xbcdef");
}

#[test]
fn what_was_written_over_is_gone() {
    let input = format!("password: {TOKEN}\r\x1b[Kpassword: ********\n");
    assert_eq!(sanitize(input.as_bytes()), "password: ********\n");
}
