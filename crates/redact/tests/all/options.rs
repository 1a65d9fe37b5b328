//! Known values, substrings, patterns, rule selection, labels and errors.

use crate::support::{letters, redact_with, stream};
use handrail_redact::{
    ErrorKind, MAX_LITERAL_BYTES, MAX_PATTERN_BYTES, MAX_PATTERNS, Options, Redactor, Rules,
    WINDOW_BYTES,
};

fn only(options: Options) -> Redactor {
    Redactor::new(Options { rules: Rules::None, ..options }).expect("valid options")
}

fn known(value: &str) -> Redactor {
    only(Options { secrets: vec![("NAME".to_owned(), value.to_owned())], ..Options::default() })
}

fn substrings(values: &[&str]) -> Redactor {
    only(Options {
        substrings: values.iter().map(|&value| value.to_owned()).collect(),
        ..Options::default()
    })
}

fn patterns(values: &[&str]) -> Result<Redactor, handrail_redact::Error> {
    let patterns = values.iter().map(|&value| value.to_owned()).collect();
    Redactor::new(Options { patterns, rules: Rules::None, ..Options::default() })
}

#[test]
fn a_known_value_longer_than_a_literal_is_masked_whole() {
    for length in [MAX_LITERAL_BYTES, MAX_LITERAL_BYTES + 1, 5 * MAX_LITERAL_BYTES + 7] {
        let value = letters(length);
        assert_eq!(redact_with(&known(&value), &format!("({value})")), "([REDACTED])", "{length}");
    }
}

#[test]
fn overlapping_values_are_united() {
    let redactor = only(Options {
        secrets: vec![
            ("A".to_owned(), "hunter".to_owned()),
            ("B".to_owned(), "hunter2-long".to_owned()),
        ],
        substrings: vec!["abab".to_owned(), "abc".to_owned(), "long-tail".to_owned()],
        ..Options::default()
    });
    assert_eq!(redact_with(&redactor, "x hunter2-long y"), "x [REDACTED] y");
    assert_eq!(redact_with(&redactor, "x hunter2-long-tail y"), "x [REDACTED] y");
    assert_eq!(redact_with(&redactor, "ababc"), "[REDACTED]");
    assert_eq!(stream(&redactor, &[b"abab", b"c hunter2-lo", b"ng"]), b"[REDACTED] [REDACTED]");
}

#[test]
fn short_and_common_values_are_refused_by_name() {
    for (value, min, accepted) in [
        ("abcdef", 6, true),
        ("abcde", 6, false),
        ("abcde", 5, true),
        ("Password", 1, false),
        ("", 0, false),
        ("localhost", 6, false),
    ] {
        let options = Options {
            secrets: vec![("MY_NAME".to_owned(), value.to_owned())],
            min_secret_length: min,
            ..Options::default()
        };
        let result = Redactor::new(options);
        assert_eq!(result.is_ok(), accepted, "{value}");
        if let Err(error) = result {
            assert_eq!(error.code(), "ERR_INVALID_ARGUMENT");
            let shown = format!("{error} {error:?}");
            assert!(
                shown.contains("MY_NAME") && (value.is_empty() || !shown.contains(value)),
                "{shown}"
            );
        }
    }
}

#[test]
fn substrings_are_literal_and_case_sensitive() {
    let redactor = substrings(&["a.c", "Z"]);
    assert_eq!(redact_with(&redactor, "a.c abc A.C zZz"), "[REDACTED] abc A.C z[REDACTED]z");
    assert_eq!(redact_with(&redactor, "ZZZ"), "[REDACTED]");
    let long = "x".repeat(MAX_LITERAL_BYTES);
    assert_eq!(redact_with(&substrings(&[&long]), &long), "[REDACTED]");
    for (value, reason) in
        [("", "empty"), ("a\nb", "line break"), (&format!("{long}x"), "too long")]
    {
        let error = Redactor::new(Options {
            substrings: vec!["ok".to_owned(), value.to_owned()],
            ..Options::default()
        })
        .unwrap_err();
        assert_eq!(error.code(), "ERR_INVALID_ARGUMENT");
        assert!(
            error.to_string().contains("substrings[1]") && error.to_string().contains(reason),
            "{error}"
        );
    }
}

#[test]
fn patterns_match_within_a_line() {
    let redactor = patterns(&["[a-z]{3,5}-\\d+", "^top$", "(?i)QUX", "\\bé+\\b"]).unwrap();
    assert_eq!(
        redact_with(&redactor, "x abc-12 y\ntop\n top\nqUx éé\n"),
        "x [REDACTED] y\n[REDACTED]\n top\n[REDACTED] [REDACTED]\n"
    );
    assert_eq!(redact_with(&patterns(&["a[^x]*b"]).unwrap(), "a\nb a-b"), "a\nb [REDACTED]");
}

#[test]
fn an_empty_match_masks_nothing() {
    assert_eq!(
        redact_with(&patterns(&["x*", "", "\\b"]).unwrap(), "a xx é\n\nb"),
        "a [REDACTED] é\n\nb"
    );
}

#[test]
fn bad_patterns_say_which_and_where() {
    for (pattern, position, reason) in [
        ("a(b", Some(1), "unclosed group"),
        ("a[b", Some(1), "unclosed character class"),
        ("(?=x)y", Some(0), "look-around"),
        ("(a)\\1", Some(3), "backreferences"),
        ("*a", Some(0), "missing expression"),
    ] {
        let error = patterns(&["fine", pattern]).unwrap_err();
        assert_eq!(error.code(), "ERR_INVALID_PATTERN");
        let ErrorKind::PatternSyntax { index, position: found, reason: told } = error.kind() else {
            panic!("{error}");
        };
        assert_eq!((*index, *found), (1, position), "{error}");
        assert!(told.contains(reason), "{error}");
    }
}

