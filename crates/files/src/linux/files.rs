//! State and helpers that all file tools of one host share.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use handrail_policy::names_secret;
use handrail_policy::paths::{Blocked, PathRules, UnknownRule};
use handrail_redact::Redactor;

use crate::config::{FilesConfig, HardLinks, JournalConfig};
use crate::linux::journal::{Journal, JournalCall};
use crate::linux::ledger::{FileId, Ledger};
use crate::linux::path::{escaped, shown};
use crate::linux::publish::PublishOptions;
use crate::linux::resolve::{Handle, Resolver};
use crate::linux::view::MaskedView;
use crate::refusal::Refusal;
use crate::root::Root;
use crate::roots::Roots;

/// Locks for changing files, shared by all engines of this process. Each place has one of them; two places rarely share one.
static CHANGE_LOCKS: [Mutex<()>; 64] = [const { Mutex::new(()) }; 64];
/// Most files of one protected folder that are refused by their identity.
const MAX_FOLDER_SECRETS: usize = 256;

/// The file tools.
#[derive(Debug)]
pub struct Files {
    roots: Arc<Roots>,
    /// The root of the file system, which is used when there is no restriction; else empty.
    filesystem_root: Vec<Root>,
    pub(crate) rules: PathRules,
    /// Files that are not read under any name, by their identity.
    pub(crate) secret_file_ids: HashMap<FileId, Blocked>,
    pub(crate) redactor: Redactor,
    learn_secrets: bool,
    pub(crate) base: PathBuf,
    /// Canonical path of the base.
    canonical_base: PathBuf,
    pub(crate) home: Option<PathBuf>,
    pub(crate) hard_links: HardLinks,
    pub(crate) replace_read_only: bool,
    pub(crate) publish_options: PublishOptions,
    pub(crate) max_read_bytes: u64,
    ledger: Mutex<Ledger>,
    /// What changes replaced, or why that is not kept. `None` where the host keeps nothing.
    journal: Option<Result<Journal, String>>,
}

impl Files {
    /// Compiles the rules, and looks up the files that they protect under any name. Fails for a lifted rule that does not
    /// exist.
    pub fn new(config: FilesConfig) -> Result<Files, UnknownRule> {
        let mut rules = config.rules;
        rules.protected.extend(
            config.journal.iter().map(|journal| journal.folder.to_string_lossy().into_owned()),
        );
        let home = rules.home.as_deref().map(PathBuf::from);
        rules.home = rules.home.map(|home| canonical_or_same(&home));
        let canonical_protected: Vec<String> =
            rules.protected.iter().map(|path| canonical_or_same(path)).collect();
        rules.protected.extend(canonical_protected);
        let filesystem_root = match &*config.roots {
            // Opening `/` fails only where no file can be opened at all.
            Roots::Unrestricted => Root::open_any(Path::new("/"), true).into_iter().collect(),
            Roots::Only(roots) => {
                let paths = roots.iter().flat_map(|root| [root.path(), root.given()]);
                rules.roots.extend(paths.map(|path| path.to_string_lossy().into_owned()));
                Vec::new()
            }
        };
        let rules = PathRules::new(rules)?;
        let base = config.base.or_else(|| config.roots.first()).unwrap_or_else(|| "/".into());
        let journal = config.journal.map(|journal| open_journal(&journal, &config.roots));
        let files = Files {
            secret_file_ids: secret_file_ids(&rules),
            rules,
            canonical_base: std::fs::canonicalize(&base).unwrap_or_else(|_| base.clone()),
            base,
            home,
            roots: config.roots,
            filesystem_root,
            redactor: config.redactor,
            learn_secrets: config.learn_secrets,
            hard_links: config.hard_links,
            replace_read_only: config.replace_read_only,
            publish_options: PublishOptions { sync: config.sync, in_place: config.in_place },
            max_read_bytes: config.max_read_bytes,
            ledger: Mutex::default(),
            journal,
        };
        if let Some(Ok(journal)) = &files.journal {
            // What cannot be taken back now is tried again at the next start.
            let _ = journal.recover(files.resolver());
        }
        Ok(files)
    }

    /// The journal. Fails with why there is none.
    pub(crate) fn journal(&self) -> Result<&Journal, &str> {
        match &self.journal {
            None => Err("the host keeps none"),
            Some(opened) => opened.as_ref().map_err(String::as_str),
        }
    }

