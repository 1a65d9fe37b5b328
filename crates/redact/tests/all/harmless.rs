//! Lines of packages, documentation and build logs in which nothing is secret stay as they are.
//!
//! The lines are drawn with a seed from the folders that exist here, or from those that `HANDRAIL_HARMLESS` names, parted by
//! colons. Whether a line is drawn depends on the seed and its file alone, so that what else is there makes no difference;
//! `HANDRAIL_HARMLESS_ALL` takes all of them. A line that gives a secret to a name, as documentation and fixtures do, is no
//! harmless one: `REASONS` says which.

#![expect(clippy::disallowed_methods, reason = "a test may read files and the environment")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::soak::soak;
use crate::support::redact_with;
use handrail_redact::{Options, Redactor};

/// Fewest lines drawn with all seeds from the folders that are known to be there; with all of them there, each seed draws more.
const LINES: usize = 10_000;

/// Where a machine has the documentation of whatever is installed.
const DOCUMENTATION: &str = "/usr/share/doc";

/// The first alone is drawn with unless `HANDRAIL_SOAK` asks for more.
const SEEDS: [u64; 4] = [1, 2, 3, 4];

/// One file of so many is drawn from with one seed.
const SHARE: u64 = 2;

/// Larger files are generated.
const FILE_BYTES: u64 = 4 << 20;

/// A line that is longer is a program in one line.
const LINE_BYTES: usize = 4 << 10;

/// Of lines that are long enough to hold something at most this many are drawn from one file.
const LINES_OF_A_FILE: usize = 4;

/// What was masked, and the line around it.
struct Masked<'l> {
    before: &'l str,
    value: &'l str,
    after: &'l str,
}

type Holds = fn(&Masked<'_>) -> bool;

/// Why a part of a line that was masked is no harmless one: what it is, by what stands right next to it. Nothing else on the
/// line counts.
const REASONS: &[(&str, Holds)] = &[
    ("the password of an address", |masked| {
        let authority =
            masked.before.rsplit("://").next().filter(|_| masked.before.contains("://"));
        masked.after.starts_with('@')
            && authority.is_some_and(|user| {
                user.ends_with(':') && !user.contains(['/', ' ', '"', '<', '\'', '`'])
            })
    }),
    ("a literal in quotes behind the name of a secret", |masked| {
        let Some(quote) = masked.before.chars().next_back() else { return false };
        let operator = masked.before[..masked.before.len() - quote.len_utf8()].trim_end();
        let name = operator.trim_end_matches([':', '=', '>']);
        let name = name.trim_end().trim_end_matches(['"', '\'']).to_ascii_lowercase();
        ['"', '\'', '`'].contains(&quote)
            && masked.after.starts_with(quote)
            && operator.ends_with([':', '=', '>'])
            && ["password", "passphrase", "secret", "token"].iter().any(|word| name.ends_with(word))
    }),
    ("a literal in a call behind the name of a secret", |masked| {
        let Some((before, call)) = masked.before.rsplit_once(" = new ") else { return false };
        before.ends_with("password") && call == "Password('" && masked.after.starts_with("')")
    }),
    ("a number of a member", |masked| {
        let before = masked.before.strip_suffix('"').unwrap_or(masked.before);
        before.ends_with("{\"password\":") && masked.after.trim_start_matches('"').starts_with('}')
    }),
    ("a key that is decoded", |masked| {
        masked.before.ends_with("key = Base64.decode64(\"") && masked.after.starts_with("\")")
    }),
    ("a credential behind a scheme", |masked| {
        let before = masked.before.to_ascii_lowercase();
        before.contains("authorization")
            && ["bearer ", "token ", "basic "].iter().any(|scheme| before.ends_with(scheme))
    }),
    ("a token with a known beginning", |masked| {
        masked.value.len() >= 20
            && ["ghp_", "gho_", "ghs_", "ghu_", "eyJ", "AKIA"]
                .iter()
                .any(|prefix| masked.value.starts_with(prefix))
    }),
    ("the password of a line of a netrc file", |masked| {
        masked.before.contains("login ") && masked.before.ends_with(" password ")
    }),
    ("a parameter of an address that is a token", |masked| {
        ["?token=", "&token=", "?key=", "ignature=", "&sig="]
            .iter()
            .any(|name| masked.before.ends_with(name))
    }),
    ("the variable of a password", |masked| masked.before.ends_with("PASSWORD=")),
];

/// The reason for each part of a line that was masked; `None` is none.
fn reasons(redactor: &Redactor, line: &str) -> Vec<Option<&'static str>> {
    let findings = redactor.scan(line.as_bytes());
    let reason = |start: usize, end: usize| {
        let masked =
            Masked { before: &line[..start], value: &line[start..end], after: &line[end..] };
        REASONS.iter().find(|(_, holds)| holds(&masked)).map(|(reason, _)| *reason)
    };
    findings.iter().map(|finding| reason(finding.start, finding.end)).collect()
}