#[test]
fn patterns_have_limits() {
    assert!(patterns(&[&"a".repeat(MAX_PATTERN_BYTES)]).is_ok());
    let many = vec!["a"; MAX_PATTERNS + 1];
    assert!(patterns(&many[1..]).is_ok());
    for refused in [
        patterns(&[&"a".repeat(MAX_PATTERN_BYTES + 1)]),
        patterns(&["(?:x{1000}){1000}"]),
        patterns(&many),
        patterns(&[&"(".repeat(500)]),
    ] {
        assert_eq!(refused.unwrap_err().code(), "ERR_INVALID_PATTERN");
    }
}

#[test]
fn rules_can_be_chosen() {
    let some = Redactor::new(Options {
        rules: Rules::Only(vec!["token".to_owned()]),
        ..Options::default()
    })
    .unwrap();
    assert_eq!(
        redact_with(&some, "password=hunter2 token=abc1"),
        "password=hunter2 token=[REDACTED]"
    );
    let none = only(Options::default());
    assert!(none.is_passthrough());
    assert_eq!(none.redact(b"password=hunter2"), None);
    assert_eq!(stream(&none, &[b"pass", b"word=x"]), b"password=x");
    let error = Redactor::new(Options {
        rules: Rules::Only(vec!["nothing".to_owned()]),
        ..Options::default()
    })
    .unwrap_err();
    assert_eq!(
        (error.code(), error.to_string().contains("nothing")),
        ("ERR_INVALID_ARGUMENT", true)
    );
}

#[test]
fn labels_name_the_rule() {
    let redactor = Redactor::new(Options {
        label: true,
        secrets: vec![("X".to_owned(), "hunter2hunter2".to_owned())],
        substrings: vec!["marker".to_owned()],
        patterns: vec!["n-\\d+".to_owned()],
        ..Options::default()
    })
    .unwrap();
    let text = "password=abcd hunter2hunter2 marker n-12 api_key: a7Kq2Zx9Lm4Wt6Rb \"token\": \"a7Kq2Zx9Lm4Wt6Rb\"";
    let expected = "password=[REDACTED:password] [REDACTED:known-value] [REDACTED:substring] [REDACTED:pattern] api_key: [REDACTED:api-key] \"token\": \"[REDACTED:token]\"";
    assert_eq!(redact_with(&redactor, text), expected);
    assert_eq!(redact_with(&redactor, expected), expected);
    // As views of files have them.
    let numbered =
        expected.replace(']', ":12]").replace("[REDACTED:pattern:12]", "[REDACTED:n-1:12]");
    assert_eq!(redact_with(&redactor, &numbered), numbered);
}

#[test]
fn a_stream_counts_each_rule_and_keeps_its_counts() {
    let options = Options { substrings: vec!["NEEDLE".to_owned()], ..Options::default() };
    let redactor = Redactor::new(options).unwrap();
    let mut stream = redactor.stream();
    assert_eq!(stream.counts().count(), 0);
    let mut text = Vec::new();
    for piece in ["token=abc1\npassword=hun", "ter2\n", "NEEDLE password=hunter3 NEEDLE\n"] {
        stream.push(piece.as_bytes(), &mut |bytes| text.extend_from_slice(bytes));
    }
    // A value that never ends is one finding, however many windows it fills.
    stream.push(b"password='", &mut |_| {});
    for _ in 0..3 {
        stream.push("x".repeat(WINDOW_BYTES).as_bytes(), &mut |_| {});
    }
    stream.finish(&mut |_| {});
    let mut counts: Vec<_> =
        stream.counts().map(|(rule, count)| (redactor.rule_name(rule), count)).collect();
    counts.sort_unstable();
    assert_eq!(counts, [("password", 3), ("substring", 2), ("token", 1)]);
    assert_eq!(stream.findings(), 6);
    // As new, but for the counts.
    stream.push(b"token=abc1\n", &mut |_| {});
    assert_eq!(stream.findings(), 7);
    assert_eq!(stream.counts().map(|(_, count)| count).sum::<u64>(), 7);
}

#[test]
fn nothing_shows_a_value() {
    let value = letters(24);
    let options = Options {
        secrets: vec![("A".to_owned(), value.clone())],
        substrings: vec![value.clone()],
        patterns: vec![value.clone()],
        ..Options::default()
    };
    let redactor = Redactor::new(options.clone()).unwrap();
    let mut stream = redactor.stream();
    stream.push(value.as_bytes(), &mut |_| {});
    let shown =
        format!("{options:?} {redactor:?} {stream:?} {:?}", redactor.scan(value.as_bytes()));
    assert!(!shown.contains(&value), "{shown}");
    for bad in [
        Options { patterns: vec![format!("({value}")], ..Options::default() },
        Options {
            secrets: vec![("A".to_owned(), value.clone())],
            min_secret_length: 99,
            ..Options::default()
        },
        Options { substrings: vec![format!("{value}\n")], ..Options::default() },
    ] {
        let error = Redactor::new(bad).unwrap_err();
        assert!(!format!("{error} {error:?}").contains(&value));
    }
}
