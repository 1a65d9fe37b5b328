//! A folder of the search path as the host gave it, and why one is not in use.

use std::path::PathBuf;

/// A folder to search programs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchFolder {
    /// Its path.
    pub path: PathBuf,
    /// Whether the host named it as a folder to use. A folder that cannot be used is then an error, where it is left out
    /// otherwise: the folders of the host's own `PATH` were put together for other purposes.
    pub is_required: bool,
}

impl From<PathBuf> for SearchFolder {
    fn from(path: PathBuf) -> Self {
        SearchFolder { path, is_required: true }
    }
}

impl From<&PathBuf> for SearchFolder {
    fn from(path: &PathBuf) -> Self {
        SearchFolder::from(path.clone())
    }
}

impl From<&SearchFolder> for SearchFolder {
    fn from(folder: &SearchFolder) -> Self {
        folder.clone()
    }
}

/// Why a folder is not in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Its path is not absolute.
    Relative,
    /// It does not exist, or this user may not enter it.
    Absent,
    /// Commands may write to it.
    Commands,
    /// Other users may write to it, or to a folder above it.
    Others,
}

impl LeftOut {
    /// The name of the reason.
    pub fn name(self) -> &'static str {
        match self {
            LeftOut::Relative => "relative",
            LeftOut::Absent => "absent",
            LeftOut::Commands => "commands",
            LeftOut::Others => "others",
        }
    }
}
