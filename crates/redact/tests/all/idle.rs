//! A prompt is shown before its line ends, and nothing of a secret with it. Soak row `redact-pauses`: pauses anywhere show
//! nothing that is masked in the end.

use crate::soak::{Random, repeat};
use crate::support::compositions::{pieces, redactors, whole};
use crate::support::{letters, redact_with};
use crate::tables::{Row, rows};
use handrail_redact::{LastWord, Options, RedactStream, Redactor, RuleFile};
use proptest::prelude::*;

fn push(stream: &mut RedactStream, text: &str) -> String {
    let mut shown = Vec::new();
    stream.push(text.as_bytes(), &mut |bytes| shown.extend_from_slice(bytes));
    String::from_utf8(shown).expect("text stays text")
}

fn idle(stream: &mut RedactStream) -> String {
    let mut shown = Vec::new();
    stream.idle(&mut |bytes| shown.extend_from_slice(bytes));
    String::from_utf8(shown).expect("text stays text")
}

fn redactor(options: Options) -> Redactor {
    Redactor::new(options).expect("valid options")
}

#[test]
fn a_prompt_is_shown_and_the_answer_is_masked() {
    for prompt in [
        "Password: ",
        "Password:",
        "[sudo] password for bob: ",
        "bob@host's password: ",
        "Enter host password for user 'bob':",
        "Enter passphrase for key '/home/bob/.ssh/id': ",
        "Continue? [Y/n] ",
        "Are you sure you want to continue connecting (yes/no)? ",
        "Password [default]: ",
        "Password [None]: ",
        "Password [********]: ",
        "bob@host:~/src$ ",
        ">>> ",
    ] {
        let mut stream = redactor(Options::default()).stream();
        assert_eq!(push(&mut stream, prompt), "");
        assert_eq!(idle(&mut stream), prompt);
        assert_eq!(idle(&mut stream), "", "nothing is shown twice");
        if prompt.to_ascii_lowercase().ends_with("password: ") {
            assert_eq!(push(&mut stream, "hunter2\nnext\n"), "[REDACTED]\nnext\n", "{prompt}");
        } else {
            let rest = push(&mut stream, "yes\nnext\n");
            assert!(rest.ends_with("\nnext\n"), "{prompt} {rest}");
        }
    }
}

#[test]
fn the_first_half_of_a_secret_is_not_shown() {
    let token = format!("ghp_{}", letters(36));
    let known = "correct horse battery staple";
    let options = Options {
        secrets: vec![("KNOWN".to_owned(), known.to_owned())],
        substrings: vec!["red herring".to_owned()],
        ..Options::default()
    };
    let redactor = redactor(options);
    for (before, secret) in [
        ("clone with ", token.as_str()),
        ("use ", known),
        ("a ", "red herring"),
        ("data ", "Y29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZQ=="),
        ("password=", "hunter2"),
        ("https://u:", "p4ssw0rd"),
        ("{\"password\": \"", "two words and more"),
        ("passwords: [", "a1b2, c3d4"),
        ("Cookie: sid=", "a1b2c3; id=d4e5f6"),
    ] {
        for cut in 0..secret.len() {
            let mut stream = redactor.stream();
            let mut shown = push(&mut stream, &format!("{before}{}", &secret[..cut]));
            shown += &idle(&mut stream);
            assert!(before.starts_with(&shown), "{before} {cut}: {shown}");
        }
    }
}

#[test]
fn half_a_known_value_before_a_break_is_not_shown() {
    let known = "correct-horse-battery";
    let options =
        Options { secrets: vec![("KNOWN".to_owned(), known.to_owned())], ..Options::default() };
    let mut stream = redactor(options).stream();
    for cut in 4..known.len() {
        let (first, second) = known.split_at(cut);
        let mut shown = push(&mut stream, &format!("use {first}\n  "));
        shown += &idle(&mut stream);
        assert!(!shown.contains(&first[..4]), "{shown}");
        shown += &push(&mut stream, &second[..second.len() - 1]);
        shown += &idle(&mut stream);
        shown += &push(&mut stream, &format!("{}\n", &second[second.len() - 1..]));
        stream.finish(&mut |bytes| shown.push_str(&String::from_utf8_lossy(bytes)));
        assert_eq!(shown, "use [REDACTED]\n  [REDACTED]\n");
    }
}

