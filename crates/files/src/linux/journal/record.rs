//! What is written down of one call.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::facts::Facts;
use super::moves::{Move, open_inside};
use super::sheet;
use super::store::Entry;
use crate::linux::open_file;
use crate::linux::publish::random;
use crate::linux::tree::Time;

/// Hexadecimal digits of the time in an id, in microseconds: enough until the year 4253.
const TIME_DIGITS: usize = 14;
const MICROSECONDS_PER_MS: u64 = 1000;

/// One call, and what it changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) tool: String,
    /// The host that made the call.
    pub(crate) owner: String,
    pub(crate) caller: String,
    /// Ids of the calls that this one took back.
    pub(crate) undoes: Vec<String>,
    pub(crate) places: Vec<Place>,
    /// Folders that the call made, the outermost first.
    pub(crate) folders: Vec<PathName>,
    /// Folders that go when the call is done, as far as they are empty then; the innermost first.
    pub(crate) emptied: Vec<PathName>,
    /// Entries that changed places as wholes: what the commit of a layer, or taking one back, does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) moves: Vec<Move>,
    /// Whether what these places had is kept.
    #[serde(default)]
    pub(crate) keeps_moves: bool,
    /// When all of them stood ready.
    #[serde(skip)]
    pub(crate) staged_at: Option<Time>,
    /// Whether the call ended half way, and could not be taken back as a whole.
    pub(crate) is_interrupted: bool,
    #[serde(skip)]
    pub(crate) id: String,
    /// Name of the file of the record.
    #[serde(skip)]
    pub(super) entry: String,
}

/// One place that a call changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) path: PathName,
    /// Device and inode of the folder.
    pub(super) folder: (u64, u64),
    /// Name that the new file, and then the old one, has while the call runs.
    pub(super) temporary: PathName,
    /// The file that was there. `None` when there was none.
    pub(crate) old: Option<Facts>,
    /// Whether the old content is kept.
    pub(crate) is_kept: bool,
    pub(super) kept: Kept,
    /// The file that was there after the call.
    pub(crate) new: Option<Facts>,
}

/// Where the old content of a place is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum Kept {
    /// There is none.
    Nowhere,
    /// In the file of the record, from this byte on.
    Inside(u64),
    /// In a file of its own with this number.
    Beside(usize),
}

/// A path, which need not be UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PathName(pub(crate) PathBuf);

impl Serialize for PathName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Some(text) => serializer.serialize_str(text),
            None => self.0.as_os_str().as_bytes().serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for PathName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PathName, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Text(String),
            Bytes(Vec<u8>),
        }
        let bytes = match Written::deserialize(deserializer)? {
            Written::Text(text) => text.into_bytes(),
            Written::Bytes(bytes) => bytes,
        };
        Ok(PathName(OsString::from_vec(bytes).into()))
    }
}

impl From<&Path> for PathName {
    fn from(path: &Path) -> PathName {
        PathName(path.to_path_buf())
    }
}

impl From<&OsStr> for PathName {
    fn from(name: &OsStr) -> PathName {
        PathName(name.into())
    }
}

impl Record {
    /// Reads the record of a call that is done. `None` when it is gone or cannot be read.
    pub(super) fn read(folder: &OwnedFd, entry: &Entry) -> Option<Record> {
        let file = open_file(folder, OsStr::new(&entry.name)).ok()?;
        let (_, record) = sheet::read(file)?;
        let mut record = Record { id: entry.id.clone(), entry: entry.name.clone(), ..record };
        if !record.moves.is_empty() {
            record.read_staged(&open_inside(folder, &entry.id).ok()?);
        }
        Some(record)
    }

    /// When the call was made, in milliseconds since 1970.
    pub(crate) fn time_ms(&self) -> u64 {
        time_of(&self.id).unwrap_or_default()
    }
}

/// Name of a file of its own with a content that a place had.
pub(super) fn kept_name(id: &str, number: usize) -> String {
    format!("{id}-{number}")
}

/// An id that no other call has, and that sorts by time: after every one that this process has given, whatever the clock does.
pub(super) fn new_id() -> String {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = u64::try_from(since.as_micros()).unwrap_or(u64::MAX);
    let next = |last| Some(now.max(last + 1));
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).unwrap_or_default();
    let time = now.max(last + 1);
    format!("{time:0width$x}{:02x}", random() & 0xff, width = TIME_DIGITS)
}

/// The time in an id, in milliseconds since 1970.
pub(super) fn time_of(id: &str) -> Option<u64> {
    let microseconds = u64::from_str_radix(id.get(..TIME_DIGITS)?, 16).ok()?;
    Some(microseconds / MICROSECONDS_PER_MS)
}
