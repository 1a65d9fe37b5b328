//! State of the engine's thread that serving a session or a service needs.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::linux::shared::Shared;
use crate::outcome::Event;

/// The program that is served, and what the engine's thread serves it with.
pub(crate) struct Context<'a> {
    pub(crate) id: u64,
    pub(crate) shared: &'a Shared,
    pub(crate) buffer: &'a mut [u8],
    pub(crate) emit: &'a mut dyn FnMut(Event),
}

/// Locks shared state. A panic elsewhere does not make it unusable.
pub(crate) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