#[test]
fn a_pattern_that_matches_blanks_holds_the_line() {
    let held = |pattern: &str| {
        let options = Options { patterns: vec![pattern.to_owned()], ..Options::default() };
        let mut stream = redactor(options).stream();
        push(&mut stream, "go on with it? ");
        idle(&mut stream).is_empty()
    };
    assert!(held(r"it\?.*x1y2"));
    assert!(held(r"with\sit"));
    assert!(held("it[^a-z]{5}"));
    assert!(!held("ref-[0-9]+"));
}

#[test]
fn what_is_added_later_is_masked_where_it_was_not_shown() {
    let redactor = redactor(Options::default());
    let mut stream = redactor.stream();
    push(&mut stream, "the word is ");
    assert_eq!(idle(&mut stream), "the word is ");
    redactor.add_secret("WORD", "swordfish-1").expect("long enough");
    assert_eq!(push(&mut stream, "swordfish-1\n"), "[REDACTED]\n");
}

/// The end of a line may take back what its beginning let through.
#[test]
fn a_line_that_is_judged_whole_is_held() {
    let toml = "[[rules]]\nid = 'k'\nregex = 'key_[a-z0-9]{8}'\n[[rules.allowlists]]\nregexTarget = 'line'\n\
        regexes = ['^[^!]*$']\n";
    let file = RuleFile { name: "team.toml".to_owned(), toml: toml.to_owned() };
    let redactor = redactor(Options { rule_files: vec![file], ..Options::default() });
    let text = "key_abcd1234 and more !\n";
    let mut stream = redactor.stream();
    let mut shown = push(&mut stream, &text[..text.len() - 2]);
    shown += &idle(&mut stream);
    shown += &push(&mut stream, &text[text.len() - 2..]);
    assert_eq!(shown, "[REDACTED] and more !\n");
}

const FULL_DIALOGUES: u64 = 200_000;

/// Prompts, answers and ends of lines.
const SAID: &[&str] = &[" ", "go on", "? ", "Password: ", "user ", "\n"];

/// Pieces with a pause or none behind each.
fn dialogue(random: &mut Random, pieces: &[String]) -> Vec<(Vec<u8>, bool)> {
    let piece = |random: &mut Random| match random.below(15) {
        0..12 => random.pick(pieces).clone().into_bytes(),
        12 | 13 => random.pick(SAID).as_bytes().to_vec(),
        _ => {
            let length = 1 + random.below(3);
            random.bytes(length)
        }
    };
    (0..random.below(24)).map(|_| (piece(random), random.one_in(2))).collect()
}

/// Of a value that stands before what makes it a secret, a name or a pipe into a command, a pause may show a part.
fn is_left_anchored(piece: &str) -> bool {
    let piece = piece.to_ascii_lowercase();
    !["value", "echo ", "printf "].iter().any(|word| piece.contains(word))
}

/// Were a byte shown that is masked in the end, it would be there besides the mask.
#[test]
fn pauses_change_nothing() {
    let (redactors, mut pieces) = (redactors(), pieces());
    pieces.retain(|piece| is_left_anchored(piece));
    repeat("dialogues", FULL_DIALOGUES, |number| {
        let random = &mut Random::new(number);
        let redactor = random.pick(&redactors);
        let dialogue = dialogue(random, &pieces);
        let text: Vec<u8> = dialogue.iter().flat_map(|(piece, _)| piece.clone()).collect();
        let mut stream = redactor.stream();
        let mut shown = Vec::new();
        for (piece, pause) in &dialogue {
            stream.push(piece, &mut |bytes| shown.extend_from_slice(bytes));
            if *pause {
                stream.idle(&mut |bytes| shown.extend_from_slice(bytes));
            }
        }
        stream.finish(&mut |bytes| shown.extend_from_slice(bytes));
        let expected = whole(redactor, &text);
        assert_eq!(
            String::from_utf8_lossy(&shown),
            String::from_utf8_lossy(&expected),
            "{number}: {:?}",
            String::from_utf8_lossy(&text)
        );
    });
}

thread_local! {
    static REDACTORS: Vec<Redactor> = redactors();
}

