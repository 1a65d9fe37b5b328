//! Rule files that cannot be used, that say more than means something here, and that are made to do harm.

use std::ops::Range;

use crate::support::redact_with;
use crate::support::rule_files::{SECRET, file, options, rule, with};
use handrail_redact::{
    Error, ErrorKind, MAX_FILE_RULES, MAX_RULE_FILE_BYTES, Options, Redactor, RuleFile,
};

fn refused(toml: &str) -> Error {
    match Redactor::new(options(toml)) {
        Ok(_) => panic!("accepted: {}", &toml[..toml.len().min(200)]),
        Err(error) => error,
    }
}

fn notes(toml: &str) -> Vec<String> {
    with(toml).rule_notes().to_vec()
}

/// A piece for each number, one behind the other.
fn numbered(numbers: Range<usize>, piece: impl Fn(usize) -> String) -> String {
    numbers.map(piece).collect::<Vec<_>>().concat()
}

#[test]
fn what_means_nothing_for_a_text_is_noted() {
    for (toml, expected) in [
        (
            rule("path = '\\.pem$'"),
            &["team.toml:1: the rule `acme-key` looks at paths alone: it finds nothing in a text"]
                [..],
        ),
        (
            rule("path = '\\.pem$'\nregex = 'a'"),
            &["team.toml:1: a text has no path: the rule `acme-key` applies to every text"],
        ),
        (
            rule("skipReport = true\nregex = 'a'"),
            &["team.toml:1: the rule `acme-key` has skipReport: it finds nothing by itself"],
        ),
        (
            rule("regex = 'a'\n[[rules.required]]\nid = 'b'"),
            &["team.toml:1: the rule `acme-key` applies without the rules it requires"],
        ),
        (
            rule("regex = 'a\\nb'"),
            &[
                "team.toml:1: the rule `acme-key` needs more than one line, and lines are searched one by one: it finds nothing",
            ],
        ),
        (rule("regex = 'a(\\n|$)'"), &[]),
        (
            rule("regex = 'a'\ntyop = 1\nTAGS = ['x']"),
            &["team.toml:4: the key `tyop` is not known and does nothing"],
        ),
        (
            format!("mood = 'good'\n{}", rule("regex = 'a'")),
            &["team.toml:1: the key `mood` is not known and does nothing"],
        ),
        (
            format!("{}[[allowlists]]\ntargetRules = ['zz']\nregexes = ['a']", rule("regex = 'a'")),
            &["team.toml:5: the file has no rule `zz` for this allowlist"],
        ),
        (
            rule("regex = 'a'\n[[rules.allowlists]]\nregexes = ['']\nstopwords = ['b',\n '']"),
            &[
                "team.toml:5: an empty regex would let everything through and is left out",
                "team.toml:7: an empty stopword would let everything through and is left out",
            ],
        ),
        (
            rule("regex = 'a'\n[[rules.allowlists]]\nregexes = ['b', 'b*']"),
            &[
                "team.toml:5: this regex matches an empty text as well: it may let everything through",
            ],
        ),
        (
            rule(
                "regex = 'a'\n[rules.allowlist]\nregexTarget = 'line'\nregexes = ['^\\s*(#.*)?$', '^#?']",
            ),
            &[
                "team.toml:6: this regex matches an empty text as well: it may let everything through",
            ],
        ),
        (
            "[extend]\ndisabledRules = ['password', 'no-such-rule']".to_owned()
                + "\n"
                + &rule("regex = 'a'"),
            &["team.toml:2: disabledRules does nothing without useDefault = true"],
        ),
        (
            format!(
                "title = 't'\ndescription = 'd'\nminVersion = 'v8.25.0'\n{}",
                rule("REGEX = 'a'\ndescription = 'x'\ntags = ['y']")
            ),
            &[],
        ),
    ] {
        assert_eq!(notes(&toml), expected, "{toml}");
    }
    // A rule without a regex changes one of gitleaks' own, where there are such.
    let toml = format!("[extend]\nuseDefault = true\n{}", rule("entropy = 4"));
    assert_eq!(
        notes(&toml),
        ["team.toml:3: the rule `acme-key` has no regex and changes nothing here"]
    );
    let many: String = numbered(0..150, |index| format!("key{index} = 1\n"));
    let notes = notes(&format!("{many}{}", rule("regex = 'a'")));
    assert_eq!((notes.len(), notes[100].as_str()), (101, "team.toml: 50 more like these"));
}

