//! What is required of a pattern, and that looking for it loses no match.

use std::sync::LazyLock;

use proptest::prelude::*;
use regex_syntax::ParserBuilder;

use super::{Budget, Patterns, Syntax, compile::PatternSet, find_in_line, required};
use crate::prefilter::Prefilter;
use crate::span::RuleId;

fn required(pattern: &str) -> Option<Vec<String>> {
    let hir = ParserBuilder::new().utf8(false).build().parse(pattern).unwrap();
    let show = |(text, caseless): (Vec<u8>, bool)| {
        let text = text.escape_ascii().to_string();
        if caseless { format!("(?i){text}") } else { text }
    };
    required::rarest(&hir, &[]).map(|texts| texts.into_iter().map(show).collect())
}

#[test]
fn the_rarest_text_that_every_match_has_is_required() {
    for (pattern, expected) in [
        ("\\bacme_[a-z0-9]{32}\\b", &["acme_"][..]),
        ("[a-z]+-zq7_-[0-9]+", &["-zq7_-"]),
        ("gh[ps]_[A-Za-z0-9]{36}", &["ghp_", "ghs_"]),
        ("(?:foo|b(ar)?az)_x", &["foo_x", "baraz_x", "baz_x"]),
        ("[0-9]+(?:_live|_test)", &["_live", "_test"]),
        ("(?i)zqxw[0-9]", &["(?i)zqxw"]),
        ("(?i)zqkw[0-9]", &["(?i)zqkw", "(?i)zq\\xe2\\x84\\xaaw"]),
        ("(?i-u)zqkw[0-9]", &["(?i)zqkw"]),
        ("(zqx-){2,}[0-9]", &["zqx-"]),
        ("[0-9](zqx-){1,}", &["zqx-"]),
    ] {
        let expected = expected.iter().map(|&text| text.to_owned()).collect();
        assert_eq!(required(pattern), Some(expected), "{pattern}");
    }
    for pattern in [
        "a*",
        "(zqxw)*",
        "[a-z]{32}",
        "zqxw|[a-z]",
        "ab",
        "(a+)+$",
        "\\bé+\\b",
        "a\\nb",
        "(zqxw)?",
        "",
    ] {
        assert_eq!(required(pattern), None, "{pattern}");
    }
}

const PATTERNS: &[&str] = &[
    "\\bzqx-[a-c]{2}",
    "(?i)token[ks]",
    "(?i)key=\\w+",
    "[a-c]+-end$",
    "^(?:zqx|tok)-",
    "a(?:bca|cab)*c",
    "(?:ab|zqx-)+c?",
    "(?i:Zqx)-C",
    "[kK]ey",
    "b?c",
    "tok.*end",
];

const PIECES: &[&str] = &[
    "zqx-", "ZQX-", "tok", "TOKEN", "token", "\u{212a}", "ſ", "k", "S", "key=", "Key", "KEY=",
    "-end", "\n", "\r\n", " ", "a", "b", "c", "bca", "cab", "C", "é",
];

static COMPILED: LazyLock<Vec<PatternSet>> = LazyLock::new(|| {
    let compile = |&pattern: &&str| {
        PatternSet::new(vec![pattern.to_owned()], Syntax::User, &mut Budget::default())
    };
    PATTERNS
        .iter()
        .map(|pattern| compile(pattern).unwrap_or_else(|_| panic!("{pattern}")).0)
        .collect()
});

static TOGETHER: LazyLock<(Patterns, Prefilter)> = LazyLock::new(|| {
    let patterns: Vec<String> = PATTERNS.iter().map(|&pattern| pattern.to_owned()).collect();
    let mut literals = Vec::new();
    let number = |index| u16::try_from(index).unwrap_or(u16::MAX);
    let mut all = Patterns::default();
    all.add_plain(&patterns, RuleId(0), &mut Budget::default(), number, &mut literals).unwrap();
    assert!(!literals.is_empty() && !all.everywhere.is_empty());
    (all, Prefilter::new(literals))
});

fn matches(patterns: &Patterns, literals: &Prefilter, text: &[u8]) -> Vec<(usize, usize)> {
    let mut search = patterns.search(text);
    literals.find(text, |owner, start, _| {
        search.candidate(usize::from(owner), start);
        true
    });
    let mut found: Vec<_> = search
        .finish(text.len(), &mut 0)
        .into_iter()
        .map(|(range, _)| (range.start, range.end))
        .collect();
    found.sort_unstable();
    found
}

fn everywhere(text: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for compiled in COMPILED.iter() {
        let mut start = 0;
        for line in text.split(|&byte| byte == b'\n') {
            let machine = compiled.regex().unwrap();
            find_in_line(machine, line, |hit| found.push((start + hit.start, start + hit.end)));
            start += line.len() + 1;
        }
    }
    found.sort_unstable();
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn looking_for_what_is_required_loses_no_match(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40),
    ) {
        let text = pieces.concat();
        let found = matches(&TOGETHER.0, &TOGETHER.1, text.as_bytes());
        prop_assert_eq!(found, everywhere(text.as_bytes()), "{}", text);
    }
}
