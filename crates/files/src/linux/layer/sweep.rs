//! Drops layers: one that is not wanted, and those that processes left behind.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use super::{
    BEGUN, DESCRIPTION, Owner, description, layer_path, open_private, private_name, refuse,
    refuse_error,
};
use crate::linux::answer::{DiscardedLayer, SweptLayers};
use crate::linux::files::Files;
use crate::linux::open_file;
use crate::linux::request::{LayerDiscardRequest, LayerSweepRequest};
use crate::linux::tree::{self, is_folder, modified_at, names, open_folder_at, status};
use crate::refusal::Refusal;

/// Beginning of the name of a layer that is being removed.
const DROPPED: &str = "dropped";
/// Time after which nobody is still beginning a layer.
const MAX_BEGINNING: Duration = Duration::from_secs(3600);
/// Where the time of its start stands in what the kernel says of a process, after its name.
const START_FIELD: usize = 19;

impl Files {
    pub(crate) fn discard_layer(
        &self,
        request: &LayerDiscardRequest,
    ) -> Result<DiscardedLayer, Refusal> {
        let path = layer_path(&request.layer)?;
        self.check_outside(&path)?;
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(refuse("it has no name"));
        };
        let above = match open_private(above) {
            Err(Errno::NOENT) => return Ok(DiscardedLayer { discarded: false }),
            opened => opened.map_err(refuse_error)?,
        };
        if status(&above, name).is_ok_and(|found| found.is_some()) {
            let folder = open_folder_at(&above, Path::new(name)).map_err(refuse_error)?;
            // What is no layer is not removed.
            open_file(&folder, OsStr::new(BEGUN)).map_err(refuse_error)?;
        }
        let discarded = drop_layer(&above, name).map_err(refuse_error)?;
        Ok(DiscardedLayer { discarded })
    }

    pub(crate) fn sweep_layers(&self, request: &LayerSweepRequest) -> Result<SweptLayers, Refusal> {
        let mut swept = SweptLayers::default();
        let folder = layer_path(&request.folder)?;
        self.check_outside(&folder)?;
        let above = match open_private(&folder) {
            Err(Errno::NOENT) => return Ok(swept),
            opened => opened.map_err(refuse_error)?,
        };
        for name in names(&above).map_err(refuse_error)? {
            let is_removed = is_abandoned(&above, &name) && drop_layer(&above, &name) == Ok(true);
            *(if is_removed { &mut swept.removed } else { &mut swept.left }) += 1;
        }
        Ok(swept)
    }
}

/// Whether the process is gone that a layer belongs to. What is no layer is nobody's to remove.
fn is_abandoned(above: &OwnedFd, name: &OsStr) -> bool {
    if !status(above, name).ok().flatten().is_some_and(|stat| is_folder(&stat)) {
        return false;
    }
    if name.to_string_lossy().starts_with(DROPPED) {
        return true;
    }
    let Ok(folder) = open_folder_at(above, Path::new(name)) else { return false };
    let Some(found) = description(&folder) else { return is_unfinished(&folder) };
    // A process in another container holds the file of its layer, whatever number it has here.
    let is_held = open_file(&folder, OsStr::new(BEGUN)).is_ok_and(|begun| {
        rustix::fs::flock(begun, FlockOperation::NonBlockingLockExclusive).is_err()
    });
    !is_held && !is_alive(found.owner)
}

/// Whether a folder is what a process leaves that is killed while it begins a layer, which takes an instant: nothing but a
/// description without a text, for a long time.
fn is_unfinished(folder: &OwnedFd) -> bool {
    let is_blank = |name: &OsString| {
        let found = status(folder, name).ok().flatten();
        name == DESCRIPTION && found.is_some_and(|stat| stat.st_size == 0)
    };
    let holds_nothing = names(folder).is_ok_and(|names| names.iter().all(is_blank));
    let Ok(stat) = rustix::fs::fstat(folder) else { return false };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let since = Duration::from_secs(modified_at(&stat).0.try_into().unwrap_or(u64::MAX));
    holds_nothing && now.checked_sub(since).is_some_and(|age| age > MAX_BEGINNING)
}

fn is_alive(owner: Owner) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{}/stat", owner.pid)) else {
        return !matches!(std::fs::exists("/proc/self/stat"), Ok(true));
    };
    // A name may hold blanks and parentheses.
    let fields = stat.rsplit_once(')').map(|(_, fields)| fields).unwrap_or_default();
    let since = fields.split_whitespace().nth(START_FIELD).and_then(|text| text.parse().ok());
    since == Some(owner.start)
}

/// Removes a layer, which is none from the first moment. False when there was none.
fn drop_layer(above: &OwnedFd, name: &OsStr) -> Result<bool, Errno> {
    let dropped = private_name(DROPPED);
    match rustix::fs::renameat(above, name, above, &dropped) {
        Err(Errno::NOENT) => return Ok(false),
        renamed => renamed?,
    }
    tree::remove(above, OsStr::new(&dropped))?;
    Ok(true)
}
