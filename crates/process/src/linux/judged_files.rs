//! Files beneath the roots that a judgement reads: scripts that a command takes as code, and programs of an environment
//! that it activates.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use handrail_files::{DirectoryRefusal, Roots};
use handrail_policy::{Entry, FileText, Files};
use rustix::fs::{Mode, OFlags};

/// The longest file that is judged as code.
const MAX_SOURCED_BYTES: u64 = 64 * 1024;
/// Most files that one judgement reads.
const MAX_SOURCED_FILES: usize = 16;

/// Reads files for one judgement, each once, so that every answer stays the same.
pub(crate) struct JudgedFiles<'a> {
    /// Every spelling of the roots that commands may write to.
    roots: &'a [String],
    /// All roots. Where one has a second path, links are followed as commands follow them.
    all: &'a Roots,
    texts: RefCell<HashMap<String, FileText>>,
}

impl<'a> JudgedFiles<'a> {
    /// Reads nothing yet.
    pub(crate) fn new(roots: &'a [String], all: &'a Roots) -> JudgedFiles<'a> {
        JudgedFiles { roots, all, texts: RefCell::default() }
    }

    /// The path without links. An error where there is none.
    fn resolve(&self, path: &str) -> Result<PathBuf, FileText> {
        let path = Path::new(path);
        if self.all.have_second_paths() {
            return self.all.canonical(path).map_err(|refusal| match refusal {
                DirectoryRefusal::NotFound => FileText::Missing,
                _ => FileText::Unreadable,
            });
        }
        self.all.canonicalize(path).map_err(|_| {
            let is_missing = self.all.symlink_metadata(path).is_err();
            if is_missing { FileText::Missing } else { FileText::Unreadable }
        })
    }

    fn read(&self, path: &str) -> FileText {
        let resolved = match self.resolve(path) {
            Ok(resolved) => resolved,
            Err(answer) => return answer,
        };
        if !self.roots.iter().any(|root| resolved.starts_with(root)) {
            return FileText::Unreadable;
        }
        read_text(&self.all.openable(&resolved)).map_or(FileText::Unreadable, FileText::Text)
    }
}

impl Files for JudgedFiles<'_> {
    fn text(&self, path: &str) -> FileText {
        if let Some(known) = self.texts.borrow().get(path) {
            return known.clone();
        }
        let is_one_too_many = self.texts.borrow().len() >= MAX_SOURCED_FILES;
        let text = if is_one_too_many { FileText::Unreadable } else { self.read(path) };
        self.texts.borrow_mut().insert(path.to_owned(), text.clone());
        text
    }

    fn entry(&self, path: &str) -> Entry {
        match self.resolve(path) {
            Err(FileText::Missing) => Entry::Missing,
            Ok(resolved) if resolved.is_dir() => Entry::Folder,
            _ => Entry::Other,
        }
    }

    fn is_program(&self, path: &str) -> bool {
        let Ok(resolved) = self.resolve(path) else { return false };
        std::fs::metadata(self.all.openable(&resolved))
            .is_ok_and(|status| status.is_file() && status.permissions().mode() & 0o111 != 0)
    }
}

