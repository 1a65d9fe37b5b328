//! Lines of packages, documentation and build logs in which nothing is secret stay as they are.
//!
//! The lines are drawn with a seed from the folders that exist here, or from those that `HANDRAIL_HARMLESS` names, parted by
//! colons. A line that gives a secret to a name, as documentation and fixtures do, is no harmless one: `REASONS` says which.

#![expect(clippy::disallowed_methods, reason = "a test may read files and the environment")]

mod support;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use handrail_redact::{Options, Redactor};
use support::redact_with;

const LINES: usize = 10_000;

const SEEDS: [u64; 4] = [1, 2, 3, 4];

/// Larger files are generated.
const FILE_BYTES: u64 = 4 << 20;

/// A line that is longer is a program in one line.
const LINE_BYTES: usize = 4 << 10;

/// Of lines that are long enough to hold something this many are drawn from one file.
const LINES_OF_A_FILE: usize = 4;

type Holds = fn(&str) -> bool;

/// Why a line that was changed is no harmless one, and what it holds then.
const REASONS: &[(&str, Holds)] = &[
    ("an address with a password", |line| {
        line.split("://").skip(1).any(|rest| {
            let authority = rest.split(['/', ' ', '"', '<', '\'', '`']).next().unwrap_or_default();
            authority.split_once('@').is_some_and(|(user, _)| user.contains(':'))
        })
    }),
    ("a literal in quotes behind the name of a secret", |line| {
        let line = line.to_ascii_lowercase();
        ["password", "passphrase", "secret", "token"].iter().any(|name| {
            line.split(name).skip(1).any(|rest| {
                let value = rest.trim_start_matches(['"', '\'', ' ', ':', '=', '`']);
                let between = &rest[..rest.len() - value.len()];
                between.contains([':', '=']) && between.ends_with(['"', '\'', '`'])
            })
        })
    }),
    ("a credential behind a scheme", |line| {
        let line = line.to_ascii_lowercase();
        line.contains("authorization")
            && ["bearer ", "token ", "basic "].iter().any(|scheme| line.contains(scheme))
    }),
    ("a token with a known beginning", |line| {
        ["ghp_", "gho_", "ghs_", "ghu_", "eyJ", "AKIA"].iter().any(|prefix| line.contains(prefix))
    }),
    ("a line of a netrc file", |line| line.contains("login ") && line.contains("password ")),
    ("a parameter of an address that is a token", |line| {
        ["?token=", "&token=", "?key=", "ignature="].iter().any(|name| line.contains(name))
    }),
];

fn folders() -> Vec<PathBuf> {
    if let Some(named) = env::var_os("HANDRAIL_HARMLESS") {
        return env::split_paths(&named).collect();
    }
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| in_home(".cargo"));
    let mut folders = vec![repository().join("node_modules"), "/usr/share/doc".into()];
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

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(0) % limit
    }
}

#[test]
fn no_harmless_line_changes() {
    let redactor =
        Redactor::new(Options { label: true, ..Options::default() }).expect("the default options");
    let below = |folder: &PathBuf| {
        let mut found = Vec::new();
        files(folder, &mut found);
        found
    };
    let mut folders: Vec<Vec<PathBuf>> = folders().iter().map(below).collect();
    if env::var_os("HANDRAIL_HARMLESS").is_none() {
        folders.push(build_logs());
    }
    folders.retain(|files| !files.is_empty());
    assert!(!folders.is_empty(), "the registry that the tests are built from is there");
    let mut changed = Vec::new();
    let mut excused = Vec::new();
    for seed in SEEDS {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut drawn = 0;
        while drawn < LINES {
            let files = &folders[random.below(folders.len())];
            let path = &files[random.below(files.len())];
            let Ok(text) = fs::read_to_string(path) else { continue };
            let lines: Vec<&str> =
                text.lines().filter(|line| (8..LINE_BYTES).contains(&line.len())).collect();
            for _ in 0..LINES_OF_A_FILE.min(lines.len()) {
                let line = lines[random.below(lines.len())];
                drawn += 1;
                let redacted = redact_with(&redactor, line);
                if redacted == line {
                    continue;
                }
                match REASONS.iter().find(|(_, holds)| holds(line)) {
                    Some((reason, _)) => excused.push(*reason),
                    // What was masked is not shown: it may be a secret after all.
                    None => changed.push(format!("{}: {redacted}", path.display())),
                }
            }
        }
    }
    assert!(changed.is_empty(), "{changed:#?}");
    assert!(excused.len() * 1_000 < SEEDS.len() * LINES, "too many are excused: {excused:?}");
}
