//! Vertical moves and the alternate screen as a table: input, expected text. Every case is also run through every single split.

use std::sync::mpsc::channel;
use std::time::Duration;

use handrail_text::{Cleaner, MAX_LINE_BYTES, MAX_REGION_CHARS, MAX_REGION_ROWS, sanitize};
/// A liveness limit: what is linear takes a few seconds on a slow machine, what is quadratic takes hours.
const LONG_ENOUGH: Duration = Duration::from_secs(120);

pub(crate) fn clean(mut cleaner: Cleaner, pieces: &[&[u8]]) -> String {
    let mut text = Vec::new();
    for piece in pieces {
        cleaner.push(piece, &mut |bytes| text.extend_from_slice(bytes));
    }
    cleaner.finish(&mut |bytes| text.extend_from_slice(bytes));
    String::from_utf8(text).expect("valid UTF-8")
}

const CASES: &[(&str, &str, &str)] = &[
    ("up", "a\nb\nc\x1b[AX", "a\nb\n X\nc"),
    ("up, within the region", "\x1b[2Ba\nb\nc\x1b[AX", "\n\na\nbX\nc"),
    ("up and to the start", "\x1b[Ea\nb\nc\x1b[2FX", "\nX\nb\nc"),
    ("down", "a\x1b[Bb", "a\n b"),
    ("down twice", "a\x1b[2Bb", "a\n\n b"),
    ("down and to the start", "a\x1b[Eb\x1b[2Ec", "a\nb\n\nc"),
    ("zero is one", "a\x1b[0Bb\x1b[0Ac", "a c\n b"),
    ("place", "ab\ncd\x1b[HX\x1b[2;3HY", "ab\nXd\n  Y"),
    ("place without a column", "\x1b[2HX", "\nX"),
    ("place, the other form", "ab\x1b[1;2fX", "aX"),
    ("row", "ab\x1b[3dX\x1b[dY", "ab Y\n\n  X"),
    ("erase below", "\x1b[Ha\nbcd\ne\x1b[2;2H\x1b[J", "a\nb"),
    ("erase above", "\x1b[Ha\nbcd\ne\x1b[2;2H\x1b[1J", "\n  d\ne"),
    ("erase all, the cursor stays", "\x1b[Ha\nbc\x1b[2Jd", "\n  d"),
    ("erase all and what scrolled off", "\x1b[Ha\nbc\x1b[3Jd", "\n  d"),
    ("erasing all begins a region", "a\nb\x1b[2J\x1b[Hc", "a\nc"),
    ("other erasing", "\x1b[Ha\nb\x1b[4Jc", "a\nbc"),
    ("erase the rest without a region", "ab\nab\r\x1b[Jc\nd", "ab\nc\nd"),
    ("erase up to the cursor without a region", "ab\nabc\x1b[2D\x1b[1J\n", "ab\n  c\n"),
    ("insert rows", "\x1b[Ha\nb\nc\x1b[2H\x1b[2LX", "a\nX\n\nb\nc"),
    ("insert rows as the first move", "a\nb\x1b[LX", "a\nX\nb"),
    ("delete rows", "\x1b[Ha\nb\nc\nd\x1b[2H\x1b[2MX", "a\nX"),
    ("delete rows, what is below moves up", "\x1b[Ha\nb\nc\x1b[2H\x1b[M", "a\nc"),
    ("delete more rows than there are", "\x1b[Ha\nb\x1b[9MX", "a\nX"),
    ("saved place", "a\x1b7b\nc\x1b8X\nY", "aX\nY"),
    ("saved place, the other form", "a\x1b[sb\nc\x1b[uX\nY", "aX\nY"),
    ("nothing saved", "a\nb\x1b8c\x1b[ud\x1b[A\x1b8e", "a\n   e\nbcd"),
    ("no saved place", "ab\x1b[1;2sc\x1b[1ud\x1b#8", "abcd"),
    (
        "alternate screen",
        "one\n\x1b[?1049hfull\nscreen\x1b[?1049ltwo\n",
        "one\nfull\nscreen\ntwo\n",
    ),
    (
        "alternate screen, frames",
        "one\n\x1b[?1047h\x1b[Ha\nb\x1b[H\x1b[Jc\n\x1b[?1047ltwo",
        "one\nc\ntwo",
    ),
    ("alternate screen, old form", "\x1b[?47ha\x1b[Hb\x1b[?47lc", "b\nc"),
    ("alternate screen behind a line", "$ less\x1b[?1049hx\x1b[?1049l$ ", "$ less\nx\n$ "),
    ("alternate screen within a list of modes", "\x1b[?25;1049ha\x1b[Hb\x1b[?1049;25lc", "b\nc"),
    ("alternate screen with nothing", "a\n\x1b[?1049h\x1b[2J\x1b[H\x1b[?1049lb", "a\nb"),
    (
        "up stops at the top of the alternate screen",
        "a\n\x1b[?1049hb\x1b[9Ac\x1b[?1049l",
        "a\nbc\n",
    ),
    ("entered twice", "\x1b[?1049ha\x1b[?1049hb\x1b[?1049lc", "a\nb\nc"),
    ("left without having been entered", "a\x1b[?1049lb\nc", "ab\nc"),
    (
        "after the alternate screen lines are final",
        "\x1b[?1049ha\x1b[?1049lb\nc\x1b[2JX",
        "a\nb\n X",
    ),
    ("never left", "a\n\x1b[?1049hb\x1b[Hc\nd", "a\nc\nd"),
    ("a region before the alternate screen", "\x1b[Ha\x1b[Hb\x1b[?1049hc\x1b[?1049ld", "b\nc\nd"),
    ("other modes", "a\nb\x1b[?25l\x1b[?104h\x1b[1049h\x1b[?1049 h\x1b[>1049hc", "a\nbc"),
    ("private forms", "a\nb\x1b[?A\x1b[>2J\x1b[2 H\x1b[?2J\x1b[<uc", "a\nbc"),
    ("a newline moves down and keeps the row", "\x1b[Habc\ndef\x1b[HX\nY", "Xbc\nYef"),
    ("in a row as ever", "\x1b[Habc\rX\x1b[K\tY\x08Z\x1b[2C!", "X\tZ  !"),
    ("CR LF", "a\r\nb\r\n\x1b[2AX\r\nY\r\n", "a\nb\nX\nY\n"),
    ("no empty rows at the end", "a\n\x1b[Hb\n\n\n\x1b[41;1H\r\n\x1b[K", "a\nb\n"),
    ("nothing but moves", "\x1b[H\x1b[2J\x1b[9B\n", ""),
    (
        "a spinner and its end",
        "- wait\n\x1b[A\x1b[2K\\ wait\n\x1b[A\x1b[2K| wait\n\x1b[A\x1b[2K",
        "- wait\n",
    ),
    (
        "repainting",
        "[0]\n a 0\n b 0\n\x1b[3A\x1b[2K[1]\n\x1b[2K a 1\n\x1b[2K b 1\n\x1b[3A\x1b[2K[2]\n\x1b[2K a 2\n\x1b[2K b 2\ndone\n",
        "[0]\n a 0\n b 0\n[2]\n a 2\n b 2\ndone\n",
    ),
    (
        "repainting in the last row",
        "a 0\nb 0\x1b[A\r\x1b[Ka 1\n\x1b[Kb 1\x1b[A\r\x1b[Ka 2\n\x1b[Kb 2\n",
        "a 0\na 2\nb 2\n",
    ),
    (
        "single rows, each where it was",
        "a: -\nb: -\nc: -\n\x1b[A\r\x1b[2Kc: 1\x1b[B\r\x1b[3A\r\x1b[2Ka: 1\x1b[3B\r\x1b[A\r\x1b[2Kc: 2\x1b[B\rend\n",
        "a: -\nb: -\nc: -\na: 1\nc: 2\nend\n",
    ),
    (
        "frames of a whole screen",
        "\x1b[H\x1b[2Jtop 1\x1b[K\r\nx 1\x1b[K\r\ny 1\x1b[K\r\n\x1b[J\x1b[Htop 2\x1b[K\r\nz\x1b[K\r\n\x1b[J\x1b[41;1H\r\n",
        "top 2\nz\n",
    ),
    (
        "characters of several bytes",
        "\x1b[Hé日😀\nx\x1b[1;2Hü\x1b[1d😀\x1b[2;3H日\u{9b}1;1Hß",
        "ßü😀\nx 日",
    ),
];

