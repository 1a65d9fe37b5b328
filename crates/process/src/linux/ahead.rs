//! Reads and cleans a busy output on a second thread, while the engine's thread redacts what came before.
//!
//! Only within a turn: it is given a pipe and a cleaner, and they are back before the turn is over. So nothing else has
//! to know of it, and what is read in which order stays the same.

use std::io;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use handrail_text::Cleaner;
use rustix::io::Errno;

/// Read at once.
const PIECE_BYTES: usize = 256 * 1024;
/// One is worked on, one is ready and one is being read.
const PIECES: usize = 3;
/// Cleaned at once; between two of them what came of it is looked at.
const CLEANED_BYTES: usize = 64 * 1024;
/// More text than this that is not as it was read ends the reading: some sequences of a terminal make much of little.
const MADE_BYTES: usize = 2 * PIECE_BYTES;
const STACK_BYTES: usize = 256 * 1024;

/// The thread, and what is passed to it and back.
pub(crate) struct Ahead {
    /// Jobs, and pieces to fill; the thread ends when they are gone.
    senders: Option<(Sender<Job>, Sender<Piece>)>,
    answers: Receiver<Answer>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// What a turn begins with, read here.
    first: Option<Piece>,
}

/// The thread, started when it is needed first.
#[derive(Default)]
pub(crate) enum Helper {
    #[default]
    NotNeeded,
    Here(Ahead),
    /// It could not be started: everything is read here.
    None,
}

impl Helper {
    pub(crate) fn get(&mut self) -> Option<&mut Ahead> {
        if let Helper::NotNeeded = self {
            *self = Ahead::start().map_or(Helper::None, Helper::Here);
        }
        match self {
            Helper::Here(ahead) => Some(ahead),
            _ => None,
        }
    }
}

/// What is read, and where it goes on.
pub(crate) struct Job {
    pub(crate) pipe: OwnedFd,
    pub(crate) cleaner: Cleaner,
}

/// What a reading gives, in order.
pub(crate) enum Answer {
    Piece(Piece),
    /// The last one. Without a pipe, nothing will come any more.
    End(Option<OwnedFd>, Cleaner),
}

/// Bytes of an output, and the text that became final with them.
pub(crate) struct Piece {
    raw: Vec<u8>,
    count: usize,
    /// As far as it is cleaned.
    cleaned: usize,
    parts: Vec<Part>,
    made: Vec<u8>,
    holding: bool,
}

enum Part {
    Raw(Range<usize>),
    Made(Range<usize>),
}

impl Ahead {
    /// Starts the thread, which waits for a job.
    pub(crate) fn start() -> io::Result<Ahead> {
        let (jobs, to_do) = channel();
        let (empty, emptied) = channel();
        let (to_answer, answers) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let thread = std::thread::Builder::new().name("handrail-read".into());
        let stopped = Arc::clone(&stop);
        let reader = Reader { empty: emptied, spare: None, answers: to_answer, stop: stopped };
        let thread = thread.stack_size(STACK_BYTES).spawn(move || reader.serve(&to_do))?;
        let ahead = Ahead {
            senders: Some((jobs, empty)),
            answers,
            stop,
            thread: Some(thread),
            first: Some(Piece::new()),
        };
        for _ in 0..PIECES {
            ahead.give_back(Piece::new());
        }
        Ok(ahead)
    }

    /// A piece to fill here, until [`Self::put_first`].
    pub(crate) fn take_first(&mut self) -> Piece {
        self.first.take().unwrap_or_else(Piece::new)
    }

    pub(crate) fn put_first(&mut self, piece: Piece) {
        self.first = Some(piece);
    }

