//! The parameters of a read, the steps it requires, and its result.

use std::time::{Duration, Instant};

use crate::awaited::Pattern;
use crate::display::Screen;
use crate::marks::CommandEnd;

/// What the kernel says about the program in the foreground of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// It waits only for this terminal.
    Only,
    /// It waits for this terminal and for other events, like an event loop.
    Also,
    /// It does not wait for this terminal.
    No,
    /// It is not known.
    Unknown,
}

/// What the threads of the processes in the foreground, and of their descendants, do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// At least one thread runs, or waits for a disk.
    Running,
    /// No thread runs, and one continues without anybody's help: after a sleep, or when a connected peer answers.
    Timed,
    /// No thread runs, and none continues without anybody's help but at the time limit of a wait.
    Limited,
    /// No thread runs, and one waits for clients or for changes of files. Time limits of other waits do not count:
    /// event loops have them while nothing happens.
    Served,
    /// Each thread is blocked without a time limit.
    Blocked,
    /// It is not known.
    Unknown,
}

/// One sample of what these processes do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activity {
    /// What their threads do.
    pub rest: Rest,
    /// The processor time that they have used, in clock ticks, with that of their dead children.
    pub ticks: u64,
    /// A number that differs when there are other processes.
    pub processes: u64,
    /// The longest time after which a thread continues without anybody's help, of those up to [`MAX_OWN_PAUSE`].
    ///
    /// [`MAX_OWN_PAUSE`]: crate::MAX_OWN_PAUSE
    pub pause: Option<Duration>,
}

/// One look at the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// What the program waits for.
    pub waiting: Waiting,
    /// Whether that wait ends by itself after a time, like the poll of an event loop with a timer.
    pub is_limited: bool,
    /// The thread that waits, and how often it has been woken. If both are the same after input was written, the thread
    /// has not noticed the input yet.
    pub waiter: Option<(i32, u64)>,
    /// What the processes in the foreground do; `None` where this look took no sample.
    pub activity: Option<Activity>,
    /// Whether the session listens on the port that the read waits for; `None` where this look did not check.
    pub listens: Option<bool>,
}

impl Look {
    /// A look that shows only what the program waits for.
    pub fn at(waiting: Waiting) -> Self {
        Self { waiting, is_limited: false, waiter: None, activity: None, listens: None }
    }
}

/// The event that ends a read.
#[derive(Clone, Debug)]
pub enum Until {
    /// A marker at the end of the text, or silence if the session has no markers.
    Ready,
    /// Silence of a program that may wait for input.
    Quiet,
    /// Silence for this long, whatever the program does.
    Silence(Duration),
    /// This text in the output, as the answer would show it.
    Text(String),
    /// A line of the output that matches.
    Pattern(Pattern),
    /// A process of the session that listens on this TCP port.
    Port(u16),
    /// The read ends at once, with the text that there is.
    Now,
}

impl Until {
    /// Whether the read waits for something beside readiness, and the answer says whether that came.
    pub(crate) fn is_specific(&self) -> bool {
        !matches!(self, Self::Ready | Self::Quiet | Self::Now)
    }
}

/// The parameters of a read.
#[derive(Clone, Debug)]
pub struct Read {
    /// The event that ends it.
    pub until: Until,
    /// The time after which it ends in any case.
    pub timeout: Duration,
    /// How long there must be silence after a marker if the kernel cannot tell whether the program waits.
    pub settle: Duration,
    /// How long silence must last to end a read.
    pub quiet: Duration,
    /// The largest answer, in bytes.
    pub max_bytes: usize,
    /// Whether a longer answer keeps its end: the read goes on until its event, and what comes before is omitted. Otherwise
    /// the answer keeps its start, and the limit ends the read.
    pub keeps_end: bool,
    /// Whether a send writes nothing to a program that reads without echo, as for a password.
    pub spares_questions: bool,
    /// Whether a send writes only to the first program of the session, and not to one that it started.
    pub only_to_first: bool,
}

impl Read {
    /// Shortens an answer to the largest one. Returns the number of bytes that it lacks then.
    pub(crate) fn shorten(&self, text: &mut String) -> u64 {
        let length = text.len();
        let excess = length.saturating_sub(self.max_bytes);
        if excess > 0 && self.keeps_end {
            let start = (excess..length).find(|&at| text.is_char_boundary(at));
            text.drain(..start.unwrap_or(length));
        } else if excess > 0 {
            let end = (0..=self.max_bytes).rev().find(|&at| text.is_char_boundary(at));
            text.truncate(end.unwrap_or(0));
        }
        (length - text.len()) as u64
    }
}

/// The reason why a read ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The text ends with a marker.
    Marker,
    /// There was silence for long enough.
    Quiet,
    /// The program is silent and uses no processor, and nothing that it waits for is this terminal.
    Idle,
    /// The text, the pattern or the port that was waited for.
    Matched,
    /// The time is up, and the answer may be incomplete.
    Timeout,
    /// There is more text than the answer may hold.
    Limit,
    /// The program, and every process that held the terminal, has ended.
    Exited,
    /// The read asked only for the text that there is.
    Available,
}

/// A line, such as a password, that a program reads with the echo of its terminal turned off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Counts the questions of the session, from 1.
    pub number: u64,
    /// The executable file of the process that waits, where the kernel names it.
    pub program: Option<String>,
    /// The arguments of this process, joined with blanks, as the process shows them; not masked.
    pub command: String,
}

/// The result of a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Cleaned and masked.
    pub text: String,
    /// The reason why the read ended.
    pub reason: Reason,
    /// Whether the kernel says that the program waits for input and nothing else, or for input at a marker.
    pub confirmed: bool,
    /// Whether the text, the pattern, the port or the silence came that was waited for; `None` where the read waited for
    /// none of them.
    pub matched: Option<bool>,
    /// What a shell that marks its commands has said about the one that was sent; `None` for any other program, for a
    /// read during which no command ended, and where the input was no command.
    pub command: Option<CommandEnd>,
    /// Whether the input was written. False for a plain read, and for a send whose program was not ready for input in
    /// time.
    pub sent: bool,
    /// The number of bytes between the previous answer and this one that are in neither: late output of earlier input,
    /// or text that a limit cut off.
    pub skipped_bytes: u64,
    /// The number of bytes that this answer lacks, because of a limit or because the history dropped them.
    pub omitted_bytes: u64,
    /// The number of masks in the text.
    pub redactions: u64,
    /// What the program shows, where its output is a picture. The text then holds only what was written outside of the
    /// picture.
    pub screen: Option<Screen>,
    /// The line that the program reads without echo. The owner of the session adds it.
    pub question: Option<Question>,
    /// Where the next answer begins in the history, unless text is skipped.
    pub cursor: u64,
}

/// The text that is kept of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// Cleaned and masked.
    pub text: String,
    /// The position of its start.
    pub start: u64,
    /// The position of its end, including the part of the unfinished line that may be shown. Masking secrets that were
    /// added late does not change this position.
    pub end: u64,
    /// The number of bytes between the requested position and `start`, which are no longer kept.
    pub dropped_bytes: u64,
}

/// The next step for the owner of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Wait: call [`crate::Session::step`] again at this time, or when there is output.
    Wait(Option<Instant>),
    /// Look at the kernel, then pass on all output of the terminal, then pass on the look, in this order. Output that a
    /// program wrote before it waited has arrived by then, and a look with output after it does not count.
    Look,
    /// Write this input, and call [`crate::Session::written`] when all of it is written. The read may end before that.
    Write(Vec<u8>),
    /// The read is over.
    Done(Answer),
}
