//! What tells one file, and one content, from another.

use std::os::fd::AsFd;

use rustix::fs::{FileType, Stat};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher};
use std::hash::Hasher;

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 64 << 10;

/// A file as it was at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    device: u64,
    inode: u64,
    bytes: u64,
    mode: u32,
    modified: (i64, i64),
    hash: String,
}

impl Facts {
    pub(super) fn new(stat: &Stat, hash: String) -> Facts {
        Facts {
            device: stat.st_dev,
            inode: stat.st_ino,
            bytes: stat.st_size.cast_unsigned(),
            mode: stat.st_mode,
            modified: modified(stat),
            hash,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Hash of the content.
    pub(crate) fn hash(&self) -> &str {
        &self.hash
    }

    /// Whether a file is this one with the same content, whatever its name is by now. An overlay file system may give it another
    /// device after a rename.
    pub(super) fn is(&self, stat: &Stat) -> bool {
        FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
            && self.bytes == stat.st_size.cast_unsigned()
            && self.modified == modified(stat)
            && (self.inode == stat.st_ino || self.device != stat.st_dev)
    }
}

fn modified(stat: &Stat) -> (i64, i64) {
    (stat.st_mtime, stat.st_mtime_nsec.cast_signed())
}

/// Hash of a content, the same in every process. It is not safe against someone who looks for collisions.
pub(crate) fn hash_of(bytes: &[u8]) -> String {
    let mut hasher = SipHasher::new();
    hasher.write(bytes);
    shown(&hasher)
}

/// Hash of what is left to read of a file. Each piece is given to `each`.
pub(crate) fn hash_of_file(
    file: impl AsFd,
    mut each: impl FnMut(&[u8]) -> Result<(), Errno>,
) -> Result<String, Errno> {
    let mut hasher = SipHasher::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match rustix::io::read(&file, &mut chunk) {
            Ok(0) => return Ok(shown(&hasher)),
            Ok(length) => {
                hasher.write(&chunk[..length]);
                each(&chunk[..length])?;
            }
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
}

fn shown(hasher: &SipHasher) -> String {
    format!("{:032x}", hasher.finish128().as_u128())
}
