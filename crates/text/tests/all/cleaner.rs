//! The cleaner as a table: input, expected text. Every case is also run through every single split.

use handrail_text::{
    Cleaner, JUMP_COLUMNS, MAX_LINE_BYTES, SEQUENCE_CAP_BYTES, STRING_CAP_BYTES, sanitize,
};
use proptest::prelude::*;

use crate::soak::soak;

fn clean(pieces: &[&[u8]]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut cleaner = Cleaner::new();
    for piece in pieces {
        cleaner.push(piece, &mut |bytes| text.extend_from_slice(bytes));
    }
    cleaner.finish(&mut |bytes| text.extend_from_slice(bytes));
    text
}

const CASES: &[(&str, &[u8], &str)] = &[
    ("empty", b"", ""),
    ("plain", b"hello\nworld\n", "hello\nworld\n"),
    ("no newline at the end", b"hello", "hello"),
    ("tab stays", b"a\tb\n", "a\tb\n"),
    ("utf-8 stays", "é日本😀\n".as_bytes(), "é日本😀\n"),
    ("latin-1 supplement stays", "«no-break\u{a0}space»\n".as_bytes(), "«no-break\u{a0}space»\n"),
    ("A11 invalid byte", b"a\xffb", "a\u{fffd}b"),
    ("maximal invalid pieces", b"\xe2\x82\xf0\x9f\x98 \xc2\n", "\u{fffd}\u{fffd} \u{fffd}\n"),
    (
        "overlong and surrogates",
        b"\xc0\xaf \xed\xa0\x80",
        "\u{fffd}\u{fffd} \u{fffd}\u{fffd}\u{fffd}",
    ),
    ("character cut by the end", b"ab\xf0\x9f\x98", "ab\u{fffd}"),
    ("lead byte before a control", b"\xc2\x1b[31mred", "\u{fffd}red"),
    (
        "a character is repeated",
        "-\x1b[3b\n\u{e9}\x1b[b|\x1b[0b\n".as_bytes(),
        "----\n\u{e9}\u{e9}||\n",
    ),
    (
        "nothing, a tab and after a move nothing is repeated",
        b"\x1b[3b\t\x1b[2bb\x1b[2b\x1b[C\x1b[9b\n",
        "\tbbb\n",
    ),
    ("colour", b"\x1b[1;31merror\x1b[0m: no\n", "error: no\n"),
    ("colour with colons", b"\x1b[38:2::255:0:0mred\x1b[m\n", "red\n"),
    ("D9 charset designation takes three bytes", b"\x1b(BX", "X"),
    ("D9 nested CSI", b"\x1b[31\x1b[0mX", "X"),
    ("D9 U+009B", "\u{9b}31mX\u{85}Y".as_bytes(), "XY"),
    ("D9 DEL", b"a\x7fb", "ab"),
    ("D9 unterminated OSC", b"\x1b]0;title\nnext\n", "\nnext\n"),
    ("OSC ended by BEL", b"\x1b]0;title\x07text", "text"),
    ("OSC ended by ST", b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
    ("OSC ended by C1 ST", "\u{9d}0;title\u{9c}text".as_bytes(), "text"),
    ("OSC with a character that holds 0x9c", "\u{1b}]0;\u{671c}\u{7}text".as_bytes(), "text"),
    ("OSC cut off by another escape", b"\x1b]0;ti\x1b[31mred", "red"),
    ("DCS, SOS, PM and APC", b"\x1bPq\x1b\\a\x1bXs\x1b\\b\x1b^p\x1b\\c\x1b_a\x1b\\d", "abcd"),
    ("CAN and SUB end a sequence", b"\x1b[3\x18a\x1b]0;\x1ab", "ab"),
    ("two-byte escapes", b"\x1b7\x1b8\x1bc\x1b=ok", "ok"),
    ("newline ends a CSI", b"\x1b[31\nm", "\nm"),
    ("a non-ASCII byte ends a CSI", "\u{1b}[3é".as_bytes(), "é"),
    ("a control inside a CSI takes effect", b"ab\x1b[\r1CX", "aX"),
    ("escape at the end", b"a\x1b", "a"),
    ("CSI at the end", b"a\x1b[3", "a"),
    ("rows of dropped controls", b"a\0\0\0\x7f\x01\nb\0\0\x1b[1mc\0\r\0d\0", "a\ndc"),
    ("other C0", b"a\0\x01\x07\x0b\x0c\x0eb", "ab"),
    ("D9 progress", b"10%\r20%\r100%", "100%"),
    ("CR keeps the rest of a longer line", b"abc\rX", "Xbc"),
    ("CR LF", b"a\r\nb\r\n", "a\nb\n"),
    ("CR CR LF", b"a\r\r\nb", "a\nb"),
    ("CR at the start of a line", b"\n\ra", "\na"),
    ("D9 backspace", b"abc\x08\x08\x08xyz", "xyz"),
    ("overstrike", b"b\x08bo\x08ol\x08ld _\x08u", "bold u"),
    ("backspace stops at the line's start", b"a\n\x08\x08b", "a\nb"),
    ("backspace over a character of several bytes", "日\u{8}x".as_bytes(), "x"),
    ("erase to the end", b"abc\r\x1b[Kx", "x"),
    ("erase to the end from the middle", b"abc\x08\x1b[K", "ab"),
    ("erase to the start", b"abcd\x08\x08\x1b[1K\n", "   d\n"),
    ("erase all, then CR", b"abc\x1b[2K\rx", "x"),
    ("erase all keeps the column", b"abc\x1b[2Kx", "   x"),
    ("erase the rest of the screen", b"abc\r\x1b[Jx", "x"),
    ("erase without a line", b"\x1b[Ka\x1b[K\n", "a\n"),
    ("right", b"a\x1b[3Cb", "a   b"),
    ("left", b"abc\x1b[2Dx", "axc"),
    ("column", b"abc\x1b[2Gx\x1b[5Gy", "axc y"),
    ("erase characters", b"abcd\r\x1b[2Xx", "x cd"),
    ("delete characters", b"abcd\r\x1b[2P", "cd"),
    ("insert characters", b"abcd\r\x1b[2@xy", "xyabcd"),
    ("private and intermediate forms have no effect", b"abc\r\x1b[?K\x1b[2 K\x1b[>2Kx", "xbc"),
    ("lines that were handed on are never changed", b"a\nb\x1b[1;1Hc\x1b[A\n", "a\nc\n"),
    ("a secret behind a colour change is one word", b"pass\x1b[32mword\x1b[0m=x", "password=x"),
];

#[test]
fn table() {
    for (name, input, expected) in CASES {
        assert_eq!(sanitize(input), *expected, "{name}");
    }
}

#[test]
fn every_single_split_gives_the_same() {
    for (name, input, expected) in CASES {
        for cut in 0..=input.len() {
            let (first, second) = input.split_at(cut);
            assert_eq!(clean(&[first, second]), expected.as_bytes(), "{name}, cut at {cut}");
        }
        let bytes: Vec<&[u8]> = input.chunks(1).collect();
        assert_eq!(clean(&bytes), expected.as_bytes(), "{name}, byte by byte");
    }
}

#[test]
fn an_unterminated_string_ends_at_its_cap() {
    for (length, kept) in
        [(STRING_CAP_BYTES, 0), (STRING_CAP_BYTES + 1, 1), (STRING_CAP_BYTES + 7, 7)]
    {
        let mut input = b"\x1b]".to_vec();
        input.resize(2 + length, b'x');
        assert_eq!(sanitize(&input), "x".repeat(kept), "{length}");
    }
}

#[test]
fn an_endless_control_sequence_ends_at_its_cap() {
    for (length, kept) in [(SEQUENCE_CAP_BYTES, 0), (SEQUENCE_CAP_BYTES + 1, 1)] {
        let mut input = b"\x1b[".to_vec();
        input.resize(2 + length, b'1');
        assert_eq!(sanitize(&input), "1".repeat(kept), "{length}");
    }
}

#[test]
fn a_jump_stops_at_its_limit() {
    assert_eq!(sanitize(b"\x1b[999999999Cx").len(), JUMP_COLUMNS + 1);
    assert_eq!(sanitize(b"x\x1b[999999999b").len(), JUMP_COLUMNS);
    assert_eq!(sanitize(b"\x1b[99999999999999999999Gx").len(), JUMP_COLUMNS + 1);
    assert_eq!(sanitize(format!("\x1b[{JUMP_COLUMNS}Cx").as_bytes()).len(), JUMP_COLUMNS + 1);
}

#[test]
fn a_line_stays_open_up_to_its_limit() {
    let mut input = "a".repeat(MAX_LINE_BYTES);
    input.push_str("\rb");
    let text = sanitize(input.as_bytes());
    assert!(text.starts_with('b') && text.len() == MAX_LINE_BYTES);

    let mut input = "a".repeat(MAX_LINE_BYTES + 1);
    input.push_str("\rb");
    let text = sanitize(input.as_bytes());
    assert_eq!(text.find('b'), Some(MAX_LINE_BYTES / 2));
    assert_eq!(text.len(), MAX_LINE_BYTES + 1);
}

#[test]
fn memory_is_bounded_by_the_line_limit() {
    let mut cleaner = Cleaner::new();
    let mut written = 0;
    let piece = vec![b'a'; MAX_LINE_BYTES];
    for _ in 0..64 {
        cleaner.push(&piece, &mut |bytes| written += bytes.len());
    }
    assert!(written >= 63 * MAX_LINE_BYTES);
}

/// Bytes in which escapes, line edits and broken UTF-8 are frequent.
fn terminal_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => "[a-z ]{1,12}".prop_map(String::into_bytes),
        2 => prop::sample::select(vec!["\n", "\r", "\r\n", "\x08", "\t", "\x1b", "\x1b[", "\x1b]0;", "\x07", "\x1b\\",
            "\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[3C", "\x1b[2D", "\x1b[5G", "\x1b[P", "\x1b[2@", "\x1b[2X", "\x1b[31m",
            "\x1b(B", "\x1b[A", "\x1b[2B", "\x1b[H", "\x1b[2J", "\x1b[?47h", "\x1b[?47l", "é", "日", "\u{9b}", "\u{9c}", "\u{9d}", "\u{a9}", "1", ";", "m"])
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..6),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000 * soak(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_gives_the_same(input in terminal_bytes(), cuts in prop::collection::vec(0_usize..400, 0..8)) {
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|&cut| cut <= input.len()).collect();
        cuts.extend([0, input.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &input[pair[0]..pair[1]]).collect();
        prop_assert_eq!(clean(&pieces), sanitize(&input).into_bytes());
    }

    #[test]
    fn output_has_no_controls_and_is_stable(input in terminal_bytes()) {
        let bytes = clean(&[&input]);
        let text = String::from_utf8(bytes).expect("valid UTF-8");
        prop_assert!(text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "{:?}", text);
        prop_assert_eq!(sanitize(text.as_bytes()), text);
    }

    #[test]
    fn text_without_controls_is_only_decoded(input in prop::collection::vec(any::<u8>(), 0..300)) {
        let input: Vec<u8> = input.into_iter().filter(|&byte| byte >= 0x20 && byte != 0x7f).collect();
        let expected: String = String::from_utf8_lossy(&input).chars().filter(|c| !c.is_control()).collect();
        let introducers = ['\u{90}', '\u{98}', '\u{9b}', '\u{9d}', '\u{9e}', '\u{9f}'];
        prop_assume!(!String::from_utf8_lossy(&input).contains(introducers));
        prop_assert_eq!(sanitize(&input), expected);
    }
}

