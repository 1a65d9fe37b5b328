//! Rules from files: what they mean and what they cannot do.

use crate::support::rule_files::{SECRET, file, options, rule, with};
use crate::support::{redact_with, stream};
use handrail_redact::{Options, Redactor, WINDOW_BYTES};

#[test]
fn a_match_is_masked_whole_and_a_group_alone() {
    for (fields, text, expected) in [
        ("regex = 'acme_\\w+'", "a acme_x1 b", "a [REDACTED] b"),
        ("regex = 'acme[=:](\\w+);'", "acme=x1; acme:y2;", "acme=[REDACTED]; acme:[REDACTED];"),
        ("regex = '(acme)?=(\\w+)'", "=x1", "=[REDACTED]"),
        ("regex = '(acme)=(\\w+)'\nsecretGroup = 2", "acme=x1", "acme=[REDACTED]"),
        // The group that was asked for is not in the match: nothing is shown.
        ("regex = 'acme=(a)?(\\w+)'\nsecretGroup = 1", "acme=x1", "[REDACTED]"),
        ("regex = 'acme=()(\\w+)'", "acme=x1", "acme=[REDACTED]"),
        (
            "regex = 'acme=(\\w+)(?:[\\s;]|$)'",
            "acme=x1\nacme=y2",
            "acme=[REDACTED]\nacme=[REDACTED]",
        ),
        ("regex = 'acme=(\\w+\\s)'", "acme=x1\r\nb\n", "acme=[REDACTED]\r\nb\n"),
        (
            "regex = '^acme=(\\w+)$'",
            "acme=x1\r\nb acme=y2\nacme=z3",
            "acme=[REDACTED]\r\nb acme=y2\nacme=[REDACTED]",
        ),
        ("regex = '\\n?acme\\n?'", "a\nacme\nb", "a\n[REDACTED]\nb"),
        ("regex = '\\$\\{acme\\}={x}'", "${acme}={x}", "[REDACTED]"),
    ] {
        let redactor = with(&rule(fields));
        assert_eq!(redact_with(&redactor, text), expected, "{fields}");
        assert_eq!(redact_with(&redactor, expected), expected, "{fields}: again");
    }
}

#[test]
fn entropy_is_above_the_threshold() {
    let at =
        |threshold: &str| with(&rule(&format!("regex = 'acme=(\\w+)'\nentropy = {threshold}")));
    for (threshold, text, is_masked) in [
        ("2", "acme=abcd", false),
        ("1.99", "acme=abcd", true),
        ("0", "acme=aaaa", true),
        ("3.5", "acme=aaaaaaaaaaaaaaaa", false),
        ("0x1", "acme=abcd", true),
        ("8", "acme=abcd", false),
    ] {
        let redacted = redact_with(&at(threshold), text);
        assert_eq!(redacted.contains("[REDACTED]"), is_masked, "{threshold} {text}");
    }
    assert_eq!(redact_with(&at("3"), &format!("acme={SECRET}")), "acme=[REDACTED]");
}

#[test]
fn one_of_the_keywords_is_in_the_line() {
    for (keywords, masked) in [
        ("[\"acme\"]", true),
        ("[\"ACME\"]", true),
        ("[\"other\", \"cme\"]", true),
        ("[\"other\"]", false),
        // Too short for the prefilter.
        ("[\"a\"]", true),
        ("[\"=\"]", true),
        ("[\"z\"]", false),
        ("[\"z\", \"E\"]", true),
        // No keywords, and one that is everywhere.
        ("[]", true),
        ("[\"\"]", true),
        ("[\"other\", \"é\"]", true),
    ] {
        for regex in ["(?i)acme=(\\w+)", "[a-zA-Z]{4}=(\\w+)", "(?i)x?\\b.cme=(\\w+)"] {
            let redactor = with(&rule(&format!("regex = '{regex}'\nkeywords = {keywords}")));
            let expected =
                if masked { "other\nAcme=[REDACTED]\nother" } else { "other\nAcme=x1\nother" };
            assert_eq!(
                redact_with(&redactor, "other\nAcme=x1\nother"),
                expected,
                "{regex} {keywords}"
            );
        }
    }
}