#[test]
fn table() {
    for (name, input, expected) in CASES {
        assert_eq!(sanitize(input.as_bytes()), *expected, "{name}");
    }
}

#[test]
fn every_single_split_gives_the_same() {
    for (name, input, expected) in CASES {
        let input = input.as_bytes();
        for cut in 0..=input.len() {
            let (first, second) = input.split_at(cut);
            assert_eq!(clean(Cleaner::new(), &[first, second]), *expected, "{name}, cut at {cut}");
        }
        let bytes: Vec<&[u8]> = input.chunks(1).collect();
        assert_eq!(clean(Cleaner::new(), &bytes), *expected, "{name}, byte by byte");
    }
}

#[test]
fn with_columns_nothing_moves_between_lines() {
    let input = "a\nb\x1b[A1\x1b[2B2\x1b[E3\x1b[F4\x1b[1;1H5\x1b[1;1f6\x1b[1d7\x1b[1J\x1b[2J\x1b[3J8\x1b[L\x1b[M9\
        \x1b7\x1b8\x1b[s\x1b[u\x1b[?1049h0\x1b[?1049l\nend\r\x1b[J";
    for columns in [80, usize::MAX] {
        let text = clean(Cleaner::with_columns(columns), &[input.as_bytes()]);
        assert_eq!(text, "a\nb1234567890\n");
    }
}