proptest! {
    /// Without a trigger all but the last word comes out.
    #[test]
    fn nothing_else_is_held(words in prop::collection::vec("[bdfglmn]{1,8}[,.]?", 1..12)) {
        let text = words.join(" ");
        let redactor = &REDACTORS.with(|all| all[0].clone());
        let mut stream = redactor.stream();
        let mut shown = push(&mut stream, &text);
        shown += &idle(&mut stream);
        let last = text.rfind(' ').map_or(0, |blank| blank + 1);
        prop_assert_eq!(shown, &text[..last]);
    }
}

#[test]
fn a_peek_gives_what_the_end_would_and_changes_nothing() {
    let token = format!("ghp_{}", letters(36));
    for (text, rest) in [
        ("a\n".to_owned(), format!("{token}$ ")),
        (format!("a\n{}", &token[..9]), token[9..].to_owned()),
        (["-----BEGIN ", "PRIVATE KEY-----\n"].concat(), letters(64)),
    ] {
        let redactor = redactor(Options::default());
        let mut stream = redactor.stream();
        let shown = push(&mut stream, &text);
        let peeked = String::from_utf8(stream.peek(rest.as_bytes())).expect("text stays text");
        let whole = format!("{text}{rest}").into_bytes();
        let masked = redactor.redact(&whole).expect("there is a secret");
        assert_eq!(format!("{shown}{peeked}").into_bytes(), masked);
        assert_eq!(stream.findings(), 0);
        assert_eq!(push(&mut stream, &format!("{rest}\n")).trim_end_matches('\n'), peeked);
    }
}

/// What a pause shows of the last line.
fn shown(text: &str) -> String {
    let mut stream = redactor(Options::default()).stream();
    push(&mut stream, text) + &idle(&mut stream)
}

/// After a name whose value may be on a line below, a program may ask for something else.
#[test]
fn a_prompt_below_a_name_is_shown() {
    for name in [
        "- name: DB_PASSWORD\n",
        "  \"name\": \"db.password\",\n",
        "<name>db.password</name>\n",
        "Content-Disposition: form-data; name=\"password\"\n",
        "variable \"db_password\" {\n",
        "password: |\n",
    ] {
        for prompt in ["Go on? ", "Password: "] {
            assert_eq!(shown(&format!("{name}{prompt}")), format!("{name}{prompt}"));
        }
    }
}

/// Up to where a value may begin, but no further.
#[test]
fn what_may_be_a_value_is_not_shown() {
    for (before, value) in [
        ("- name: DB_PASSWORD\n", "  value: hunter2"),
        ("password: |\n", "  hunter two"),
        ("Install the echo server? [y/N] ", ""),
        ("$ echo hello world ", ""),
        ("Use printf tests or none? [y/N] ", ""),
    ] {
        assert_eq!(shown(&format!("{before}{value}")), before);
    }
}

