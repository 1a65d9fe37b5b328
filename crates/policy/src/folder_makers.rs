//! Finds the dependency folders that a command makes where they are missing.
//!
//! The kernel executes what lies in a folder that was there when a run started, so a host makes such a folder, empty, before
//! that run. This is no judgement: a folder that is made in vain is removed after the run, and one that is not made costs
//! the execution of what the run itself puts there.

use crate::judge::walk::{every_command, every_word};
use crate::program::base_name;
use crate::syntax::tree::{Assignment, Command, RawWord};
use crate::syntax::{Dialect, grammar};
use crate::tables::dependency_folders::{
    BUILD_FOLDER, DEPENDENCY_FOLDERS, DependencyFolder, Maker,
};
use crate::tables::holds;

/// How deep words that are scripts are read: `bash -c 'npm ci'`, and one in that.
const MAX_DEPTH: usize = 2;

/// Whether a folder of this name is one of dependencies or build results, whose programs start programs and load
/// libraries of the same folder.
pub fn is_dependency_folder(name: &str) -> bool {
    row(name).is_some()
}

/// The dependency folders that a command makes where they are missing.
#[derive(Clone, Debug, Default)]
pub struct FolderMakers {
    /// The words of each simple command, the values of its assignments among them.
    commands: Vec<Vec<String>>,
    /// All words of the text.
    words: Vec<String>,
    /// Whether it is a shell, and what is typed into it is not known yet.
    is_shell: bool,
}

/// Where a folder is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// Wherever it is missing: the command names it.
    Anywhere,
    /// Beside a file of one of these names, which have blanks between them.
    Beside(&'static str),
}

impl FolderMakers {
    /// The makers in a text in bash syntax, among these programs that it starts.
    pub fn of_text(text: &str, programs: &[String]) -> FolderMakers {
        let mut makers = FolderMakers::default();
        if programs.iter().any(|name| is_maker(name)) {
            makers.add_text(text, 0);
        }
        makers
    }

    /// The same of one command.
    pub fn of_words(words: &[String], programs: &[String]) -> FolderMakers {
        let mut makers = FolderMakers::default();
        if programs.iter().any(|name| is_maker(name)) {
            makers.words = words.to_vec();
            makers.commands.push(words.to_vec());
            for word in words {
                makers.add_script(word, 0);
            }
        }
        makers
    }

    /// A shell whose lines are typed later.
    pub fn of_shell() -> FolderMakers {
        FolderMakers { is_shell: true, ..FolderMakers::default() }
    }

    /// Whether no folder is made.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty() && !self.is_shell
    }

    /// Whether the folder of this name is made, and where. `build_folder` is the value of the variable that names the
    /// folder of build results. Nothing is made where another command than the maker names the folder, which may test
    /// for it, remove it or make it.
    pub fn made(&self, name: &str, build_folder: Option<&str>) -> Option<Made> {
        let is_build_folder = build_folder.is_some_and(|path| names(path, name));
        let known = row(name);
        let row = known.or_else(|| row(BUILD_FOLDER))?;
        if self.is_shell {
            return if is_build_folder {
                Some(Made::Anywhere)
            } else {
                known.filter(|row| !row.manifests.is_empty()).map(|row| Made::Beside(row.manifests))
            };
        }
        let is_named = |words: &[String]| words.iter().filter(|word| names(word, name)).count();
        let mut made = None;
        let mut named_by_makers = 0;
        for words in &self.commands {
            let Some(rest) = row.makers.iter().find_map(|maker| maker.uses(words)) else {
                continue;
            };
            let count = is_named(&rest.words);
            if count > 0 || is_build_folder {
                made = Some(Made::Anywhere);
            } else if known.is_some() && !rest.is_named {
                made = made.or(Some(Made::Beside(row.manifests)));
            }
            named_by_makers += is_named(words);
        }
        made.filter(|_| is_named(&self.words) == named_by_makers)
    }

    fn add_text(&mut self, text: &str, depth: usize) {
        let Ok(script) = grammar::read(text, Dialect::Bash).script else { return };
        every_command(&script, &mut |command| {
            if let Command::Simple(simple) = command {
                let values = simple.assignments.iter().flat_map(Assignment::words);
                self.commands.push(values.chain(&simple.words).map(text_of).collect());
            }
        });
        let mut words = Vec::new();
        every_word(&script, &mut |word| words.push(text_of(word)));
        for word in words {
            self.add_script(&word, depth);
            self.words.push(word);
        }
    }

    /// Adds the commands of a word that may be a script.
    fn add_script(&mut self, word: &str, depth: usize) {
        if depth < MAX_DEPTH && word.contains(char::is_whitespace) {
            self.add_text(word, depth + 1);
        }
    }
}

/// A use of a maker.
struct Use {
    /// The words of the command that may name the folder.
    words: Vec<String>,
    /// Whether only a folder that they name is made.
    is_named: bool,
}

