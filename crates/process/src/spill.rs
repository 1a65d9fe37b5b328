//! The capped file that holds what does not fit into a result.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::outcome::Spilled;

/// Receives the cleaned and redacted output from its first byte on.
pub(crate) struct Spill {
    directory: PathBuf,
    name: String,
    limit: u64,
    state: State,
}

enum State {
    /// Everything so far, while it is small enough to need no file.
    Buffered {
        bytes: Vec<u8>,
        threshold: usize,
    },
    Writing {
        file: File,
        path: PathBuf,
        written: u64,
        complete: bool,
    },
    /// Not wanted, or the file could not be made or written: there is none to offer.
    Off,
}

impl Spill {
    /// Makes a file once more than `threshold` bytes came. `limit` bytes are kept; 0 turns it off.
    pub(crate) fn new(directory: &Path, run: u64, threshold: usize, limit: u64) -> Spill {
        let state =
            if limit == 0 { State::Off } else { State::Buffered { bytes: Vec::new(), threshold } };
        Spill { directory: directory.to_path_buf(), name: format!("run-{run}.txt"), limit, state }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        if let State::Buffered { bytes, threshold } = &mut self.state {
            if bytes.len() + chunk.len() <= *threshold {
                bytes.extend_from_slice(chunk);
                return;
            }
            let buffered = std::mem::take(bytes);
            self.state = self.open();
            self.write(&buffered);
        }
        self.write(chunk);
    }

    fn open(&self) -> State {
        let path = self.directory.join(&self.name);
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(file) => State::Writing { file, path, written: 0, complete: true },
            Err(_) => State::Off,
        }
    }

    fn write(&mut self, chunk: &[u8]) {
        let State::Writing { file, path, written, complete } = &mut self.state else { return };
        let room = usize::try_from(self.limit - *written).unwrap_or(usize::MAX);
        let part = &chunk[..chunk.len().min(room)];
        *complete &= part.len() == chunk.len();
        if part.is_empty() {
            return;
        }
        if file.write_all(part).is_ok() {
            *written += part.len() as u64;
        } else {
            // A full disk costs the spill, not the command; a torn file is not offered.
            let _ = std::fs::remove_file(path);
            self.state = State::Off;
        }
    }

    pub(crate) fn finish(self) -> Option<Spilled> {
        match self.state {
            State::Writing { path, written, complete, .. } => {
                Some(Spilled { path, bytes: written, complete })
            }
            State::Buffered { .. } | State::Off => None,
        }
    }
}
