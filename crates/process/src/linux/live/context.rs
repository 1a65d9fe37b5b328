//! What a program that lives is served with.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::linux::shared::Shared;
use crate::outcome::Event;

/// One turn of the engine's thread.
pub(crate) struct Context<'a> {
    pub(crate) id: u64,
    pub(crate) shared: &'a Shared,
    pub(crate) buffer: &'a mut [u8],
    pub(crate) emit: &'a mut dyn FnMut(Event),
}

/// A panic elsewhere does not make what was shared unusable.
pub(crate) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
