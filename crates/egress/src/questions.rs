//! Questions about hosts that no entry names, for somebody who may allow them.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::address::{AddressKind, kind_of};
use crate::authority::{Host, Target};
use crate::refusal::Reason;

/// Most questions that wait for an answer at one time.
pub(crate) const MAX_OPEN_QUESTIONS: usize = 16;
/// Most answers that are remembered. After that nothing is asked any more.
pub(crate) const MAX_ANSWERS: usize = 1024;

/// A question about a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its number, for the answer.
    pub number: u64,
    /// The host and port.
    pub target: Target,
    /// What kind of address it is, where it is one that only leads into this machine's network.
    pub kind: Option<AddressKind>,
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The host may be reached at that port, from now on.
    Allowed,
    /// It may not, and nobody is asked again.
    Refused,
    /// Nobody could be asked. A later connection asks again.
    Nobody,
    /// Nobody answered in time. A later connection asks again.
    Late,
}

type Ask = Box<dyn Fn(Question) + Send + Sync>;

/// The questions of one owner. One can serve several ways out, one after the other.
#[derive(Default)]
pub struct Questions {
    state: Mutex<State>,
    changed: Condvar,
    ask: OnceLock<Ask>,
}

#[derive(Default)]
struct State {
    last_number: u64,
    open: HashMap<Target, OpenQuestion>,
    /// In the order of the answers.
    allowed: Vec<Target>,
    refused: HashSet<Target>,
    is_closed: bool,
}

#[derive(Clone)]
struct OpenQuestion {
    number: u64,
    deadline: Instant,
    answer: Arc<OnceLock<Answer>>,
}

impl fmt::Debug for Questions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Questions").field("allowed", &self.allowed()).finish_non_exhaustive()
    }
}

impl Questions {
    /// Sets who is asked, once. What is called may neither block nor ask back.
    pub fn ask_with(&self, ask: impl Fn(Question) + Send + Sync + 'static) {
        // A second one would answer for the first.
        let _ = self.ask.set(Box::new(ask));
    }

    /// Answers a question. One that is no longer open is left as it is.
    pub fn answer(&self, number: u64, answer: Answer) {
        let mut state = self.lock();
        let asked = state.open.iter().find(|(_, open)| open.number == number);
        if let Some(target) = asked.map(|(target, _)| target.clone()) {
            state.settle(&target, answer);
            self.changed.notify_all();
        }
    }

    /// The hosts and ports that were allowed, in the order of the answers.
    pub fn allowed(&self) -> Vec<Target> {
        self.lock().allowed.clone()
    }