impl Maker {
    /// The use of this maker in a command, also after launchers such as `timeout`.
    fn uses(&self, words: &[String]) -> Option<Use> {
        let at = words.iter().position(|word| holds(self.programs, base_name(word)))?;
        let mut rest = words.to_vec();
        rest.remove(at);
        if !self.words.is_empty() {
            let at = (at..rest.len()).find(|&at| holds(self.words, &rest[at]))?;
            rest.remove(at);
        }
        Some(Use { words: rest, is_named: self.is_named })
    }
}

fn row(name: &str) -> Option<&'static DependencyFolder> {
    DEPENDENCY_FOLDERS.iter().find(|row| row.name == name)
}

fn is_maker(program: &str) -> bool {
    let mut makers = DEPENDENCY_FOLDERS.iter().flat_map(|row| row.makers);
    makers.any(|maker| holds(maker.programs, program))
}

/// Whether a word is a path of a folder with this name, or of everything in it.
fn names(word: &str, name: &str) -> bool {
    let value = word.rsplit('=').next().unwrap_or_default();
    let path = value.trim_end_matches('*').trim_end_matches(['/', '.']);
    path.rsplit('/').next() == Some(name)
}

fn text_of(word: &RawWord) -> String {
    word.characters().map(|(character, _)| character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str, name: &str) -> Option<Made> {
        let programs = "npm yarn pnpm cargo make uv python3 virtualenv bash".split(' ');
        let programs: Vec<String> = programs.map(str::to_owned).collect();
        FolderMakers::of_text(text, &programs).made(name, None)
    }

    #[test]
    fn folders_are_made_for_their_makers_only() {
        let node = Some(Made::Beside("package.json"));
        let rust = Some(Made::Beside("Cargo.toml"));
        for (text, name, expected) in [
            ("npm ci", "node_modules", node),
            ("npm --prefix packages/api install --no-audit", "node_modules", node),
            (
                "cd api && CI=1 timeout 60 npm i 2>&1 | tail -5; ls node_modules/.bin",
                "node_modules",
                node,
            ),
            ("bash -c 'npm ci && npm test'", "node_modules", node),
            ("yarn", "node_modules", node),
            ("npm test", "node_modules", None),
            ("npm run build", "node_modules", None),
            ("ls", "node_modules", None),
            ("cargo build", "node_modules", None),
            ("cargo build && ./target/debug/app", "target", rust),
            ("make", "target", rust),
            ("cargo clean", "target", None),
            ("cargo --version", "target", None),
            ("npm run build", "target", rust),
            ("cargo run --target-dir out/t2", "t2", Some(Made::Anywhere)),
            ("cargo run --target-dir=t2", "t2", Some(Made::Anywhere)),
            ("CARGO_TARGET_DIR=t2 cargo run", "t2", Some(Made::Anywhere)),
            ("cargo run", "t2", None),
            ("cp a t2", "t2", None),
            ("python3 -m venv .venv && .venv/bin/pip install x", ".venv", Some(Made::Anywhere)),
            ("python3 -m venv .venv", "venv", None),
            ("python3 -m venv venv", "venv", Some(Made::Anywhere)),
            ("python3 -m venv venv", ".venv", None),
            ("python3 app.py", ".venv", None),
            ("virtualenv .venv", ".venv", Some(Made::Anywhere)),
            ("uv venv venv", "venv", Some(Made::Anywhere)),
            ("uv pip install x", ".venv", None),
            // Another command would see the folder, or wants it for itself.
            ("rm -rf node_modules && npm ci", "node_modules", None),
            ("test -d ./node_modules || npm ci", "node_modules", None),
            ("if [[ ! -e api/node_modules/ ]]; then npm ci; fi", "node_modules", None),
            ("npm ci > node_modules", "node_modules", None),
            ("for x in node_modules; do ls $x; done; npm ci", "node_modules", None),
            ("mkdir -p node_modules; npm ci", "node_modules", None),
            ("bash -c 'rm -r node_modules; npm ci'", "node_modules", None),
            ("git clone x target && cd target && cargo build", "target", None),
            ("ls .venv/* || python3 -m venv .venv", ".venv", None),
            ("npm ci && if", "node_modules", None),
        ] {
            assert_eq!(made(text, name), expected, "{text} {name}");
        }
        assert!(made("uv sync", ".venv").is_some() && made("uv sync", "venv").is_none());
    }

    #[test]
    fn what_is_typed_later_may_make_each_folder() {
        let shell = FolderMakers::of_shell();
        assert_eq!(shell.made("node_modules", None), Some(Made::Beside("package.json")));
        assert_eq!(shell.made("t2", Some("/srv/app/t2")), Some(Made::Anywhere));
        for name in ["t2", "venv", "vendor"] {
            assert_eq!(shell.made(name, Some("/srv/app/t3")), None, "{name}");
        }
        let programs = ["cargo".to_owned()];
        let words = ["cargo", "run"].map(str::to_owned);
        let build = FolderMakers::of_words(&words, &programs);
        assert_eq!(build.made("t2", Some("t2")), Some(Made::Anywhere));
        assert_eq!(build.made("t2", None), None);
        assert!(FolderMakers::of_words(&["ls".to_owned()], &["ls".to_owned()]).is_empty());
    }
}
