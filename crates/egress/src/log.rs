//! What was reached and what was refused, for audits and results.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::authority::Target;
use crate::refusal::{Reason, Refusal};

/// Most targets that are remembered as reached. The ones that were reached longest ago make room.
const MAX_REACHED: usize = 512;

/// Most kinds of refusals that are remembered. The ones that happened longest ago make room, and nothing else does: whoever asks
/// for many hosts hides none that was reached.
const MAX_REFUSED: usize = 64;

/// How a connection was answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The connection was made.
    Reached,
    /// It was not.
    Refused(Reason),
}

/// What happened to connections to one target, for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The target, or none for a request that named none.
    pub target: Option<Target>,
    /// What happened.
    pub outcome: Outcome,
    /// How often since the mark that was asked about: exactly for what happened for the first time after it, otherwise 1.
    pub times: u64,
}

impl Event {
    /// The refusal in the words that the client read, or none for what was reached.
    pub fn refusal(&self) -> Option<Refusal> {
        match &self.outcome {
            Outcome::Reached => None,
            Outcome::Refused(reason) => {
                Some(Refusal { target: self.target.clone(), reason: reason.clone() })
            }
        }
    }
}

/// A moment of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark(u64);

impl Mark {
    /// The moment after so many events.
    pub fn from_number(number: u64) -> Mark {
        Mark(number)
    }

    /// The number of events before it.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// The events of a way out.
#[derive(Debug, Default)]
pub struct Log {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// How many events there were.
    total: u64,
    reached: Kinds,
    refused: Kinds,
}

type Kinds = HashMap<(Option<Target>, Outcome), Kind>;

/// The numbers of the first and the last event of one kind, and how many there were.
#[derive(Debug, Default)]
struct Kind {
    first: u64,
    last: u64,
    times: u64,
}

impl Log {
    /// This moment.
    pub fn mark(&self) -> Mark {
        Mark(self.lock().total)
    }

    /// The kinds of events that happened after a mark, in the order in which each happened last.
    pub fn since(&self, mark: Mark) -> Vec<Event> {
        let state = self.lock();
        let kinds = state.reached.iter().chain(&state.refused);
        let mut found: Vec<_> = kinds.filter(|(_, kind)| kind.last > mark.0).collect();
        found.sort_by_key(|(_, kind)| kind.last);
        found
            .into_iter()
            .map(|((target, outcome), kind)| Event {
                target: target.clone(),
                outcome: outcome.clone(),
                times: if kind.first > mark.0 { kind.times } else { 1 },
            })
            .collect()
    }

    pub(crate) fn reached(&self, target: &Target) {
        self.add((Some(target.clone()), Outcome::Reached));
    }

    pub(crate) fn refused(&self, refusal: &Refusal) {
        self.add((refusal.target.clone(), Outcome::Refused(refusal.reason.clone())));
    }

    fn add(&self, key: (Option<Target>, Outcome)) {
        let mut state = self.lock();
        state.total += 1;
        let number = state.total;
        let (kinds, most) = match key.1 {
            Outcome::Reached => (&mut state.reached, MAX_REACHED),
            Outcome::Refused(_) => (&mut state.refused, MAX_REFUSED),
        };
        if !kinds.contains_key(&key) && kinds.len() >= most {
            let oldest = kinds.iter().min_by_key(|(_, kind)| kind.last);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                kinds.remove(&oldest);
            }
        }
        let kind = kinds.entry(key).or_insert(Kind { first: number, last: 0, times: 0 });
        kind.last = number;
        kind.times += 1;
    }

    /// A thread that ended by a bug leaves the log as it was: whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(port: u16) -> Target {
        Target::parse("a.example", Some(port)).unwrap()
    }

    #[test]
    fn events_of_one_kind_are_counted() {
        let log = Log::default();
        log.reached(&target(1));
        let mark = log.mark();
        assert_eq!(log.since(mark), []);
        let refusal = Refusal::new(&target(2), Reason::NotAllowed);
        log.refused(&refusal);
        log.refused(&refusal);
        let events = log.since(mark);
        assert_eq!(events.len(), 1);
        assert_eq!((events[0].times, events[0].refusal()), (2, Some(refusal)));
        assert_eq!(log.since(Mark::default()).len(), 2);
    }

    #[test]
    fn the_oldest_of_the_same_outcome_make_room() {
        let log = Log::default();
        for port in 0..=u16::try_from(MAX_REACHED).unwrap() {
            log.reached(&target(port + 1));
        }
        for port in 0..=u16::try_from(MAX_REFUSED).unwrap() {
            log.refused(&Refusal::new(&target(port + 1), Reason::NotAllowed));
        }
        let events = log.since(Mark::default());
        assert_eq!(events.len(), MAX_REACHED + MAX_REFUSED);
        assert_eq!(events[0].target, Some(target(2)));
        assert_eq!(events[MAX_REACHED].target, Some(target(2)));
    }
}