#[test]
fn an_id_shows_what_it_is() {
    for hidden in ["\\u202E", "\\u200B", "\\uFEFF", "\\u2066", "\\u001B", "\\u2028"] {
        let error = refused(&format!("[[rules]]\nid = \"a{hidden}b\"\nregex = 'a'"));
        assert_eq!(
            error.to_string(),
            "team.toml:2: an id of at most 200 bytes without control and format characters is expected here"
        );
    }
    for id in ["Größe 1", "it's \\\"so\\\"", "e\u{301}", "日本"] {
        with(&format!("[[rules]]\nid = \"{id}\"\nregex = 'a'"));
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_cannot_be_used_is_an_error_with_its_place() {
    for (toml, expected) in [
        (String::new(), "team.toml:1: it has no [[rules]]"),
        (
            "title = 'x'\n[[rule]]\nid = 'a'\nregex = 'a'".to_owned(),
            "team.toml:1: it has no [[rules]]",
        ),
        ("[[rules]]\nregex = 'a'".to_owned(), "team.toml:1: a rule has no id"),
        ("\n[[rules]]\nid = ' '\nregex = 'a'".to_owned(), "team.toml:2: a rule has no id"),
        (
            "[[rules]]\nid = \"a\\u0000\"\nregex = 'a'".to_owned(),
            "team.toml:2: an id of at most 200 bytes without control and format characters is expected here",
        ),
        (rule(""), "team.toml:1: rule `acme-key`: it has neither a regex nor a path"),
        (rule("regex = 7"), "team.toml:3: rule `acme-key`: a string is expected here"),
        (
            rule("regex = 'é('"),
            "team.toml:3: rule `acme-key`: the regex is invalid at character 1: unclosed group",
        ),
        (
            rule("regex = '\\w[b-a]'"),
            "team.toml:3: rule `acme-key`: the regex is invalid at character 2: invalid character class range, the start must be <= the end",
        ),
        (
            rule("regex = 'a(?=b)'"),
            "team.toml:3: rule `acme-key`: the regex is invalid at character 1: look-around, including look-ahead and look-behind, \
             is not supported (searches take linear time, which these features rule out)",
        ),
        (
            rule("regex = '(?:x{1000}){1000}'"),
            "team.toml:3: rule `acme-key`: the regex needs too much memory: lower its repetition counts",
        ),
        (
            rule("regex = '(a)'\nsecretGroup = 2"),
            "team.toml:4: rule `acme-key`: the regex has 1 groups, so there is no secretGroup 2",
        ),
        (
            rule("regex = 'a'\nsecretGroup = -1"),
            "team.toml:4: rule `acme-key`: a whole number from 0 on is expected here",
        ),
        (
            rule("regex = 'a'\nsecretGroup = 1.5"),
            "team.toml:4: rule `acme-key`: a whole number from 0 on is expected here",
        ),
        (
            rule("regex = 'a'\nentropy = nan"),
            "team.toml:4: rule `acme-key`: a number from 0 on is expected here",
        ),
        (
            rule("regex = 'a'\nentropy = '3'"),
            "team.toml:4: rule `acme-key`: a number from 0 on is expected here",
        ),
        (
            rule("regex = 'a'\nkeywords = 'a'"),
            "team.toml:4: rule `acme-key`: an array of strings is expected here",
        ),
        (
            rule("regex = 'a'\nkeywords = ['a',\n 7]"),
            "team.toml:5: rule `acme-key`: a string is expected here",
        ),
        (
            rule("regex = 'a'\nkeywords = [\"a\\nb\"]"),
            "team.toml:4: rule `acme-key`: a keyword with a line break is in no line",
        ),
        (
            rule("regex = 'a'\nregEx = 'b'"),
            "team.toml:3: this key is there twice, in upper and lower case",
        ),
        (rule("regex = 'a'\nregex = 'b'"), "team.toml:4: this is not TOML: duplicate key"),
        (
            rule("regex = 'a'\n[[rules.allowlists]]\nregexes = ['ok', '(']"),
            "team.toml:5: rule `acme-key`: this regex is invalid at character 0: unclosed group",
        ),
        (
            rule("regex = 'a'\n[[rules.allowlists]]\nregexes = ['a{1000}{1000}{1000}']"),
            "team.toml:5: rule `acme-key`: this regex needs too much memory: lower its repetition counts",
        ),
        (
            rule("regex = 'a'\n[[rules.allowlists]]\nregexes = ['\\pL{100}', 'b',\n '\\pL{100}']"),
            "team.toml:6: rule `acme-key`: this regex needs too much memory: lower its repetition counts",
        ),
        (
            rule("regex = 'a'\n[[rules.allowlists]]\ncondition = 'xor'\nregexes = ['b']"),
            "team.toml:5: rule `acme-key`: `AND` or `OR` is expected here",
        ),
        (
            rule("regex = 'a'\n[[rules.allowlists]]\nregexTarget = 'file'\nregexes = ['b']"),
            "team.toml:5: rule `acme-key`: `secret`, `match` or `line` is expected here",
        ),
        (
            rule("regex = 'a'\n[[rules.allowlists]]\ndescription = 'b'"),
            "team.toml:4: rule `acme-key`: an allowlist needs regexes, stopwords, paths or commits",
        ),
        (
            rule(
                "regex = 'a'\n[rules.allowlist]\nstopwords=['b']\n[[rules.allowlists]]\nstopwords=['b']",
            ),
            "team.toml:4: rule `acme-key`: [allowlist] cannot stand beside [[allowlists]]",
        ),
        (
            format!("{}{}", rule("regex = 'a'"), rule("regex = 'b'")),
            "team.toml:4: rule `acme-key`: line 1 has a rule of the same id",
        ),
        (
            "[extend]\npath = 'other.toml'".to_owned(),
            "team.toml:2: extend.path is not followed: give that file as well instead",
        ),
        (
            "[extend]\nurl = 'other.toml'".to_owned(),
            "team.toml:2: extend.url is not followed: give that file as well instead",
        ),
        ("rules = 7".to_owned(), "team.toml:1: a table is expected here"),
        ("rules = [7]".to_owned(), "team.toml:1: a table is expected here"),
        (
            "[[rules]".to_owned(),
            "team.toml:1: this is not TOML: unclosed array table, expected `]`",
        ),
    ] {
        let error = refused(&toml);
        assert_eq!(error.to_string(), expected, "{toml}");
        assert_eq!(error.code(), "ERR_INVALID_RULE_FILE");
        assert!(matches!(error.kind(), ErrorKind::RuleFile { file, .. } if file == "team.toml"));
    }
}

/// Whoever writes a rule may have put a secret into it.
#[test]
fn no_message_shows_a_value() {
    for fields in [
        "regex = 'SECRET('",
        "regex = 'SECRET{5'\nentropy = 'SECRET'",
        "regex = 'a'\nkeywords = 'SECRET'",
        "regex = 'a'\nsecretGroup = 'SECRET'",
        "regex = '(?P<SECRET>a)(?P<SECRET>b)\\1'",
        "regex = 'a'\n[[rules.allowlists]]\nregexes = ['[[:SECRET:]]']",
        "regex = '\\p{SECRET}'",
        "regex = '[SECRET'",
        "regex = 'a'\n[[rules.allowlists]]\ncondition = 'SECRET'\nregexes = ['a']",
        "regex = 'SECRET",
        "regex = SECRET",
        "regex = 'a'\n[[rules.allowlists]]\nregexTarget = 'SECRET'\nregexes = ['a']",
        "path = 'SECRET'",
        "regex = 'SECRET\\n\\na'",
        "regex = 'a' SECRET",
        "regex = \"\\SECRET\"",
        "regex = \"\\uSECRET\"",
    ] {
        let toml = rule(&fields.replace("SECRET", SECRET));
        let said = match Redactor::new(options(&toml)) {
            Ok(redactor) => redactor.rule_notes().join("\n"),
            Err(error) => format!("{error} {error:?}"),
        };
        assert!(!said.contains(SECRET) && !said.contains(&SECRET[..8]), "{fields}: {said}");
        let options = format!("{:?}", options(&toml));
        assert!(!options.contains(SECRET), "{options}");
    }
}

#[test]
fn byte_order_marks_and_line_ends_of_windows_are_read() {
    let toml =
        format!("\u{feff}title = 'x'\r\n{}", rule("regex = 'acme_\\w+'").replace('\n', "\r\n"));
    assert_eq!(redact_with(&with(&toml), "a acme_x"), "a [REDACTED]");
    let error = refused(&format!("\u{feff}{}", rule("\r\nregex = '('")));
    assert_eq!(
        error.to_string(),
        "team.toml:4: rule `acme-key`: the regex is invalid at character 0: unclosed group"
    );
}

#[test]
fn a_file_made_to_do_harm_is_refused() {
    let depth = 100_000;
    for (name, toml) in [
        ("deep arrays", format!("a = {}{}", "[".repeat(depth), "]".repeat(depth))),
        ("deep tables", format!("a = {}{}", "{a=".repeat(depth), "}".repeat(depth))),
        ("deep keys", format!("{}a = 1", "a.".repeat(depth))),
        ("deep headers", format!("[{}a]", "a.".repeat(depth))),
        ("unclosed", "[".repeat(depth)),
        ("deep groups", rule(&format!("regex = '{}a{}'", "(".repeat(1_000), ")".repeat(1_000)))),
        ("a long regex", rule(&format!("regex = '{}'", "a".repeat(17 << 10)))),
        ("a large class", rule("regex = '(?i)(?:\\pL{500}){500}'")),
        ("a large file", format!("#{}\n{}", "x".repeat(MAX_RULE_FILE_BYTES), rule("regex = 'a'"))),
        ("keywords", rule(&format!("regex = 'a'\nkeywords = [{}]", "'a',".repeat(1_001)))),
        (
            "stopwords",
            rule(&format!(
                "regex = 'a'\n[[rules.allowlists]]\nstopwords = [{}]",
                "'a',".repeat(10_001)
            )),
        ),
        (
            "allowlists",
            rule(&format!(
                "regex = 'a'\n{}",
                "[[rules.allowlists]]\nstopwords=['a']\n".repeat(101)
            )),
        ),
        ("a long id", format!("[[rules]]\nid = '{}'\nregex = 'a'", "a".repeat(201))),
        (
            "rules",
            numbered(0..MAX_FILE_RULES + 1, |index| {
                format!("[[rules]]\nid='{index}'\nregex='a{index}'\n")
            }),
        ),
    ] {
        let error = refused(&toml).to_string();
        assert!(error.starts_with("team.toml") && error.len() < 300, "{name}: {error}");
    }
    // The limit is one for all files.
    let half = |from: usize| -> String {
        let rules = from..from + MAX_FILE_RULES / 2 + 1;
        numbered(rules, |index| format!("[[rules]]\nid='{index}'\nregex='a{index}'\n"))
    };
    let rule_files = vec![file(&half(0)), file(&half(MAX_FILE_RULES))];
    let error = Redactor::new(Options { rule_files, ..Options::default() }).unwrap_err();
    assert!(error.to_string().contains("more than 10000 rules"), "{error}");
}

/// Each is small enough by itself, whether it is compiled at once or late.
#[test]
fn rules_that_are_too_large_together_are_refused() {
    let rules = |count: usize, piece: &dyn Fn(usize) -> String| {
        numbered(0..count, |index| format!("[[rules]]\nid='r{index}'\n{}\n", piece(index)))
    };
    let large = |index: usize| format!("regex='\\pL{{{}}}x{index}'", 20 + index % 20);
    let middling = |index: usize| format!("regex='\\pL{{20}}x{index}'");
    let allowing = |index: usize| {
        format!("regex='a{index}'\n[[rules.allowlists]]\nregexes=['\\pL{{20}}x{index}']")
    };
    with(&rules(5, &large));
    for piece in [&large as &dyn Fn(usize) -> String, &middling, &allowing] {
        let error = refused(&rules(600, piece));
        let said = error.to_string();
        assert!(said.starts_with("team.toml:") && said.contains(": rule `r"), "{said}");
        assert!(
            said.ends_with(
                "needs too much memory together with those before it: lower repetition counts"
            ),
            "{said}"
        );
        assert_eq!(error.code(), "ERR_INVALID_RULE_FILE");
    }
    // Files and patterns have one budget.
    let patterns: Vec<String> = (0..600).map(|index| format!("\\pL{{20}}x{index}")).collect();
    let half = Options { patterns: patterns[..300].to_vec(), ..options(&rules(300, &middling)) };
    assert_eq!(Redactor::new(half).unwrap_err().code(), "ERR_INVALID_PATTERN");
    let error = Redactor::new(Options { patterns, ..Options::default() }).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::PatternLimit { index: 300..600, .. }), "{error}");
}

#[test]
fn as_many_rules_as_are_accepted_are_found() {
    let toml: String = numbered(0..MAX_FILE_RULES, |index| {
        format!("[[rules]]\nid='r{index}'\nregex='team{index}_\\w+'\n")
    });
    let redactor = with(&toml);
    for index in [0, 77, MAX_FILE_RULES - 1] {
        let text = format!("team{index}_x");
        let found = redactor.scan(text.as_bytes());
        assert_eq!(redactor.rule_name(found[0].rule), format!("r{index}"));
    }
}

#[test]
fn names_are_shown_in_one_short_line() {
    let toml = format!("\"{}\\u001b[31m\\n\" = 1\n{}", "k".repeat(70), rule("regex = 'a'"));
    let name = format!("a\n\u{1b}[31m{}", "n".repeat(500));
    let rule_files = vec![RuleFile { name, toml }];
    let redactor = Redactor::new(Options { rule_files, ..Options::default() }).unwrap();
    let note = &redactor.rule_notes()[0];
    assert!(note.len() < 300 && !note.chars().any(char::is_control), "{note:?}");
}
