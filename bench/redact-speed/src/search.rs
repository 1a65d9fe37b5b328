//! Looks for inputs that are slow: units of a few tokens, made from what the rules know, each again and again. The slowest
//! are changed a little and tried again.

mod vocabulary;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{self, Write};

use handrail_redact::Redactor;

use crate::hostile::{LEAST_SPEED, filled};
use crate::{clock, default_redactor};
use vocabulary::{LINES, NAMES, OPERATORS, SEPARATORS, TABLES, VALUES};

/// Bytes of a first look, and of a closer one at the slowest.
const GLANCE_BYTES: usize = 128 << 10;
const LOOK_BYTES: usize = 512 << 10;

/// How many of the slowest are changed, and how many are shown.
const POOL: usize = 150;
const SHOWN: usize = 25;

/// Most tokens in a unit.
const TOKENS: u64 = 4;

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn of<'t>(&mut self, tokens: &[&'t str]) -> &'t str {
        let bound = u64::try_from(tokens.len()).unwrap_or(1);
        tokens[usize::try_from(self.below(bound)).unwrap_or(0)]
    }
}

type Unit = Vec<&'static str>;

struct Search {
    random: Random,
    redactor: Redactor,
    literals: Vec<&'static str>,
    /// Speeds in kilobytes per second; a unit is measured once.
    speeds: BTreeMap<Unit, u64>,
}

impl Search {
    fn token(&mut self) -> &'static str {
        match self.random.below(5) {
            0 => self.random.of(NAMES),
            1 => self.random.of(OPERATORS),
            2 => self.random.of(VALUES),
            3 => self.random.of(SEPARATORS),
            _ => self.random.of(&self.literals),
        }
    }

    /// A pair as it is written, one over two lines, or anything.
    fn unit(&mut self) -> Unit {
        let sort = self.random.below(6);
        if sort == 0 {
            let line = self.random.of(LINES);
            let value =
                if self.random.below(3) == 0 { self.token() } else { self.random.of(VALUES) };
            return vec![line, value, "\n", self.random.of(LINES)];
        }
        if sort <= 3 {
            return (0..=self.random.below(TOKENS)).map(|_| self.token()).collect();
        }
        let name = if self.random.below(3) == 0 { self.token() } else { self.random.of(NAMES) };
        let operator = self.random.of(OPERATORS);
        let value = if self.random.below(3) == 0 { self.token() } else { self.random.of(VALUES) };
        vec![name, operator, value, self.random.of(SEPARATORS)]
    }

    /// The unit with one token changed, dropped or more.
    fn changed(&mut self, mut unit: Unit) -> Unit {
        let token = self.token();
        let length = u64::try_from(unit.len()).unwrap_or(1);
        let at = usize::try_from(self.random.below(length)).unwrap_or(0);
        match self.random.below(4) {
            0 if length > 1 => {
                unit.remove(at);
            }
            1 if length <= TOKENS => unit.insert(at, token),
            2 => {
                let shorter: Option<(usize, char)> = unit[at].char_indices().nth(1);
                unit[at] = shorter.map_or(token, |(from, _)| &unit[at][from..]);
            }
            _ => unit[at] = token,
        }
        unit
    }

    fn measure(&mut self, unit: Unit) {
        if self.speeds.contains_key(&unit) || unit.iter().all(|token| token.is_empty()) {
            return;
        }
        let speed = self.speed(&unit, GLANCE_BYTES, 1);
        self.speeds.insert(unit, speed);
    }

    fn speed(&self, unit: &Unit, bytes: usize, runs: usize) -> u64 {
        let text = filled(unit.concat().as_bytes(), bytes);
        let time = clock::median(runs, || {
            black_box(self.redactor.redact(&text));
        });
        u64::try_from(bytes as u128 * 1_000_000 / time.as_nanos().max(1)).unwrap_or(u64::MAX)
    }

    fn slowest(&self, count: usize) -> Vec<(u64, Unit)> {
        let mut all: Vec<_> =
            self.speeds.iter().map(|(unit, speed)| (*speed, unit.clone())).collect();
        all.sort();
        all.truncate(count);
        all
    }
}

/// Tries `count` units, half of them made from the slowest of the others. Fails when one is too slow.
pub(crate) fn search(count: usize, seed: usize, output: &mut impl Write) -> io::Result<()> {
    let quoted = TABLES.iter().flat_map(|table| table.split('"').skip(1).step_by(2));
    let mut search = Search {
        random: Random(0x9e37_79b9_7f4a_7c15 ^ u64::try_from(seed).unwrap_or_default()),
        redactor: default_redactor()?,
        literals: quoted.filter(|literal| !literal.is_empty()).collect(),
        speeds: BTreeMap::new(),
    };
    for index in 0..search.literals.len() {
        search.measure(vec![search.literals[index]]);
    }
    while search.speeds.len() < count / 2 {
        let unit = search.unit();
        search.measure(unit);
    }
    while search.speeds.len() < count {
        for (_, unit) in search.slowest(POOL) {
            let unit = search.changed(unit);
            search.measure(unit);
        }
    }
    let mut breaches = 0;
    let mut closer: Vec<_> = search
        .slowest(POOL)
        .into_iter()
        .map(|(_, unit)| (search.speed(&unit, LOOK_BYTES, 3), unit))
        .collect();
    closer.sort();
    for (rank, (speed, unit)) in closer.into_iter().enumerate() {
        let megabytes = u32::try_from(speed).map_or(f64::MAX, f64::from) / 1_000.0;
        breaches += usize::from(megabytes < LEAST_SPEED);
        if rank < SHOWN || megabytes < LEAST_SPEED {
            writeln!(output, "{megabytes:8.1} MB/s  {:?}", unit.concat())?;
        }
    }
    writeln!(
        output,
        "{} units, {breaches} of the slowest {POOL} are below {LEAST_SPEED} MB/s",
        search.speeds.len()
    )?;
    if breaches > 0 {
        return Err(io::Error::other(format!("{breaches} units are too slow")));
    }
    Ok(())
}
