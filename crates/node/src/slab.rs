//! Memory for results of middle length: many of them share a huge page.
//!
//! A program that streams leaves what it was given to the collector, so the memory of each result is fresh, and the kernel
//! hands it out page by page as it is written to. With small pages that takes up to a third of the time of the search.

use napi::Env;
use napi::bindgen_prelude::BufferSlice;

use crate::code::{Result, error};
use crate::mapping::Slab;
use crate::memory;

/// A shorter result is copied out: as long as one lives, all of its slab does.
const LEAST_BYTES: usize = 16 << 10;

/// A longer result has memory of its own.
const MOST_BYTES: usize = 512 << 10;

/// What a stream gives beyond what it was given: a held line, masks.
const SLACK_BYTES: usize = 4 << 10;

/// A result that is written piece by piece, and then a Buffer.
pub(crate) enum Output {
    /// In the slab that is being filled, which nobody else has meanwhile.
    Shared { slab: Slab, length: usize },
    /// What was not expected to be of middle length, or is not.
    Own(Vec<u8>),
}

impl Default for Output {
    fn default() -> Self {
        Self::Own(Vec::new())
    }
}

impl Output {
    /// Whether a result of about so many bytes shares a slab, where there are any.
    pub(crate) fn is_shared(bytes: usize) -> bool {
        (LEAST_BYTES..=MOST_BYTES).contains(&bytes)
    }

    /// Of about so many bytes.
    pub(crate) fn new(expected: usize) -> Self {
        let room = if expected < LEAST_BYTES { expected } else { expected + SLACK_BYTES };
        match Self::is_shared(expected).then(|| Slab::with_room(room)).flatten() {
            Some(slab) => Self::Shared { slab, length: 0 },
            None => Self::Own(memory::vector(room)),
        }
    }

    /// Adds to the end.
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        match self {
            Self::Own(vector) => vector.extend_from_slice(bytes),
            Self::Shared { slab, length } => {
                if let Some(place) = slab.room().get_mut(*length..*length + bytes.len()) {
                    place.copy_from_slice(bytes);
                    *length += bytes.len();
                } else {
                    let mut vector = memory::vector(2 * (*length + bytes.len()));
                    vector.extend_from_slice(&slab.room()[..*length]);
                    vector.extend_from_slice(bytes);
                    *self = Self::Own(vector);
                }
            }
        }
    }

    /// What was written.
    pub(crate) fn into_buffer(self, env: &Env) -> Result<BufferSlice<'_>> {
        let buffer = match self {
            Self::Own(vector) => BufferSlice::from_data(env, vector),
            Self::Shared { mut slab, length } if length < LEAST_BYTES => {
                BufferSlice::copy_from(env, &slab.room()[..length])
            }
            Self::Shared { slab, length } => {
                let (start, keeper) = slab.take(length);
                // SAFETY: `take` gives the bytes to nobody else, and they stay until the finalizer lets go of the keeper.
                unsafe {
                    BufferSlice::from_external(env, start.as_ptr(), length, keeper, |_, _keeper| {})
                }
            }
        };
        buffer.map_err(|e| error("ERR_INTERNAL", &e))
    }
}