proptest! {
    // The lines are long.
    #![proptest_config(ProptestConfig { cases: 200 * soak(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn long_lines_do_not_depend_on_the_cut(length in MAX_LINE_BYTES - 4..2 * MAX_LINE_BYTES, cut in 0_usize..2 * MAX_LINE_BYTES,
                                           character in prop::sample::select(vec!["a", "é", "日"])) {
        let mut input = character.repeat(length / character.len()).into_bytes();
        input.extend_from_slice(b"\rXYZ\x1b[3Cw\x1b[2Dv");
        input.extend_from_slice(character.repeat(MAX_LINE_BYTES).as_bytes());
        input.extend_from_slice(b"\ru\n");
        let (first, second) = input.split_at(cut.min(input.len()));
        prop_assert_eq!(clean(&[first, second]), clean(&[&input]));
    }
}

#[test]
fn the_text_before_the_cursor_is_what_a_prompt_ends_with() {
    for (raw, before, current) in [
        ("one\nab$ ", "ab$ ", "ab$ "),
        ("long line\r$ ", "$ ", "$ ng line"),
        ("\x1b[1G\x1b[0J> \x1b[3G", "> ", "> "),
        (">\x1b[C", "> ", ">"),
        ("äöü\x1b[2D", "ä", "äöü"),
        ("abc\x1b[2Dx\x1b[P", "ax", "ax"),
        ("", "", ""),
    ] {
        let mut cleaner = Cleaner::new();
        cleaner.push(raw.as_bytes(), &mut |_| {});
        assert_eq!(cleaner.before_cursor(64), before.as_bytes(), "{raw:?}");
        assert_eq!(cleaner.current(), current.as_bytes(), "{raw:?}");
    }
    let mut cleaner = Cleaner::new();
    cleaner.push("xäöü".as_bytes(), &mut |_| {});
    assert_eq!(cleaner.before_cursor(3), "öü".as_bytes());
}

#[test]
fn a_line_that_is_ended_leaves_the_terminal_in_its_row() {
    let mut text = Vec::new();
    let mut keep = |piece: &[u8]| text.extend_from_slice(piece);
    let mut cleaner = Cleaner::with_columns(10);
    cleaner.push(b"$ ", &mut keep);
    cleaner.end_line(&mut keep);
    // Eight characters fill the row; a blank and a carriage return begin the next.
    cleaner.push(b"12345678 \r9\n", &mut keep);
    // A whole row again: the line end began a new one.
    cleaner.push(b"1234567890 \rx\n\x1b]0;open", &mut keep);
    cleaner.end_line(&mut keep);
    cleaner.push(b"text", &mut keep);
    cleaner.finish(&mut keep);
    assert_eq!(String::from_utf8(text).unwrap(), "$ \n123456789\n1234567890x\ntext");
}