    /// Ends every question; nothing is asked any more.
    pub fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        let open: Vec<Target> = state.open.keys().cloned().collect();
        for target in open {
            state.settle(&target, Answer::Nobody);
        }
        self.changed.notify_all();
    }

    /// Whether this very address and port was asked about and allowed.
    pub(crate) fn names_address(&self, address: IpAddr, port: u16) -> bool {
        self.lock().allowed.contains(&Target { host: Host::Address(address), port })
    }

    /// Waits for the answer about a target, which is asked for unless it was before. Connections to the same target wait for one
    /// question.
    pub(crate) fn judge(&self, target: &Target, answer_time: Duration) -> Result<(), Reason> {
        let mut state = self.lock();
        if state.allowed.contains(target) {
            return Ok(());
        }
        if state.refused.contains(target) {
            return Err(Reason::NotApproved);
        }
        let Some(ask) = self.ask.get().filter(|_| !state.is_closed) else {
            return Err(Reason::NobodyAsked);
        };
        let open = if let Some(open) = state.open.get(target) {
            open.clone()
        } else {
            let answers = state.allowed.len() + state.refused.len();
            if state.open.len() >= MAX_OPEN_QUESTIONS || answers >= MAX_ANSWERS {
                return Err(Reason::TooManyQuestions);
            }
            let open = state.open(target, answer_time);
            drop(state);
            let kind = match target.host {
                Host::Address(address) => kind_of(address),
                Host::Localhost => Some(AddressKind::Loopback),
                Host::Name(_) => None,
            };
            ask(Question { number: open.number, target: target.clone(), kind });
            state = self.lock();
            open
        };
        loop {
            match open.answer.get() {
                Some(Answer::Allowed) => return Ok(()),
                Some(Answer::Refused) => return Err(Reason::NotApproved),
                Some(Answer::Nobody) => return Err(Reason::NobodyAsked),
                Some(Answer::Late) => return Err(Reason::NotAnswered),
                None => {}
            }
            let left = open.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                state.settle(target, Answer::Late);
                self.changed.notify_all();
                continue;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A thread that ended by a bug leaves the state as it was: whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn open(&mut self, target: &Target, answer_time: Duration) -> OpenQuestion {
        self.last_number += 1;
        let open = OpenQuestion {
            number: self.last_number,
            deadline: Instant::now() + answer_time,
            answer: Arc::default(),
        };
        self.open.insert(target.clone(), open.clone());
        open
    }

    fn settle(&mut self, target: &Target, answer: Answer) {
        let Some(open) = self.open.remove(target) else { return };
        // It was open, so it has no answer yet.
        let _ = open.answer.set(answer);
        match answer {
            Answer::Allowed => self.allowed.push(target.clone()),
            Answer::Refused => {
                self.refused.insert(target.clone());
            }
            Answer::Nobody | Answer::Late => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn target(text: &str) -> Target {
        Target::parse(text, Some(443)).unwrap()
    }

    fn asked() -> (Arc<Questions>, mpsc::Receiver<Question>) {
        let (sender, receiver) = mpsc::channel();
        let questions = Arc::new(Questions::default());
        questions.ask_with(move |question| sender.send(question).unwrap());
        (questions, receiver)
    }

    fn judge(
        questions: &Arc<Questions>,
        text: &str,
        answer_time: Duration,
    ) -> thread::JoinHandle<Result<(), Reason>> {
        let (questions, target) = (Arc::clone(questions), target(text));
        thread::spawn(move || questions.judge(&target, answer_time))
    }

    #[test]
    fn connections_to_one_host_and_port_wait_for_one_question() {
        let (questions, receiver) = asked();
        let waiting: Vec<_> = (0..8).map(|_| judge(&questions, "a.example", PATIENCE)).collect();
        let question = receiver.recv_timeout(PATIENCE).unwrap();
        assert_eq!((question.target.clone(), question.kind), (target("a.example"), None));
        questions.answer(question.number, Answer::Allowed);
        for waiting in waiting {
            assert_eq!(waiting.join().unwrap(), Ok(()));
        }
        assert_eq!(questions.judge(&target("a.example"), Duration::ZERO), Ok(()));
        // Another port is another question, and an address says where it leads.
        let other = judge(&questions, "169.254.169.254:80", PATIENCE);
        let question = receiver.recv_timeout(PATIENCE).unwrap();
        assert_eq!(question.kind, Some(AddressKind::Metadata));
        questions.answer(question.number, Answer::Refused);
        assert_eq!(other.join().unwrap(), Err(Reason::NotApproved));
        assert_eq!(questions.judge(&question.target, PATIENCE), Err(Reason::NotApproved));
        assert_eq!(questions.allowed(), [target("a.example")]);
        assert!(receiver.try_recv().is_err());
    }

    #[test]
    fn what_nobody_answers_is_refused_and_asked_again() {
        let (questions, receiver) = asked();
        for _ in 0..2 {
            let judged = questions.judge(&target("a.example"), Duration::from_millis(1));
            assert_eq!(judged, Err(Reason::NotAnswered));
        }
        let late = receiver.recv_timeout(PATIENCE).unwrap();
        questions.answer(late.number, Answer::Allowed);
        assert_eq!(questions.allowed(), []);
        let waiting = judge(&questions, "a.example", PATIENCE);
        let _second = receiver.recv_timeout(PATIENCE).unwrap();
        let third = receiver.recv_timeout(PATIENCE).unwrap();
        questions.answer(third.number, Answer::Nobody);
        assert_eq!(waiting.join().unwrap(), Err(Reason::NobodyAsked));
        assert_eq!(
            Questions::default().judge(&target("a.example"), PATIENCE),
            Err(Reason::NobodyAsked)
        );
    }

    #[test]
    fn questions_are_bounded_and_end_with_their_owner() {
        let (questions, receiver) = asked();
        let waiting: Vec<_> = (0..MAX_OPEN_QUESTIONS)
            .map(|index| judge(&questions, &format!("h{index}.example"), PATIENCE))
            .collect();
        for _ in 0..MAX_OPEN_QUESTIONS {
            receiver.recv_timeout(PATIENCE).unwrap();
        }
        let judged = questions.judge(&target("one-more.example"), PATIENCE);
        assert_eq!(judged, Err(Reason::TooManyQuestions));
        questions.close();
        for waiting in waiting {
            assert_eq!(waiting.join().unwrap(), Err(Reason::NobodyAsked));
        }
        assert_eq!(questions.judge(&target("b.example"), PATIENCE), Err(Reason::NobodyAsked));
    }
}