#[test]
fn moves_beyond_the_borders_stop_there() {
    let bottom = "\n".repeat(MAX_REGION_ROWS - 1);
    for down in
        ["\x1b[999999999B", "\x1b[60B\x1b[B", "\x1b[999E", "\x1b[999H", "\x1b[61;1f", "\x1b[999d"]
    {
        assert_eq!(sanitize(format!("a\x1b[s{down}\rb\x1b[uc").as_bytes()), format!("ac{bottom}b"));
    }
    for up in ["\x1b[99999999999A", "\x1b[F\x1b[2F"] {
        let text = sanitize(format!("a\n\x1b[2;1Hb{up}\rc").as_bytes());
        assert_eq!(text, "a\nc\nb");
    }
}

#[test]
fn the_oldest_row_beyond_the_limit_is_final() {
    let rows =
        (0..MAX_REGION_ROWS + 5).map(|row| format!("row {row}\n")).collect::<Vec<_>>().concat();
    let input = format!("first\n\x1b[H{rows}\x1b[99A!\n");
    let mut cleaner = Cleaner::new();
    let mut text = Vec::new();
    cleaner.push(input.as_bytes(), &mut |bytes| text.extend_from_slice(bytes));
    // The empty row of the cursor counts.
    assert_eq!(String::from_utf8_lossy(&text), "first\nrow 0\nrow 1\nrow 2\nrow 3\nrow 4\nrow 5\n");
    cleaner.finish(&mut |bytes| text.extend_from_slice(bytes));
    let expected = format!("first\n{rows}").replace("row 6\n", "!ow 6\n");
    assert_eq!(String::from_utf8_lossy(&text), expected);
}

