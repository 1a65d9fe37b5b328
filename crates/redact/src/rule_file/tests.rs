//! What the syntax of Go becomes.

use regex_automata::meta;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::Hir;

use super::go_syntax::translate;

/// What is read as rules of files are.
fn parsed(pattern: &str) -> Result<Hir, String> {
    let mut builder = ParserBuilder::new();
    let parser = builder.utf8(false).unicode(false).multi_line(true).crlf(true);
    let translated = translate(pattern).0;
    parser.build().parse(&translated).map_err(|error| format!("{pattern} as {translated}: {error}"))
}

/// A match in a line, as rules of files are searched for.
fn found<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    let hir = parsed(pattern).unwrap_or_else(|error| panic!("{error}"));
    let machine = meta::Builder::new().build_from_hir(&hir).unwrap();
    machine.find(text).map(|found| &text[found.range()])
}

#[test]
fn patterns_of_go_mean_the_same_here() {
    for (pattern, text, expected) in [
        // Perl's classes are of ASCII.
        (r"\w+", "é-a_1é", Some("a_1")),
        (r"\W+", "aé-b", Some("é-")),
        (r"\d+", "٣4", Some("4")),
        (r"[\d.]+", "٣4.2", Some("4.2")),
        (r"\s+", "a\u{a0} \tb", Some(" \t")),
        (r"[^\s]+", " aé ", Some("aé")),
        (r"[\W]+", "aé-b", Some("é-")),
        (r"[\S_]+", " aé_ ", Some("aé_")),
        (r"\bab\b", "éab ", Some("ab")),
        (r"a\Bb", "ab", Some("ab")),
        // Braces that repeat nothing.
        (r"a{2}", "aaa", Some("aa")),
        (r"a{1,}b{0,2}", "aabbb", Some("aabb")),
        (r"^\${(?:[A-Z_]+)}$", "${AB}", Some("${AB}")),
        (r"a{,2}", "a{,2}", Some("a{,2}")),
        (r"{", "{", Some("{")),
        (r"x}y]", "x}y]", Some("x}y]")),
        // Classes.
        (r"[[a]+", "b[a", Some("[a")),
        (r"[]a]+", "b]a", Some("]a")),
        (r"[^]a]+", "]ab", Some("b")),
        (r"[a&&b]+", "&a&b", Some("&a&b")),
        (r"[a~~b]+", "a~b", Some("a~b")),
        (r"[\w-.é-ü]+", " a-.ö ", Some("a-.ö")),
        (r"[\]-a]+", "[^a]\\", Some("^a]")),
        (r"[+--]+", "a+,-.", Some("+,-")),
        (r"[\w-]+", " a-b ", Some("a-b")),
        (r"[a-]+", "-a-", Some("-a-")),
        (r"[\w .-/]+", "a./b", Some("a./b")),
        (r"[[:alpha:]-]+", "1ab-2", Some("ab-")),
        (r"[[:^alpha:]]+", "ab12", Some("12")),
        (r"[\x60'\x{22}]+", "a`'\"", Some("`'\"")),
        (r"[\x2d-\x2f]+", "a-./", Some("-./")),
        (r"[\^\]\\]+", r"a^]\", Some(r"^]\")),
        (r"[\pL]+", "1é2", Some("é")),
        (r"[\p{Greek}a]+", "xαa", Some("αa")),
        // Escapes.
        (r"\<a\>", "<a>", Some("<a>")),
        (r"\a\f\v\x7e\x{7E}", "\x07\x0c\x0b~~", Some("\x07\x0c\x0b~~")),
        (r"\P{Greek}", "αa", Some("a")),
        (r"\PL\pN", "a-1", Some("-1")),
        (r"\-\/\@\#\ \_", "-/@# _", Some("-/@# _")),
        // Groups and flags.
        (r"(?P<first>a)(?<n>b)", "ab", Some("ab")),
        (r"(?i)ab(?-i)c|d", "ABc", Some("ABc")),
        (r"a(?i:b)c", "aBc", Some("aBc")),
        (r"(?is)A.B", "a\nb", Some("a\nb")),
        (r"(?U)a+", "aaa", Some("a")),
        (r"ab+c?", "abbc", Some("abbc")),
        (r"(?i)key", "\u{212a}ey KEY", Some("KEY")),
        (r"(?i)[a-z]+", "\u{17f}S", Some("S")),
        // A line is the text.
        (r"\Aab\z", "ab\n", Some("ab")),
        (r"^ab$", "ab\r\n", Some("ab")),
        (r"ab$", "abc", None),
        (r"a.b", "a\nb", None),
        (r"ab\s", "ab\n", Some("ab\n")),
    ] {
        assert_eq!(found(pattern, text), expected, "{pattern} on {text:?}");
    }
}

#[test]
fn what_is_not_read_is_refused() {
    for pattern in [
        "a(?=b)",
        "(?<!a)b",
        "(a)\\1",
        "\\Z",
        "\\k<a>",
        "[a",
        "a)",
        "(a",
        "*a",
        "[b-a]",
        "\\",
        "[\\",
        "[a-\\",
        "a{3,2}",
        "\\p{Nothing}",
        "(?<n",
        "[\\1]",
        "(?z)a",
        // Of Go alone, and in no file of rules that was seen.
        "\\101",
        "\\Qa.b\\E",
        "\\p{^Greek}",
        "(?P<1st>a)",
        "a{2,1x}",
    ] {
        assert!(parsed(pattern).is_err(), "{pattern}");
    }
}

#[test]
fn a_position_is_one_of_what_was_given() {
    let (translated, origins) = translate(r"\w\b$é(a");
    let at = |part: &str| translated[..translated.find(part).unwrap()].chars().count();
    assert_eq!(origins[at("é")], 5);
    assert_eq!(origins[at("(a")], 6);
    assert_eq!((origins[0], origins.last()), (0, Some(&7)));
}

mod any {
    use proptest::prelude::*;

    use super::super::go_syntax::translate;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn text_is_translated_without_a_panic(
            pieces in prop::collection::vec(prop::sample::select(&[
                "\\", "[", "]", "{", "}", "(", ")", "?", "P<", "<", ">", "-", "^", "$", "a", "é", "1", ",", "Q", "E", "x",
                "p", "0", ":", "alpha", "[:", ":]", "w", "&&", "\u{0}", "\n",
            ][..]), 0..24),
        ) {
            let pattern = pieces.concat();
            let (translated, origins) = translate(&pattern);
            prop_assert_eq!(translated.chars().count(), origins.len());
            prop_assert!(origins.iter().all(|&origin| origin < pattern.chars().count()));
        }
    }
}