    /// Begins a reading. It ends when there is nothing now, or soon after [`Self::stop`].
    pub(crate) fn begin(&self, job: Job) {
        self.stop.store(false, Ordering::Relaxed);
        if let Some((jobs, _)) = &self.senders {
            // It listens as long as this is here.
            let _ = jobs.send(job);
        }
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The next answer. A panic of the thread is one of this thread.
    pub(crate) fn next(&mut self) -> Option<Answer> {
        let answer = self.answers.recv().ok();
        if answer.is_none()
            && let Some(Err(panic)) = self.thread.take().map(JoinHandle::join)
        {
            std::panic::resume_unwind(panic);
        }
        answer
    }

    pub(crate) fn give_back(&self, piece: Piece) {
        if let Some((_, empty)) = &self.senders {
            // As above.
            let _ = empty.send(piece);
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.stop();
        self.senders = None;
        if let Some(thread) = self.thread.take() {
            // It was idle: a panic would have been met in a turn.
            let _ = thread.join();
        }
    }
}

struct Reader {
    empty: Receiver<Piece>,
    /// One that was not filled.
    spare: Option<Piece>,
    answers: Sender<Answer>,
    stop: Arc<AtomicBool>,
}

impl Reader {
    fn serve(mut self, jobs: &Receiver<Job>) {
        while let Ok(job) = jobs.recv() {
            if self.read(job).is_none() {
                return;
            }
        }
    }

    /// `None` when nobody listens any more.
    fn read(&mut self, Job { pipe, mut cleaner }: Job) -> Option<()> {
        let mut pipe = Some(pipe);
        while let Some(open) = &pipe
            && !self.stop.load(Ordering::Relaxed)
        {
            let mut piece = match self.spare.take() {
                Some(piece) => piece,
                None => self.empty.recv().ok()?,
            };
            let read = piece.read(open);
            if let Ok(count) = read
                && count > 0
            {
                let whole = piece.clean(count, &mut cleaner);
                self.answers.send(Answer::Piece(piece)).ok()?;
                if !whole {
                    break;
                }
                continue;
            }
            self.spare = Some(piece);
            match read {
                // Nobody can write any more.
                Ok(_) => pipe = None,
                Err(Errno::INTR) => {}
                Err(_) => break,
            }
        }
        self.answers.send(Answer::End(pipe, cleaner)).ok()
    }
}

impl Piece {
    fn new() -> Piece {
        Piece {
            raw: vec![0; PIECE_BYTES],
            count: 0,
            cleaned: 0,
            parts: Vec::new(),
            made: Vec::new(),
            holding: false,
        }
    }

    pub(crate) fn read(&mut self, pipe: &OwnedFd) -> Result<usize, Errno> {
        rustix::io::read(pipe, &mut *self.raw)
    }

    /// Cleans the `count` bytes that were read. Gives whether all of them are.
    pub(crate) fn clean(&mut self, count: usize, cleaner: &mut Cleaner) -> bool {
        let Piece { raw, parts, made, .. } = self;
        let raw = &raw[..count];
        parts.clear();
        made.clear();
        if made.capacity() > MADE_BYTES {
            *made = Vec::new();
        }
        let mut done = 0;
        while done < count && made.len() <= MADE_BYTES {
            let next = &raw[done..count.min(done + CLEANED_BYTES)];
            done += next.len();
            cleaner.push(next, &mut |text: &[u8]| {
                parts.push(place_in(raw, text).map_or_else(
                    || {
                        made.extend_from_slice(text);
                        Part::Made(made.len() - text.len()..made.len())
                    },
                    Part::Raw,
                ));
            });
        }
        self.holding = cleaner.is_holding();
        (self.count, self.cleaned) = (count, done);
        done == count
    }

    /// The text, in order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.parts.iter().map(|part| match part {
            Part::Raw(range) => &self.raw[range.clone()],
            Part::Made(range) => &self.made[range.clone()],
        })
    }

    /// How much of what was read the text stands for.
    pub(crate) fn cleaned_bytes(&self) -> usize {
        self.cleaned
    }

    /// Whether the cleaner held something back behind this text.
    pub(crate) fn is_holding(&self) -> bool {
        self.holding
    }

    /// Whether there was more than it takes, or as much.
    pub(crate) fn is_full(&self) -> bool {
        self.count == self.raw.len()
    }

    /// What was read and is not cleaned.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.raw[self.cleaned..self.count]
    }
}

/// Where `text` lies in `raw`, if it is a part of it.
fn place_in(raw: &[u8], text: &[u8]) -> Option<Range<usize>> {
    let within = raw.as_ptr_range();
    let given = text.as_ptr_range();
    if within.start > given.start || given.end > within.end {
        return None;
    }
    let start = given.start.addr() - within.start.addr();
    Some(start..start + text.len())
}

#[cfg(test)]
pub(crate) mod tests;
