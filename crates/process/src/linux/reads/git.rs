//! Folders of git outside of a root that a repository in the root needs.
//!
//! Commands may write the file `.git` of a root, so its word alone opens nothing: the folder that it names has to name the
//! root in turn, and has to lie where commands do not write.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use handrail_files::Roots;
use rustix::fs::{Mode, OFlags};

/// The most that is read of a file of git.
const MAX_FILE_BYTES: u64 = 64 * 1024;
/// Most repositories whose objects are borrowed one from another.
const MAX_ALTERNATES: usize = 8;

/// The folders of git that the repositories of these roots need: those of a linked worktree or a submodule, and those that
/// objects are borrowed from.
pub(super) fn folders(roots: &Roots) -> Vec<PathBuf> {
    let Roots::Only(all) = roots else { return Vec::new() };
    let mut found = Vec::new();
    for root in all.iter().map(handrail_files::Root::path) {
        let own = root.join(".git");
        if own.is_dir() {
            add_alternates(&own, roots, &mut found);
        } else if let Some(folder) = linked(root, &own, roots) {
            add_alternates(&folder, roots, &mut found);
            found.push(folder);
        }
    }
    found
}

/// The folder of the repository that a worktree or a submodule belongs to.
fn linked(root: &Path, file: &Path, roots: &Roots) -> Option<PathBuf> {
    let text = read(file)?;
    let folder = real(root, text.strip_prefix("gitdir: ")?)?;
    if roots.is_writable(&folder) {
        return None;
    }
    if let Some(named) = read(&folder.join("gitdir")) {
        let common = real(&folder, &read(&folder.join("commondir"))?)?;
        let is_one_of_its = folder.parent() == Some(&common.join("worktrees"));
        let is_named = real(&folder, &named)? == *file;
        return (is_one_of_its && is_named && !roots.is_writable(&common)).then_some(common);
    }
    let config = read(&folder.join("config"))?;
    let mut lines = config.lines().filter_map(|line| line.split_once('='));
    let (_, worktree) = lines.find(|(name, _)| name.trim() == "worktree")?;
    (real(&folder, worktree.trim().trim_matches('"'))? == root).then_some(folder)
}

fn add_alternates(git: &Path, roots: &Roots, found: &mut Vec<PathBuf>) {
    let mut waiting = vec![git.join("objects")];
    for _ in 0..MAX_ALTERNATES {
        let Some(objects) = waiting.pop() else { return };
        let list = objects.join("info/alternates");
        if roots.is_writable(&list) {
            continue;
        }
        let text = read(&list).unwrap_or_default();
        let named = text.lines().filter(|line| !line.starts_with('#'));
        let borrowed = named.filter_map(|line| real(&objects, line));
        for folder in borrowed.filter(|folder| folder.join("pack").is_dir()) {
            waiting.push(folder.clone());
            found.push(folder);
        }
    }
}

/// The canonical path of a name in a file of git.
fn real(above: &Path, name: &str) -> Option<PathBuf> {
    let name = name.trim_end_matches(['\r', '\n']);
    if name.is_empty() {
        return None;
    }
    std::fs::canonicalize(above.join(name)).ok()
}

/// The beginning of a file. A command may put a pipe in its place meanwhile, which would be waited for.
fn read(path: &Path) -> Option<String> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    file.take(MAX_FILE_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}
