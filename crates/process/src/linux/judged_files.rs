//! Files beneath the roots that a judgement reads: scripts that a command takes as code, and programs of an environment
//! that it activates.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use handrail_policy::{FileText, Files};
use rustix::fs::{Mode, OFlags};

/// The longest file that is judged as code.
const MAX_SOURCED_BYTES: u64 = 64 * 1024;
/// Most files that one judgement reads.
const MAX_SOURCED_FILES: usize = 16;

/// Reads files for one judgement, each once, so that every answer stays the same.
pub(crate) struct JudgedFiles<'a> {
    /// Every spelling of the roots that commands may write to.
    roots: &'a [String],
    texts: RefCell<HashMap<String, FileText>>,
}

impl<'a> JudgedFiles<'a> {
    /// Reads nothing yet.
    pub(crate) fn new(roots: &'a [String]) -> JudgedFiles<'a> {
        JudgedFiles { roots, texts: RefCell::default() }
    }

    fn read(&self, path: &str) -> FileText {
        let Ok(resolved) = std::fs::canonicalize(path) else {
            let is_missing = std::fs::symlink_metadata(path).is_err();
            return if is_missing { FileText::Missing } else { FileText::Unreadable };
        };
        if !self.roots.iter().any(|root| resolved.starts_with(root)) {
            return FileText::Unreadable;
        }
        read_text(&resolved).map_or(FileText::Unreadable, FileText::Text)
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

    fn is_program(&self, path: &str) -> bool {
        std::fs::metadata(path)
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
        let read =
            |name: &str| JudgedFiles::new(&roots).text(root.join(name).to_str().expect("text"));
        assert_eq!(read("env"), FileText::Text("A=1\n".to_owned()));
        assert!(matches!(read("longest"), FileText::Text(_)));
        for name in ["longer", "bytes", "link", "."] {
            assert_eq!(read(name), FileText::Unreadable, "{name}");
        }
        assert_eq!(read("none"), FileText::Missing);
        // What was answered once stays the answer.
        let files = JudgedFiles::new(&roots);
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
}