    /// The entry of a call in the journal.
    pub(crate) fn journal_call<'c>(
        &'c self,
        tool: &'c str,
        caller: &'c str,
    ) -> Option<JournalCall<'c>> {
        let journal = self.journal().ok()?;
        Some(JournalCall { journal, tool, caller, undoes: &[], emptied: &[] })
    }

    pub(crate) fn roots(&self) -> &[Root] {
        match &*self.roots {
            Roots::Unrestricted => &self.filesystem_root,
            Roots::Only(roots) => roots,
        }
    }

    /// Whether files are used wherever they lie.
    pub(crate) fn is_unrestricted(&self) -> bool {
        matches!(*self.roots, Roots::Unrestricted)
    }

    pub(crate) fn resolver(&self) -> Resolver<'_> {
        Resolver { roots: self.roots() }
    }

    /// A text that changes when the content of the file at this place does.
    pub(crate) fn version(&self, handle: &Handle, hash: u64) -> String {
        self.ledger().version(handle.canonical(), hash)
    }

    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks a place while its file is read, changed and written.
    pub(crate) fn lock(handle: &Handle) -> MutexGuard<'static, ()> {
        lock(lock_index(handle))
    }

    /// Locks several places, always in the same order, so that no two calls wait for each other.
    pub(crate) fn lock_all<'h>(
        handles: impl Iterator<Item = &'h Handle>,
    ) -> Vec<MutexGuard<'static, ()>> {
        let locks: BTreeSet<usize> = handles.map(lock_index).collect();
        locks.into_iter().map(lock).collect()
    }

    /// A path for messages: relative to the base when it lies below it, masked, and cut when it is long.
    pub(crate) fn display(&self, canonical: &Path) -> String {
        let relative = canonical.strip_prefix(&self.canonical_base).unwrap_or(canonical);
        let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
        self.masked_text(&shown(&relative.to_string_lossy()))
    }

    /// A path for results: on one line, never cut; and the number of secrets that were masked in it.
    pub(crate) fn display_whole(&self, canonical: &Path) -> (String, usize) {
        let relative = canonical.strip_prefix(&self.canonical_base).unwrap_or(canonical);
        let text = escaped(&relative.to_string_lossy());
        let view = MaskedView::unnumbered(&self.redactor, &text);
        let masks = view.masks.len();
        (view.text.into_owned(), masks)
    }

    /// The masked text of a file that was read. What is masked in it may be a known value from then on, and then in this text
    /// as well: the first view has the masks, and the numbers, of all later ones.
    pub(crate) fn view<'t>(&self, path: &Path, text: &'t str) -> MaskedView<'t> {
        self.learn_whole(path, text);
        let view = MaskedView::of(&self.redactor, text);
        if self.learn_from(&view, text) { MaskedView::of(&self.redactor, text) } else { view }
    }

    /// Learns what is masked in a view of a text. True if the text may be masked differently now.
    pub(crate) fn learn_from(&self, view: &MaskedView<'_>, text: &str) -> bool {
        self.learn_secrets && !view.masks.is_empty() && self.redactor.learn(view.secrets(text))
    }

    /// Learns the one word of a file whose path says that it holds a secret, such as `secrets/db_password`.
    pub(crate) fn learn_whole(&self, path: &Path, text: &str) {
        if self.learn_secrets && names_secret(&path.to_string_lossy()) {
            self.redactor.learn(std::iter::once(text.trim()));
        }
    }

    /// The text with its secrets masked; file names can hold secrets too.
    pub(crate) fn masked_text(&self, text: &str) -> String {
        match self.redactor.redact(text.as_bytes()) {
            Some(masked) => String::from_utf8_lossy(&masked).into_owned(),
            None => text.to_owned(),
        }
    }

    pub(crate) fn is_secret_file(&self, stat: &rustix::fs::Stat) -> bool {
        self.secret_file(stat).is_some()
    }

    /// Why this file is not read under any name.
    pub(crate) fn secret_file(&self, stat: &rustix::fs::Stat) -> Option<Blocked> {
        let id = crate::linux::judge::file_id(stat);
        // In a layer a file has the number that it has below it, and another device.
        let in_layer = || {
            self.secret_file_ids.iter().find(|((_, number), _)| *number == id.1).map(|(_, b)| *b)
        };
        let known = self.secret_file_ids.get(&id).copied();
        known.or_else(|| if self.roots.are_in_layer() { in_layer() } else { None })
    }

    /// The refusal with its texts masked, since they quote paths and files.
    pub(crate) fn masked(&self, mut refusal: Refusal) -> Refusal {
        let mask = |text: &mut Box<str>| *text = self.masked_text(text).into();
        mask(&mut refusal.message);
        mask(&mut refusal.reason);
        refusal.hint.iter_mut().for_each(mask);
        refusal.suggestions.iter_mut().for_each(|text| *text = self.masked_text(text));
        refusal
    }
}

/// Opens the journal. Fails in a root: commands could write to it there.
fn open_journal(config: &JournalConfig, roots: &Roots) -> Result<Journal, String> {
    let is_in_root = match roots {
        Roots::Unrestricted => false,
        Roots::Only(roots) => roots.iter().any(|root| root.strip(&config.folder).is_some()),
    };
    if is_in_root {
        return Err(format!("its folder {} lies in a root", config.folder.display()));
    }
    Journal::open(config).map_err(|error| error.to_string())
}

/// Index of the lock of a place.
fn lock_index(handle: &Handle) -> usize {
    let parent =
        rustix::fs::fstat(handle.parent()).map(|stat| crate::linux::judge::file_id(&stat)).ok();
    let place = (parent, handle.missing(), handle.name());
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(place);
    usize::try_from(hash % CHANGE_LOCKS.len() as u64).unwrap_or(0)
}

fn lock(index: usize) -> MutexGuard<'static, ()> {
    CHANGE_LOCKS[index].lock().unwrap_or_else(PoisonError::into_inner)
}

fn canonical_or_same(path: &str) -> String {
    let canonical_or_same = std::fs::canonicalize(path);
    canonical_or_same.map_or_else(
        |_| path.to_owned(),
        |canonical_or_same| canonical_or_same.to_string_lossy().into_owned(),
    )
}

/// The files at the protected places whose paths are known, by their identity.
fn secret_file_ids(rules: &PathRules) -> HashMap<FileId, Blocked> {
    let mut secret_file_ids = HashMap::new();
    for &(ref path, blocked) in rules.secret_places() {
        let Ok(status) = std::fs::metadata(path) else { continue };
        if status.is_file() {
            secret_file_ids.insert(metadata_id(&status), blocked);
        } else if let Ok(entries) = std::fs::read_dir(path) {
            let files = entries.flatten().take(MAX_FOLDER_SECRETS);
            let files = files.filter_map(|entry| entry.metadata().ok());
            secret_file_ids.extend(
                files.filter(std::fs::Metadata::is_file).map(|file| (metadata_id(&file), blocked)),
            );
        }
    }
    secret_file_ids
}

fn metadata_id(status: &std::fs::Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (status.dev(), status.ino())
}