fn folders() -> Vec<PathBuf> {
    if let Some(named) = env::var_os("HANDRAIL_HARMLESS") {
        return env::split_paths(&named).collect();
    }
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| in_home(".cargo"));
    let mut folders = vec![repository().join("node_modules"), DOCUMENTATION.into()];
    folders.extend(cargo.map(|cargo| cargo.join("registry/src")));
    folders.retain(|folder| folder.is_dir());
    folders
}

/// What programs wrote when they built something here; `npm run bench -- redact` records more of it.
fn build_logs() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [Some(repository().join("target")), in_home(".npm/_logs")].into_iter().flatten() {
        files(&folder, &mut found);
    }
    found.retain(|path| {
        let is_output = ["output", "stderr"].iter().any(|name| path.ends_with(name));
        is_output || path.extension().is_some_and(|extension| extension == "log")
    });
    found
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn in_home(path: &str) -> Option<PathBuf> {
    env::var_os("HOME").map(|home| Path::new(&home).join(path))
}

/// All files below `folder`, in order, without what tools keep there for themselves.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && entry.file_name() != ".cache" {
            files(&entry.path(), found);
        } else if kind.is_file() && entry.metadata().is_ok_and(|data| data.len() < FILE_BYTES) {
            found.push(entry.path());
        }
    }
}

/// A number that looks random and depends on all that is given: the same on every machine.
fn hash(seed: u64, path: &str, line: usize) -> u64 {
    let mut hash = seed ^ 0xcbf2_9ce4_8422_2325;
    for byte in path.bytes().chain(line.to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

/// A file, and what it is called below its folder.
struct File {
    path: PathBuf,
    name: String,
}

fn files_below(folder: &Path, found: Vec<PathBuf>) -> impl Iterator<Item = File> {
    found.into_iter().map(move |path| {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        File { path, name }
    })
}

/// The lines of a text that are drawn with a seed: `most` of them.
fn draw<'t>(seed: u64, name: &str, text: &'t str, most: usize) -> Vec<&'t str> {
    let mut lines: Vec<(u64, &str)> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| (8..LINE_BYTES).contains(&line.len()))
        .map(|(number, line)| (hash(seed, name, number + 1), line))
        .collect();
    lines.sort_unstable();
    lines.truncate(most);
    lines.into_iter().map(|(_, line)| line).collect()
}

