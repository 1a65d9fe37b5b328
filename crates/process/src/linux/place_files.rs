//! The files of the places that rules name, as they are now.
//!
//! Commands may write there, so no place is protected: the plan grants what a rule names, and where a place passes through a
//! folder of dependencies, that whole folder. A folder is granted by its identity and never through a link, so that no command
//! chooses another folder by a link.

use std::collections::BTreeSet;
use std::fs::{DirEntry, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use handrail_files::Roots;
use handrail_policy::is_dependency_folder;
use handrail_policy::plan::{Place, PlaceFiles};

/// Most programs of one folder that are granted, the first ones by name.
const MAX_PROGRAMS: usize = 4096;
/// Most entries of one folder that are looked at.
const MAX_ENTRIES: usize = 65_536;
const ANYBODY_EXECUTES: u32 = 0o111;

/// The present files and folders of places.
#[derive(Debug, Default)]
pub(crate) struct FoundPlaces {
    /// Folders beneath a root, with everything beneath them.
    pub(crate) folders: BTreeSet<PathBuf>,
    /// The canonical paths of single files, which may lie anywhere.
    pub(crate) files: BTreeSet<PathBuf>,
}

/// What a place was when it was last looked at. It differs when the place has to be looked at again.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    /// When an entry of the folder last changed, where files are granted one by one.
    changed_at: Option<(i64, i64)>,
}

/// The stamps of all places, in their order.
pub(crate) fn stamps(places: &[Place], roots: &Roots) -> Vec<Option<Stamp>> {
    let stamp = |status: &Metadata, by_entry: bool| Stamp {
        device: status.dev(),
        inode: status.ino(),
        changed_at: by_entry.then(|| (status.mtime(), status.mtime_nsec())),
    };
    let mut stamps = Vec::new();
    for (place, root) in each(places, roots) {
        let folder = root.join(place.folder());
        let look = |path: &Path| roots.symlink_metadata(path).ok();
        let by_entry = place.files() == PlaceFiles::Folder;
        stamps.push(look(&folder).map(|status| stamp(&status, by_entry)));
        if let PlaceFiles::File(name) = place.files() {
            stamps.push(roots.metadata(&folder.join(name)).ok().map(|one| stamp(&one, false)));
        }
        if let Some(dependencies) = dependency_folder(root, place) {
            stamps.push(look(&dependencies).map(|status| stamp(&status, false)));
        }
    }
    stamps
}

impl FoundPlaces {
    /// Looks at the places beneath every root.
    pub(crate) fn look(places: &[Place], roots: &Roots) -> FoundPlaces {
        let mut found = FoundPlaces::default();
        let is_own_path = |folder: &Path| is_own_path(folder, roots);
        // A folder with further places deeper in it is that of a project or a package. It holds much more than the files
        // that its own place names.
        let outer: BTreeSet<&Path> =
            places.iter().flat_map(|place| Path::new(place.folder()).ancestors().skip(1)).collect();
        for (place, root) in each(places, roots) {
            if let Some(dependencies) = dependency_folder(root, place) {
                found.add_folder(dependencies, roots);
            }
            let folder = root.join(place.folder());
            if !is_own_path(&folder) {
                continue;
            }
            match place.files() {
                PlaceFiles::File(name) => found.add_file(&folder.join(name), roots),
                PlaceFiles::Tree => found.add_folder(folder, roots),
                PlaceFiles::Folder => {
                    if folder != root && !outer.contains(Path::new(place.folder())) {
                        found.add_folder(folder.clone(), roots);
                    }
                    found.add_programs(&folder, roots);
                }
            }
        }
        found
    }

    /// Adds a folder, unless its path leads through a link.
    fn add_folder(&mut self, folder: PathBuf, roots: &Roots) {
        if is_own_path(&folder, roots) {
            self.folders.insert(folder);
        }
    }

    /// Adds the programs of a folder, the same ones whenever it has the same entries.
    fn add_programs(&mut self, folder: &Path, roots: &Roots) {
        let entries = std::fs::read_dir(roots.openable(folder))
            .into_iter()
            .flatten()
            .flatten()
            .take(MAX_ENTRIES);
        let may_be_program = |entry: &DirEntry| {
            entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_symlink())
        };
        let mut names: Vec<_> =
            entries.filter(may_be_program).map(|entry| entry.file_name()).collect();
        names.sort_unstable();
        let paths = names.iter().map(|name| folder.join(name));
        paths
            .filter(|path| is_program(path, roots))
            .take(MAX_PROGRAMS)
            .for_each(|path| self.add_file(&path, roots));
    }

    fn add_file(&mut self, path: &Path, roots: &Roots) {
        let Ok(path) = roots.canonicalize(path) else { return };
        if is_program(&path, roots) {
            self.files.insert(path);
        }
    }

    /// Whether a folder that was found includes this file.
    pub(crate) fn has_folder_of(&self, file: &Path) -> bool {
        file.ancestors().skip(1).any(|folder| self.folders.contains(folder))
    }
}

fn is_program(path: &Path, roots: &Roots) -> bool {
    roots
        .metadata(path)
        .is_ok_and(|status| status.is_file() && status.mode() & ANYBODY_EXECUTES != 0)
}

/// Whether this is the path of a folder that leads through no link.
fn is_own_path(folder: &Path, roots: &Roots) -> bool {
    roots.metadata(folder).is_ok_and(|status| status.is_dir())
        && roots.canonicalize(folder).is_ok_and(|path| path == folder)
}

/// Every place beneath every root.
fn each<'a>(places: &'a [Place], roots: &'a Roots) -> impl Iterator<Item = (&'a Place, &'a Path)> {
    let roots = match roots {
        Roots::Unrestricted => &[][..],
        Roots::Only(roots) => roots,
    };
    places.iter().flat_map(move |place| roots.iter().map(move |root| (place, root.path())))
}

/// The folders that places grant with everything beneath them, whether they are there or not, but for those of `X/*`.
pub(crate) fn granted_folders<'a>(
    places: &'a [Place],
    roots: &'a Roots,
) -> impl Iterator<Item = PathBuf> + 'a {
    each(places, roots).filter_map(|(place, root)| {
        let tree = || {
            let is_tree = place.files() == PlaceFiles::Tree && !place.folder().is_empty();
            is_tree.then(|| root.join(place.folder()))
        };
        dependency_folder(root, place).or_else(tree)
    })
}

/// The outermost folder of dependencies that a place passes through.
fn dependency_folder(root: &Path, place: &Place) -> Option<PathBuf> {
    let mut folder = root.to_path_buf();
    for part in Path::new(place.folder()).components() {
        let Component::Normal(name) = part else { continue };
        folder.push(name);
        if name.to_str().is_some_and(is_dependency_folder) {
            return Some(folder);
        }
    }
    None
}