#[test]
fn allowlists_let_through_what_their_rules_match() {
    let regex = "regex = 'acme=(\\w+);'\n";
    for (allowlist, allowed, masked) in [
        ("[[rules.allowlists]]\nregexes = ['^x\\d$']", "acme=x1;", "acme=x12;"),
        ("[rules.allowlist]\nregexes = ['^x\\d$', 'test']", "acme=mytest;", "acme=x12;"),
        (
            "[[rules.allowlists]]\nregexTarget = 'match'\nregexes = ['^acme=x']",
            "acme=x1;",
            "acme=y1;",
        ),
        (
            "[[rules.allowlists]]\nregexTarget = 'line'\nregexes = ['# ok$']",
            "acme=x1; # ok",
            "acme=x1; # ok not",
        ),
        ("[[rules.allowlists]]\nstopwords = ['Sample']", "acme=mySAMPLE1;", "acme=my1;"),
        (
            "[[rules.allowlists]]\ncondition = 'AND'\nregexes = ['^x']\nstopwords = ['test']",
            "acme=xtest;",
            "acme=x1; acme=ytest;",
        ),
        (
            "[[rules.allowlists]]\ncondition = 'or'\nregexes = ['^x']\nstopWords = ['test']",
            "acme=x1; acme=ytest;",
            "acme=y1;",
        ),
        (
            "[[rules.allowlists]]\nregexes = ['^x']\n[[rules.allowlists]]\nregexes = ['^y']",
            "acme=x1; acme=y1;",
            "acme=z1;",
        ),
        ("[allowlist]\nregexes = ['^x']", "acme=x1;", "acme=y1;"),
        ("[[allowlists]]\ntargetRules = ['acme-key']\nregexes = ['^x']", "acme=x1;", "acme=y1;"),
        ("[[allowlists]]\npaths = ['x']\nregexes = ['^x']", "acme=x1;", "acme=y1;"),
    ] {
        let redactor = with(&rule(&format!("{regex}{allowlist}")));
        assert_eq!(redact_with(&redactor, allowed), allowed, "{allowlist}");
        let redacted = redact_with(&redactor, masked);
        let count = masked.matches("acme=").count();
        assert_eq!(redacted.matches("[REDACTED]").count(), count, "{allowlist}: {redacted}");
    }
    // A text has no path and no commit: a condition on both is never met.
    for outside in ["paths = ['.*']", "commits = ['0123']"] {
        let toml = rule(&format!(
            "{regex}[[rules.allowlists]]\ncondition = 'AND'\nregexes = ['.']\n{outside}"
        ));
        assert_eq!(redact_with(&with(&toml), "acme=x1;"), "acme=[REDACTED];");
        let toml = rule(&format!("{regex}[[rules.allowlists]]\n{outside}"));
        assert_eq!(redact_with(&with(&toml), "acme=x1;"), "acme=[REDACTED];");
    }
}

#[test]
fn an_allowlist_does_not_touch_built_in_rules() {
    let toml = "[extend]\nuseDefault = true\n[[rules]]\nid = 'password'\n[rules.allowlist]\nregexes = ['.']\n\
        [allowlist]\nregexes = ['.']\nstopwords = ['hunter']\n";
    let redactor =
        Redactor::new(Options { rule_files: vec![file(toml)], ..Options::default() }).unwrap();
    assert_eq!(redact_with(&redactor, "password=hunter2"), "password=[REDACTED]");
    assert_eq!(redactor.rule_notes().len(), 1, "{:?}", redactor.rule_notes());
}

#[test]
fn files_add_to_the_built_in_rules() {
    let toml = "[extend]\nuseDefault = true\n[[rules]]\nid = 'acme'\nregex = 'acme_\\w+'\n";
    for toml in [toml, &toml[toml.find("[[").unwrap()..]] {
        let rule_files = vec![file(toml)];
        let redactor = Redactor::new(Options { rule_files, ..Options::default() }).unwrap();
        assert_eq!(
            redact_with(&redactor, "password=hunter2 acme_x"),
            "password=[REDACTED] [REDACTED]"
        );
    }
}

