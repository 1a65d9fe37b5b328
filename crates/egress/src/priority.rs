//! The priority of the threads that serve connections.

/// So many pieces of a connection are served with the priority of the host's own work: enough for a handshake and a few requests.
const MAX_PROMPT_PIECES: u32 = 64;
/// The nice value of a thread after that.
const NICE: i32 = 10;

/// Counts the pieces that a thread reads of its connection. Once a connection goes on for long, or its client sends byte by byte,
/// the thread gives way to the host's own. A short connection would wait several times as long for its processor.
#[derive(Debug, Default)]
pub(crate) struct Pieces(u32);

impl Pieces {
    /// Counts one piece.
    pub(crate) fn count(&mut self) {
        self.0 = self.0.saturating_add(1);
        if self.0 == MAX_PROMPT_PIECES + 1 {
            // Where this is refused they share.
            let _ = rustix::process::setpriority_process(None, NICE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nice() -> i32 {
        rustix::process::getpriority_process(None).unwrap()
    }

    #[test]
    fn a_thread_gives_way_after_many_pieces() {
        // On a thread of its own: nobody gets a priority back.
        std::thread::spawn(|| {
            let first = nice();
            let mut pieces = Pieces::default();
            for _ in 0..MAX_PROMPT_PIECES {
                pieces.count();
            }
            assert_eq!(nice(), first);
            pieces.count();
            assert_eq!(nice(), NICE.max(first));
        })
        .join()
        .unwrap();
    }
}
