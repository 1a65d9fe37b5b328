//! A session with a clock that the test moves, and a program that is what the test says.

use std::time::{Duration, Instant};

use handrail_pty::{Answer, Look, Read, Session, Settings, Shown, Step, Until, Waiting};
use handrail_redact::{Options, Redactor};

pub(crate) const PROMPT: &str = "$ ";

pub(crate) fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

pub(crate) fn redactor() -> Redactor {
    Redactor::new(Options::default()).expect("valid options")
}

pub(crate) fn read() -> Read {
    Read {
        until: Until::Ready,
        timeout: ms(2_000),
        settle: ms(200),
        quiet: ms(80),
        max_bytes: 1 << 20,
        spares_questions: false,
        keeps_end: false,
        only_to_first: false,
    }
}

pub(crate) struct Terminal {
    pub(crate) session: Session,
    pub(crate) now: Instant,
    /// What the kernel says, until it is told otherwise.
    pub(crate) look: Look,
    pub(crate) looks: usize,
    pub(crate) written: Vec<u8>,
    /// Who shows what is typed, until it is told otherwise.
    pub(crate) shown: Shown,
}

impl Terminal {
    pub(crate) fn with(redactor: &Redactor, history_bytes: usize) -> Self {
        let now = Instant::now_for_tests();
        let mut session =
            Session::new(redactor, Settings { columns: 80, rows: 24, history_bytes }, now);
        session.set_markers(vec![PROMPT.to_owned()]);
        let look = Look::at(Waiting::Only);
        Self { session, now, look, looks: 0, written: Vec::new(), shown: Shown::ByProgram }
    }

    pub(crate) fn new() -> Self {
        Self::with(&redactor(), 1 << 20)
    }

    pub(crate) fn waiting(mut self, waiting: Waiting) -> Self {
        self.look.waiting = waiting;
        self
    }

    pub(crate) fn output(&mut self, text: &str) {
        self.session.output(text.as_bytes(), self.now);
    }

    /// Goes on until the read is over, without any more output; at a write the program answers with `reply`.
    pub(crate) fn run(&mut self, reply: &str) -> Answer {
        for _ in 0..10_000 {
            match self.session.step(self.now) {
                Step::Wait(at) => self.now = at.expect("a read goes on").max(self.now),
                Step::Look => {
                    self.looks += 1;
                    self.session.looked(self.look, self.now);
                }
                Step::Write(input) => {
                    self.session.shown(self.shown);
                    self.written.extend(input);
                    self.session.written(self.now);
                    self.look.waiter = self.look.waiter.map(|(id, woken)| (id, woken + 1));
                    self.output(reply);
                }
                Step::Done(answer) => return answer,
            }
        }
        panic!("the read never ends");
    }

    pub(crate) fn read(&mut self, read: Read) -> Answer {
        self.session.begin_read(read, self.now);
        self.run("")
    }

    pub(crate) fn send(&mut self, input: &str, reply: &str) -> Answer {
        self.session.begin_send(format!("{input}\n").into_bytes(), read(), self.now);
        self.run(reply)
    }

    pub(crate) fn history(&self) -> String {
        self.session.history(None).text
    }
}

/// The only clock of these tests is read once.
trait Start {
    fn now_for_tests() -> Instant;
}

impl Start for Instant {
    #[expect(clippy::disallowed_methods, reason = "a time to begin with; it moves by hand")]
    fn now_for_tests() -> Instant {
        Instant::now()
    }
}