#[test]
fn a_built_in_rule_can_be_switched_off() {
    let token = format!("ghp_{}", crate::support::letters(36));
    let builtin = Redactor::new(Options::default()).unwrap();
    let found = builtin.scan(token.as_bytes());
    let id = builtin.rule_name(found[0].rule);
    let toml = format!("[extend]\nuseDefault = true\ndisabledRules = ['{id}', 'no-such-rule']\n");
    let rule_files = vec![file(&toml)];
    let redactor = Redactor::new(Options { rule_files, ..Options::default() }).unwrap();
    assert_eq!(redact_with(&redactor, &token), token);
    assert_eq!(redact_with(&redactor, "password=hunter2"), "password=[REDACTED]");
    let expected = [
        format!("team.toml:3: built-in rules are switched off: `{id}`"),
        "team.toml:3: there is no built-in rule `no-such-rule` to disable".to_owned(),
    ];
    assert_eq!(*redactor.rule_notes(), expected);
    // A file that does not say that it extends the built-in rules takes none of them away.
    let own = rule("regex = 'acme_\\w+'");
    for extend in ["", "useDefault = false\n"] {
        let toml = format!("[extend]\n{extend}disabledRules = ['password', '{id}']\n{own}");
        let rule_files = vec![file(&toml)];
        let redactor = Redactor::new(Options { rule_files, ..Options::default() }).unwrap();
        assert_eq!(redact_with(&redactor, &token), "[REDACTED]");
        assert_eq!(redact_with(&redactor, "password=hunter2"), "password=[REDACTED]");
        assert_eq!(redactor.rule_notes().len(), 1, "{:?}", redactor.rule_notes());
    }
}

/// However many notes there are, that a built-in rule is off is among them.
#[test]
fn that_a_rule_is_off_is_said_first() {
    let unknown = "'x',".repeat(200);
    let toml =
        format!("[extend]\nuseDefault = true\ndisabledRules = [{unknown}'password', 'password']\n");
    let rule_files = vec![file(&toml)];
    let redactor = Redactor::new(Options { rule_files, ..Options::default() }).unwrap();
    let expected = "team.toml:3: built-in rules are switched off: `password`";
    assert_eq!(redactor.rule_notes()[0], expected);
}

/// The line that is judged has no end: what matches an empty line matches no other.
#[test]
fn an_allowlist_for_empty_lines_lets_no_other_through() {
    for regex in ["^\\s*(#.*)?$", "^$", "\\A\\z", "^[^!]*$", "\\n", "\\r", "(?m)^$", "\\z\\s"] {
        for target in ["secret", "match", "line"] {
            if target != "line" && regex == "^[^!]*$" {
                continue;
            }
            let toml = rule(&format!(
                "regex = 'key_([a-z0-9]{{8}})\\s*'\n[[rules.allowlists]]\nregexTarget = '{target}'\nregexes = ['{regex}']"
            ));
            let redactor = with(&toml);
            for end in ["", "\n", "\r\n"] {
                let text =
                    format!("# key_abcd1234{end}x key_abcd1234 !{end}x key_abcd1234{end}!{end}");
                let text = if target == "line" { format!("x key_abcd1234 !{end}") } else { text };
                let expected = text.replace("abcd1234", "[REDACTED]");
                assert_eq!(redact_with(&redactor, &text), expected, "{regex} {target} {end:?}");
            }
        }
    }
    // A line of which it speaks is let through, whatever ends it.
    let toml = rule(
        "regex = 'key_([a-z0-9]{8})'\n[[rules.allowlists]]\nregexTarget = 'line'\nregexes = ['^#.*4$']",
    );
    for text in ["# key_abcd1234", "# key_abcd1234\n", "# key_abcd1234\r\nx\n"] {
        assert_eq!(redact_with(&with(&toml), text), text);
    }
}

#[test]
fn an_empty_entry_of_an_allowlist_lets_nothing_through() {
    for list in
        ["stopwords = ['']", "regexes = ['']", "stopwords = ['', 'test']", "regexes = ['test', '']"]
    {
        for condition in ["OR", "AND"] {
            let toml = rule(&format!(
                "regex = 'acme=(\\w+)'\n[[rules.allowlists]]\ncondition = '{condition}'\n{list}"
            ));
            let redactor = with(&toml);
            assert_eq!(redact_with(&redactor, "acme=x1"), "acme=[REDACTED]", "{list} {condition}");
            assert_eq!(redactor.rule_notes().len(), 1, "{list}");
        }
    }
}