/// The text of a regular file that is not too long.
fn read_text(path: &Path) -> Option<String> {
    // Opening a pipe must not wait for a process at its other end.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = std::fs::File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    let status = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut text = String::new();
    let is_short = status.len() <= MAX_SOURCED_BYTES;
    let read = is_short.then(|| file.take(MAX_SOURCED_BYTES + 1).read_to_string(&mut text))?;
    read.ok().filter(|read| *read as u64 <= MAX_SOURCED_BYTES)?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_of_regular_files_beneath_a_root_is_read() {
        let folder = std::env::temp_dir().join(format!("handrail-judged-{}", std::process::id()));
        let (root, outside) = (folder.join("root"), folder.join("outside"));
        std::fs::create_dir_all(&root).expect("a folder");
        std::fs::create_dir_all(&outside).expect("a folder");
        let folder = std::fs::canonicalize(&folder).expect("its path");
        let (root, outside) = (folder.join("root"), folder.join("outside"));
        let write = |path: &Path, bytes: &[u8]| std::fs::write(path, bytes).expect("a file");
        let limit = usize::try_from(MAX_SOURCED_BYTES).expect("a number");
        write(&root.join("env"), b"A=1\n");
        write(&root.join("longest"), &vec![b'a'; limit]);
        write(&root.join("longer"), &vec![b'a'; limit + 1]);
        write(&root.join("bytes"), &[0xff, 0xfe]);
        write(&outside.join("env"), b"A=1\n");
        std::os::unix::fs::symlink(outside.join("env"), root.join("link")).expect("a link");
        let roots = [root.to_str().expect("text").to_owned()];
        let all = Roots::Unrestricted;
        let read = |name: &str| {
            JudgedFiles::new(&roots, &all).text(root.join(name).to_str().expect("text"))
        };
        assert_eq!(read("env"), FileText::Text("A=1\n".to_owned()));
        assert!(matches!(read("longest"), FileText::Text(_)));
        for name in ["longer", "bytes", "link", "."] {
            assert_eq!(read(name), FileText::Unreadable, "{name}");
        }
        assert_eq!(read("none"), FileText::Missing);
        // What was answered once stays the answer.
        let files = JudgedFiles::new(&roots, &all);
        let path = root.join("env").to_str().expect("text").to_owned();
        let before = files.text(&path);
        write(&root.join("env"), b"B=2\n");
        assert_eq!(files.text(&path), before);
        for number in 1..MAX_SOURCED_FILES {
            files.text(&format!("{path}{number}"));
        }
        assert_eq!(files.text(root.join("longest").to_str().expect("text")), FileText::Unreadable);
        std::fs::remove_dir_all(&folder).expect("it is removed");
    }

    #[test]
    fn links_that_name_the_second_path_of_a_root_lead_where_commands_find_them() {
        let name = format!("handrail-judged-shown-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(folder.join("root/sub")).expect("a folder");
        let folder = std::fs::canonicalize(&folder).expect("its path");
        let root = folder.join("root");
        std::fs::write(root.join("sub/env"), "A=1\n").expect("a file");
        std::fs::write(folder.join("outside"), "A=1\n").expect("a file");
        let link = |target: &str, name: &str| {
            std::os::unix::fs::symlink(target, root.join(name)).expect("a link");
        };
        link("/handrail-shown/sub", "d");
        link("/handrail-shown/../etc", "up");
        link("/handrail-shown/none", "dangling");
        let opened = handrail_files::Root::open(&root, true).expect("a root");
        let shown = opened.shown_at(Path::new("/handrail-shown")).expect("a free name");
        let all = Roots::Only(vec![shown]);
        let spellings = all.writable_spellings().expect("roots");
        let own_path = root.to_str().expect("text");
        for above in ["/handrail-shown", own_path] {
            let read =
                |name: &str| JudgedFiles::new(&spellings, &all).text(&format!("{above}/{name}"));
            assert_eq!(read("sub/env"), FileText::Text("A=1\n".to_owned()));
            assert_eq!(read("d/env"), FileText::Text("A=1\n".to_owned()));
            for name in ["none", "dangling", "d/none"] {
                assert_eq!(read(name), FileText::Missing, "{name}");
            }
            for name in ["up/passwd", "../outside", "sub"] {
                assert_eq!(read(name), FileText::Unreadable, "{name}");
            }
        }
        // Without the second path the link would hide that there is a file.
        let plain = Roots::Unrestricted;
        let path = format!("{own_path}/d/env");
        assert_eq!(JudgedFiles::new(&spellings, &plain).text(&path), FileText::Missing);
        std::fs::remove_dir_all(&folder).expect("it is removed");
    }
}
