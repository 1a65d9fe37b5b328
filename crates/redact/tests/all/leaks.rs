//! Nothing that a redactor says of itself holds what it was given to hide.

use std::error::Error as _;
use std::fmt::Debug;

use handrail_redact::{
    Error, MAX_LITERAL_BYTES, MAX_PATTERN_BYTES, Options, Redactor, RuleFile, Rules,
};

/// So many characters of the secret in a row are no chance.
const TELLING_CHARS: usize = 5;

/// Not in this file as it stands.
fn secret() -> String {
    let mut state = 4_u32;
    let letters = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";
    (0..36)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(letters[(state >> 16) as usize % letters.len()])
        })
        .collect()
}

#[track_caller]
fn silent(secret: &str, said: &str) {
    let shown = secret
        .as_bytes()
        .windows(TELLING_CHARS)
        .find(|part| said.as_bytes().windows(TELLING_CHARS).any(|window| window == *part));
    assert!(shown.is_none(), "{said}");
}

fn all_of(value: &impl Debug) -> String {
    format!("{value:?} {value:#?}")
}

/// An error with all that can be printed of it.
fn all_of_error(error: &Error) -> String {
    let kind = error.kind();
    format!("{error} {} {} {:?} {}", all_of(error), all_of(kind), error.source(), error.code())
}

fn named(name: &str, value: &str) -> Options {
    Options { secrets: vec![(name.to_owned(), value.to_owned())], ..Options::default() }
}

fn pattern(pattern: String) -> Options {
    Options { patterns: vec!["fine".to_owned(), pattern], ..Options::default() }
}

fn substring(substring: String) -> Options {
    Options { substrings: vec![substring], ..Options::default() }
}

fn rules(name: &str, fields: &str) -> Options {
    let toml = format!("[[rules]]\nid = 'acme'\n{fields}");
    Options { rule_files: vec![RuleFile { name: name.to_owned(), toml }], ..Options::default() }
}

#[test]
fn errors_are_silent() {
    let secret = &secret();
    let long = secret.repeat(1 + MAX_LITERAL_BYTES.max(MAX_PATTERN_BYTES) / secret.len());
    let refused: Vec<Options> = vec![
        Options { min_secret_length: 100, ..named("NAME", secret) },
        named(secret, "localhost"),
        named("NAME", "Password"),
        substring(format!("{secret}\n")),
        substring(long.clone()),
        pattern(format!("({secret}")),
        pattern(format!("(?<{secret}->a)")),
        pattern(format!("\\p{{{secret}}}")),
        pattern(format!("[{secret}")),
        pattern(format!("a{{{secret}}}")),
        pattern(format!("(?{secret})")),
        pattern(format!("\\x{{{secret}}}")),
        pattern(format!("(?:{secret}{{1000}}){{1000}}")),
        pattern(format!("{}{secret}", "(".repeat(500))),
        pattern(long),
        Options { patterns: vec![secret.clone(); 2_000], ..Options::default() },
        Options { rules: Rules::Only(vec![secret.clone()]), ..Options::default() },
        rules(secret, "regex = '('"),
        rules("team.toml", &format!("regex = '({secret}'")),
        rules("team.toml", &format!("regex = '{secret}' = 1")),
        rules("team.toml", &format!("regex = 'a'\nkeywords = '{secret}'")),
        rules("team.toml", &format!("regex = 'a'\n[[rules]]\nid = '{secret}'\nregex = '('")),
        rules("team.toml", &format!("regex = 'a'\n[{secret}.a]\n[{secret}.a]")),
    ];
    for options in refused {
        silent(secret, &all_of_error(&Redactor::new(options).expect_err("these are refused")));
    }
}

#[test]
fn a_refused_addition_is_silent() {
    let secret = &secret();
    let strict = Redactor::new(Options { min_secret_length: 100, ..Options::default() });
    let strict = strict.expect("valid options");
    for (name, value) in [("NAME", secret.as_str()), (secret, "localhost"), (secret, "")] {
        silent(secret, &all_of_error(&strict.add_secret(name, value).expect_err("refused")));
    }
    silent(secret, &all_of(&strict));
}

#[test]
fn what_is_built_is_silent() {
    let secret = &secret();
    let options = Options {
        secrets: vec![("NAME".to_owned(), secret.clone())],
        substrings: vec![secret.clone()],
        patterns: vec![secret.clone(), format!("{secret}x*")],
        ..Options::default()
    };
    silent(secret, &all_of(&options));
    silent(
        secret,
        &all_of(&Options { rules: Rules::Only(vec![secret.clone()]), ..options.clone() }),
    );
    let redactor = Redactor::new(options).expect("valid options");
    redactor.add_secret("LATE", &format!("{secret}-late")).expect("it is long enough");
    let mut stream = redactor.stream();
    let mut text = Vec::new();
    stream.push(&secret.as_bytes()[..secret.len() - 1], &mut |bytes| text.extend_from_slice(bytes));
    silent(secret, &all_of(&stream));
    silent(secret, &all_of(&redactor));
    let findings = redactor.scan(format!("of {secret} it").as_bytes());
    silent(secret, &all_of(&findings));
    for finding in &findings {
        silent(secret, redactor.rule_name(finding.rule));
    }
    let mut scanner = redactor.utf16_scanner();
    let units: Vec<u16> = secret.encode_utf16().collect();
    scanner.push(&units[..units.len() - 1], &mut |mark| silent(secret, &all_of(&mark)));
    silent(secret, &all_of(&scanner));
    silent(secret, &String::from_utf8_lossy(&text));
}

/// The check sees what it looks for.
#[test]
fn a_secret_that_is_shown_is_seen() {
    let secret = secret();
    let seen = std::panic::catch_unwind(|| silent(&secret, &format!("a {} b", &secret[7..12])));
    assert!(seen.is_err());
}

/// A value may have been given in the place of its name.
#[test]
fn names_are_shown_and_keys_are_not() {
    let refused = |name: &str| {
        let error = Redactor::new(named(name, "")).expect_err("an empty value is refused");
        error.to_string()
    };
    for name in [
        "A",
        "MY_NAME",
        "secret-12",
        "AWS_SECRET_ACCESS_KEY_2",
        "github-pat",
        "deployKeyForProduction",
    ] {
        assert!(refused(name).contains(name), "{name}");
    }
    let long = "key-".repeat(40);
    let random =
        ["a7Kq2Zx9Lm4Wt6Rb8Yc1", "3f9a1c7e5b2d8046a1b2", "xQk-RtYbNm-aZvCwErT-yUi7pLk", &long];
    for key in random {
        assert!(!refused(key).contains(&key[..4]), "{key}");
    }
}