#[test]
fn findings_have_the_id_of_their_rule() {
    let toml = "[[rules]]\nid = 'Acme Key_1'\nregex = 'acme_\\w+'\n[[rules]]\nid = 'b'\nregex = 'beta_\\w+'\n";
    let redactor = Redactor::new(Options { label: true, ..options(toml) }).unwrap();
    let text = "acme_x beta_y";
    let ids: Vec<_> = redactor
        .scan(text.as_bytes())
        .iter()
        .map(|hit| redactor.rule_name(hit.rule).to_owned())
        .collect();
    assert_eq!(ids, ["Acme Key_1", "b"]);
    let masked = redact_with(&redactor, text);
    assert_eq!(masked, "[REDACTED:acme-key-1] [REDACTED:b]");
    assert_eq!(redact_with(&redactor, &masked), masked);
    let mut stream = redactor.stream();
    stream.push(text.as_bytes(), &mut |_: &[u8]| {});
    stream.finish(&mut |_: &[u8]| {});
    let counts: Vec<_> =
        stream.counts().map(|(rule, count)| (redactor.rule_name(rule).to_owned(), count)).collect();
    assert_eq!(counts, [("Acme Key_1".to_owned(), 1), ("b".to_owned(), 1)]);
}

#[test]
fn a_rule_with_the_id_of_another_applies_beside_it() {
    let other = "[[rules]]\nid = 'acme-key'\nregex = 'beta_\\w+'\n";
    let first = rule("regex = 'acme_\\w+'");
    let rule_files = vec![file(&first), file(other)];
    let redactor = Redactor::new(Options { rule_files, ..Options::default() }).unwrap();
    assert_eq!(redact_with(&redactor, "acme_x beta_y"), "[REDACTED] [REDACTED]");
    let found = redactor.scan(b"acme_x beta_y");
    assert_eq!(found[0].rule, found[1].rule);

    let token = format!("ghp_{}", crate::support::letters(36));
    let builtin = Redactor::new(Options::default()).unwrap();
    let id = builtin.rule_name(builtin.scan(token.as_bytes())[0].rule).to_owned();
    let toml = format!("[[rules]]\nid = '{id}'\nregex = 'acme_\\w+'\n");
    let rule_files = vec![file(&toml)];
    let redactor = Redactor::new(Options { rule_files, ..Options::default() }).unwrap();
    let found = redactor.scan(format!("acme_x {token}").as_bytes());
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].rule, redactor.rule_name(found[1].rule)), (found[1].rule, id.as_str()));
}

#[test]
fn the_result_does_not_depend_on_the_pieces() {
    let redactor = with(&format!(
        "{}[[rules]]\nid = 'b'\nregex = '[a-z]{{3}}#(\\d+)'\nkeywords = ['q']\n[[rules.allowlists]]\n\
         regexTarget = 'line'\nregexes = ['ok']\n",
        rule("regex = 'acme=(\\w+)(?:\\s|$)'")
    ));
    let text = "acme=x1\r\nabc#12 q ok\nabc#12 q\n acme=y\nqq abc#3 abc#4";
    let expected = redact_with(&redactor, text);
    assert_eq!(
        expected,
        "acme=[REDACTED]\r\nabc#12 q ok\nabc#[REDACTED] q\n acme=[REDACTED]\nqq abc#[REDACTED] abc#[REDACTED]"
    );
    for cut in 0..=text.len() {
        let (one, other) = text.as_bytes().split_at(cut);
        assert_eq!(stream(&redactor, &[one, other]), expected.as_bytes(), "{cut}");
    }
    let long =
        format!("{}acme=x1 {}", "-".repeat(WINDOW_BYTES - 6), "q abc#1 ".repeat(WINDOW_BYTES / 4));
    let expected = redact_with(&redactor, &long);
    for size in [1_000, WINDOW_BYTES - 1, WINDOW_BYTES, WINDOW_BYTES + 1] {
        let chunks: Vec<&[u8]> = long.as_bytes().chunks(size).collect();
        assert!(stream(&redactor, &chunks) == expected.as_bytes(), "{size}");
    }
}