#[test]
fn no_harmless_line_changes() {
    let redactor =
        Redactor::new(Options { label: true, ..Options::default() }).expect("the default options");
    let named = env::var_os("HANDRAIL_HARMLESS").is_some();
    let all = env::var_os("HANDRAIL_HARMLESS_ALL").is_some();
    let most = if all { usize::MAX } else { LINES_OF_A_FILE };
    let mut found = Vec::new();
    for folder in folders() {
        let mut paths = Vec::new();
        files(&folder, &mut paths);
        found.extend(files_below(&folder, paths));
    }
    if !named {
        found.extend(files_below(&repository(), build_logs()));
    }
    assert!(!found.is_empty(), "the registry that the tests are built from is there");
    let (mut changed, mut excused) = (Vec::new(), Vec::new());
    // What is installed is not ours to choose: lines that nobody looked at before count by their share.
    let is_strange = |path: &Path| path.starts_with(DOCUMENTATION);
    let (mut drawn, mut strange) = (0, 0);
    let seeds = if all || soak() <= 1 { &SEEDS[..1] } else { &SEEDS };
    for seed in seeds {
        for File { path, name } in &found {
            if !all && !hash(*seed, name, 0).is_multiple_of(SHARE) {
                continue;
            }
            let Ok(text) = fs::read_to_string(path) else { continue };
            for line in draw(*seed, name, &text, most) {
                drawn += 1;
                strange += usize::from(is_strange(path));
                let redacted = redact_with(&redactor, line);
                if redacted == line {
                    continue;
                }
                let reasons = reasons(&redactor, line);
                if !reasons.is_empty() && reasons.iter().all(Option::is_some) {
                    excused.extend(reasons.into_iter().flatten());
                } else {
                    // What was masked is not shown: it may be a secret after all.
                    changed.push(format!("{}: {redacted}", path.display()));
                }
            }
        }
    }
    assert!(named || drawn >= LINES * seeds.len() / SEEDS.len(), "only {drawn} lines");
    let (of_strangers, changed): (Vec<_>, Vec<_>) =
        changed.into_iter().partition(|line| line.starts_with(DOCUMENTATION));
    assert!(of_strangers.len() * 1_000 <= strange, "of {strange} lines: {of_strangers:#?}");
    assert!(changed.is_empty(), "{changed:#?}");
    assert!(excused.len() * 1_000 < drawn, "too many are excused: {excused:?}");
}

#[test]
fn a_reason_excuses_only_what_it_is_about() {
    let redactor = Redactor::new(Options::default()).expect("the default options");
    let excused = [
        ("get('https://u:p4ss@host/')", 1),
        ("const secret = 'abcd9';", 1),
        ("password: \"abcd\", confirmPassword: \"abcd\"", 2),
        ("machine h login u password abcd90", 1),
    ];
    for (line, masked) in excused {
        let reasons = reasons(&redactor, line);
        assert!(reasons.len() == masked && reasons.iter().all(Option::is_some), "{line}");
    }
    // The password of the address and the literal excuse themselves; what else is masked on their line stays a change.
    for (line, reason) in [
        ("see https://u:p4ss@host/ and token=x1y2z3", Some("the password of an address")),
        ("secret: 'abcd9', pass: x1y2z3", Some("a literal in quotes behind the name of a secret")),
        ("token=x1y2z3 # password: the \"quoted\"", None),
    ] {
        let mut found = reasons(&redactor, line);
        assert_eq!(found.pop(), Some(None), "{line}");
        assert_eq!(found.pop().flatten(), reason, "{line}");
    }
}

#[test]
fn what_is_drawn_depends_on_the_file_alone() {
    let text = (0..100).map(|number| format!("line {number} of it")).collect::<Vec<_>>().join("\n");
    let drawn = draw(1, "a/b.txt", &text, LINES_OF_A_FILE);
    assert_eq!(drawn, draw(1, "a/b.txt", &text, LINES_OF_A_FILE));
    assert_ne!(drawn, draw(2, "a/b.txt", &text, LINES_OF_A_FILE));
    assert_ne!(drawn, draw(1, "a/c.txt", &text, LINES_OF_A_FILE));
    // A line that was not drawn makes no difference, whatever it says.
    let other = (0..100).find(|number| !drawn.contains(&&*format!("line {number} of it")));
    let changed = text.replace(&format!("line {} of it", other.unwrap_or(0)), "something else");
    assert_eq!(drawn, draw(1, "a/b.txt", &changed, LINES_OF_A_FILE));
    let share =
        (0..6_000).filter(|number| hash(1, &format!("{number}"), 0).is_multiple_of(SHARE)).count();
    assert!((2_850..3_150).contains(&share), "{share}");
}
