//! The engine that a redactor, its clones and its streams share, and how a secret is added to it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::engine::Engine;
use crate::error::Error;

/// The current engine. An engine never changes: adding a secret replaces it by a new one.
pub(crate) struct SharedEngine {
    current: RwLock<Arc<Engine>>,
    /// How many engines were replaced so far.
    generation: AtomicU64,
    /// Only one secret is added at a time. Searches continue meanwhile.
    secret_addition: Mutex<()>,
}

impl SharedEngine {
    pub(crate) fn new(engine: Engine) -> Self {
        Self {
            current: RwLock::new(Arc::new(engine)),
            generation: AtomicU64::new(0),
            secret_addition: Mutex::new(()),
        }
    }

    pub(crate) fn engine(&self) -> Arc<Engine> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Replaces `engine` by the current one, if there is a newer one. `generation` is that of `engine`.
    pub(crate) fn refresh(&self, engine: &mut Arc<Engine>, generation: &mut u64) -> bool {
        let latest = self.generation();
        if latest == *generation {
            return false;
        }
        *engine = self.engine();
        *generation = latest;
        true
    }

    pub(crate) fn add_secret(&self, name: &str, value: &str) -> Result<(), Error> {
        let _alone = self.secret_addition.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(next) = self.engine().with_secret(name, value)? {
            self.replace(next);
        }
        Ok(())
    }

    /// Whether the engine was replaced.
    pub(crate) fn learn<'v>(&self, values: impl Iterator<Item = &'v str>) -> bool {
        let _alone = self.secret_addition.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(next) = self.engine().with_learned(values) else { return false };
        self.replace(next);
        true
    }

    fn replace(&self, next: Engine) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(next);
        // The generation grows after the engine was replaced: whoever sees the new number finds at least this engine.
        self.generation.fetch_add(1, Ordering::Release);
    }
}