/// Cut anywhere, with a pause, each row of the tables comes out the same: were a byte shown that is masked in the end, it
/// would be there besides the mask.
#[test]
fn pauses_show_nothing_of_any_row() {
    let mut wrong = Vec::new();
    for Row { redactor, input, .. } in &rows() {
        let whole = redact_with(redactor, input);
        for at in (1..input.len()).filter(|&at| input.is_char_boundary(at)) {
            let mut stream = redactor.stream();
            let mut shown = push(&mut stream, &input[..at]) + &idle(&mut stream);
            shown += &push(&mut stream, &input[at..]);
            stream.finish(&mut |bytes| shown.push_str(&String::from_utf8_lossy(bytes)));
            if shown != whole {
                wrong.push(format!("{at} of {input:?}: {shown:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn paused(stream: &RedactStream, rest: &str, last_word: LastWord) -> String {
    String::from_utf8(stream.paused(rest.as_bytes(), last_word)).expect("text stays text")
}

/// What a program that pauses after `text` has shown.
fn shown_by(redactor: &Redactor, text: &str) -> String {
    let mut stream = redactor.stream();
    let finished = text.rfind('\n').map_or(0, |at| at + 1);
    let shown = push(&mut stream, &text[..finished]);
    shown + &paused(&stream, &text[finished..], LastWord::IfPlain)
}

fn knowing(secrets: &[&str]) -> Redactor {
    let named = |value: &&str| ("KNOWN".to_owned(), (*value).to_owned());
    redactor(Options { secrets: secrets.iter().map(named).collect(), ..Options::default() })
}

#[test]
fn an_unfinished_line_is_shown_whole() {
    let redactor = knowing(&["correct-horse-battery"]);
    for line in [
        "listening on port 8080",
        "ready",
        "Server is up",
        "Serving on 127.0.0.1:3000",
        "(42%)",
        "It works!",
        "a known beginn",
        "DONE",
    ] {
        assert_eq!(shown_by(&redactor, line), line);
    }
}

#[test]
fn as_much_as_is_safe_is_shown() {
    let redactor = knowing(&["correct-horse-battery"]);
    for (line, safe) in [
        ("use cor", "use "),
        ("the doc", "the do"),
        ("clone with gh", "clone with "),
        ("clone with ghp_ab", "clone with "),
        ("id 7Kq2Zx", "id "),
        ("id aKqZx", "id "),
        ("id 1234567", "id "),
        ("the password hunter", "the "),
        ("password=hunter", ""),
    ] {
        assert_eq!(shown_by(&redactor, line), safe, "{line}");
    }
}

/// A line that has ended is shown when its program pauses, and of a value that may go on nothing but its mask.
#[test]
fn a_line_that_ends_with_a_known_value_is_shown_masked() {
    let secret = "correct-horse-battery";
    for redactor in [knowing(&[secret]), knowing(&[secret, "correct-horse-battery-staple"])] {
        for end in ["\n", "\r\n"] {
            let line = format!("url is {secret}{end}");
            assert_eq!(shown_by(&redactor, &line), format!("url is [REDACTED]{end}"));
            let more = format!("{line}server is ready");
            assert_eq!(
                shown_by(&redactor, &more),
                format!("url is [REDACTED]{end}server is ready")
            );
        }
        for cut in 1..secret.len() {
            let (first, second) = secret.split_at(cut);
            let line = format!("use {first}\n");
            let shown = shown_by(&redactor, &line);
            assert!(shown == "use " || (cut < 4 && shown == line), "{cut}: {shown}");
            let shown = shown_by(&redactor, &format!("{line}  {}", &second[..second.len() / 2]));
            assert!(!shown.contains("  c") && !shown.contains(&second[..second.len().min(3)]));
        }
    }
}

/// Without its last word, what a pause shows is never masked afterwards, whatever follows.
#[test]
fn what_is_shown_of_held_lines_stays() {
    let (redactors, mut pieces) = (redactors(), pieces());
    pieces.retain(|piece| is_left_anchored(piece));
    repeat("held", FULL_DIALOGUES, |number| {
        let random = &mut Random::new(number);
        let redactor = random.pick(&redactors);
        let dialogue = dialogue(random, &pieces);
        let text: Vec<u8> = dialogue.iter().flat_map(|(piece, _)| piece.clone()).collect();
        let expected = whole(redactor, &text);
        let mut stream = redactor.stream();
        let mut written = Vec::new();
        for (piece, pause) in &dialogue {
            stream.push(piece, &mut |bytes| written.extend_from_slice(bytes));
            if *pause {
                let shown = [&*written, &*stream.paused(b"", LastWord::Held)].concat();
                assert!(
                    expected.starts_with(&shown),
                    "{number}: {:?} {:?}",
                    String::from_utf8_lossy(&shown),
                    String::from_utf8_lossy(&text)
                );
            }
        }
    });
}

/// Cut anywhere, a row shows nothing that is masked in the end, except a few letters or digits with which a token begins.
#[test]
fn a_last_word_shows_no_more_than_the_beginning_of_a_token() {
    for Row { redactor, input, .. } in &rows() {
        let whole = redact_with(redactor, input);
        for at in (1..input.len()).filter(|&at| input.is_char_boundary(at)) {
            let shown = shown_by(redactor, &input[..at]);
            if whole.starts_with(&shown) {
                continue;
            }
            let same = shown.bytes().zip(whole.bytes()).take_while(|(a, b)| a == b).count();
            let extra = &shown[same..];
            let is_short = extra.len() <= 6 || extra.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(is_short, "{at} of {input:?}: {shown:?} {extra:?}");
        }
    }
}
