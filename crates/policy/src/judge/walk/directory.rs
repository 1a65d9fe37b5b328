//! Tracks the working directory of a script through its `cd` commands.

use super::super::{Judge, ReasonText};
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::verdict::Decision;

/// The folder of temporary files that all users share, unless a run has its own.
pub(super) const SHARED_TEMPORARY_FOLDER: &str = "/tmp";

impl Judge<'_> {
    /// Judges `cd` and `pushd`.
    pub(super) fn change_directory(&mut self, program: &Program, words: &[Word]) {
        let is_option = |word: &&Word| matches!(word.text.as_str(), "-L" | "-P" | "--");
        let operands: Vec<&Word> = words[1..].iter().skip_while(is_option).collect();
        let target = match operands.as_slice() {
            [word]
                if (!mark::is_in(&word.text) || mark::is_temporary_path(&word.text))
                    && !word.text.is_empty()
                    && !word.text.starts_with(['-', '+']) =>
            {
                Some(word.text.as_str())
            }
            _ => None,
        };
        let targets = target.and_then(|target| self.resolve(target));
        let roots = self.walk.surroundings.writable_roots;
        let is_temporary = |path: &String| is_beneath(path, SHARED_TEMPORARY_FOLDER);
        let is_left_to_bash = if targets.as_ref().is_some_and(|all| all.iter().all(is_temporary))
            && self.is_temporary_folder_own()
        {
            true
        } else {
            match (roots, self.walk.surroundings.directory) {
                (None, _) | (Some(_), None) => true,
                (Some(roots), Some(start)) => targets.as_ref().is_some_and(|targets| {
                    targets.iter().all(|path| {
                        mark::is_temporary_path(&path[1..])
                            || is_beneath(path, start)
                            || roots.iter().any(|root| is_beneath(path, root))
                    })
                }),
            }
        };
        if !is_left_to_bash {
            let (message, hint) = if targets.is_some() {
                ("The directory lies outside of the roots", "Change to one beneath them.")
            } else {
                let hint = "Change to a literal path beneath a root.";
                ("The directory is only known when it runs", hint)
            };
            let text = ReasonText { program: Some(program), message: message.to_owned(), hint };
            self.add_reason(Decision::Ask, rule_id::PROGRAM_DIRECTORY, words[0].span, text);
        }
        self.walk.shell.record_cd(targets);
    }

    /// Judges something that runs in other directories, or in an unknown one, and leaves that of the script.
    pub(in crate::judge) fn in_directories(
        &mut self,
        directories: Option<Vec<String>>,
        judge: impl FnOnce(&mut Self),
    ) {
        let outer = std::mem::replace(&mut self.walk.shell.directories, directories);
        judge(self);
        self.walk.shell.directories = outer;
    }

    /// The absolute paths, without `.` and `..`, that a path may stand for. `None` when the working directory is
    /// unknown.
    pub(in crate::judge) fn resolve(&self, path: &str) -> Option<Vec<String>> {
        if path.starts_with(['/', mark::TEMPORARY_PATH]) {
            return Some(vec![normal(path)]);
        }
        let directories = self.walk.shell.directories.as_ref()?;
        Some(directories.iter().map(|directory| normal(&format!("{directory}/{path}"))).collect())
    }
}

pub(in crate::judge) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Whether an absolute path is this folder or lies in it.
pub(in crate::judge) fn is_beneath(path: &str, folder: &str) -> bool {
    let folder = normal(folder);
    path == folder
        || folder == "/"
        || path.strip_prefix(&folder).is_some_and(|rest| rest.starts_with('/'))
}
