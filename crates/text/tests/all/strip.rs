//! `strip_ansi` takes escape sequences out and leaves every other control where it is.

use handrail_text::strip_ansi;

const CASES: &[(&str, &str)] = &[
    ("", ""),
    ("plain é\n", "plain é\n"),
    ("\u{1b}[31mred\u{1b}[0m", "red"),
    ("\u{1b}(Bx", "x"),
    ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{7}", "link"),
    ("\u{9b}31mX«\u{85}", "X«"),
    ("a\rb\u{8}c\td\u{7}", "a\rb\u{8}c\td\u{7}"),
    ("\u{1b}[\r31mx", "\rx"),
    ("\u{1b}]0;open\nnext", "\nnext"),
    ("end\u{1b}", "end"),
];

#[test]
fn table() {
    for (input, expected) in CASES {
        assert_eq!(strip_ansi(input), *expected, "{input:?}");
    }
}
