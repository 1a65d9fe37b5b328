//! The compiled set that a redactor, its clones and its streams share, and how a secret joins it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::engine::Engine;
use crate::error::Error;

/// What is searched for. A compiled set is never changed: a secret that joins makes a new one in its place.
pub(crate) struct Live {
    current: RwLock<Arc<Engine>>,
    /// How many sets there were before the current one.
    generation: AtomicU64,
    /// One secret joins at a time; searches go on meanwhile.
    joining: Mutex<()>,
}

impl Live {
    pub(crate) fn new(engine: Engine) -> Self {
        Self {
            current: RwLock::new(Arc::new(engine)),
            generation: AtomicU64::new(0),
            joining: Mutex::new(()),
        }
    }

    pub(crate) fn engine(&self) -> Arc<Engine> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Replaces `engine` by a newer set, if there is one; `generation` is that of `engine`.
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
        let _alone = self.joining.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(next) = self.engine().with_secret(name, value)? else { return Ok(()) };
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(next);
        // Behind the set itself: who sees the number finds at least this set.
        self.generation.fetch_add(1, Ordering::Release);
        Ok(())
    }
}