#[test]
fn what_is_asked_of_a_region_has_an_answer() {
    let mut text = Vec::new();
    let mut keep = |bytes: &[u8]| text.extend_from_slice(bytes);
    let mut cleaner = Cleaner::new();
    cleaner.push(b"one\ntwo", &mut keep);
    assert_eq!(cleaner.unfinished(), b"two");
    cleaner.push(b"\x1b[Hthree\nfour\x1b[1;3H", &mut keep);
    assert!(cleaner.is_holding() && !cleaner.is_inside());
    assert_eq!(cleaner.unfinished(), b"");
    assert_eq!(cleaner.current(), b"three");
    assert_eq!(cleaner.before_cursor(9), b"th");
    cleaner.end_line(&mut keep);
    assert!(!cleaner.is_holding());
    cleaner.push(b"five", &mut keep);
    assert_eq!(cleaner.unfinished(), b"five");
    cleaner.push(b"\x1b[H", &mut keep);
    cleaner.finish(&mut keep);
    assert!(!cleaner.is_holding());
    cleaner.push(b"six\n", &mut keep);
    assert_eq!(String::from_utf8(text).unwrap(), "one\nthree\nfour\nfivesix\n");
}

#[test]
fn a_row_that_is_too_long_makes_what_is_above_final() {
    let long = "é".repeat(MAX_LINE_BYTES + 1);
    let text = sanitize(format!("\x1b[Ha\nb\n{long}\x1b[9AX\nc").as_bytes());
    assert!(text.starts_with("a\nb\néé") && text.ends_with("éX\nc"));
    assert_eq!(text.chars().filter(|&character| character == 'é').count(), MAX_LINE_BYTES + 1);
}

#[test]
fn too_many_characters_are_final() {
    let row = format!("{}\n", "x".repeat(MAX_LINE_BYTES - 1));
    let mut held = 0;
    let mut cleaner = Cleaner::new();
    cleaner.push(b"\x1b[H", &mut |_| {});
    for _ in 0..2 * MAX_REGION_ROWS {
        held += row.len();
        cleaner.push(row.as_bytes(), &mut |bytes| held -= bytes.len());
        assert!(held <= MAX_REGION_CHARS + MAX_LINE_BYTES);
    }
    cleaner.finish(&mut |bytes| held -= bytes.len());
    assert_eq!(held, 0);
}

/// Each is some text and what is repeated behind it.
#[test]
#[expect(clippy::disallowed_methods, reason = "what hangs has to be told")]
fn hostile_repeats_come_to_an_end() {
    let long = "é".repeat(MAX_LINE_BYTES / 2 - 1);
    let rows = format!("{}\n", "é".repeat(MAX_REGION_CHARS / MAX_REGION_ROWS - 1)).repeat(59);
    let (sender, ended) = channel();
    let repeats = [
        (long.clone(), "\x1b[A"),
        (long.clone(), "\x1b[Aü\x1b[B\rü"),
        (long, "\x1b7\x1b[A\x1b8"),
        (format!("\x1b[H{rows}"), "\x1b[A\x1b[B"),
        (format!("\x1b[H{rows}"), "x\x1b[H\x1b[2Lx\x1b[2M\x1b[99B"),
        (String::new(), "\x1b[99A\n"),
        (String::new(), "\x1b[99B\x1b[2J"),
        (String::new(), "\x1b[99;512Hx\n"),
        (String::new(), "\x1b[?1049h\x1b[99B"),
    ];
    std::thread::spawn(move || {
        for (text, repeated) in repeats {
            let text = text + &repeated.repeat(1_000_000 / repeated.len());
            sender.send(sanitize(text.as_bytes()).len()).unwrap();
        }
    });
    for number in 0..9 {
        ended.recv_timeout(LONG_ENOUGH).unwrap_or_else(|_| panic!("the one with number {number}"));
    }
}

#[test]
fn a_line_that_ends_within_a_character_is_unfinished_text_up_to_it() {
    let mut cleaner = Cleaner::with_columns(80);
    cleaner.push(b"caf\xc3", &mut |_| {});
    assert_eq!(cleaner.unfinished(), b"caf");
    assert!(cleaner.is_inside());
    cleaner.push(b"\xa9\xe2\x82", &mut |_| {});
    assert_eq!(cleaner.unfinished(), "caf\u{e9}".as_bytes());
    // A sequence may still edit the line.
    cleaner.push(b"\xac\x1b[", &mut |_| {});
    assert_eq!(cleaner.unfinished(), b"");
}
