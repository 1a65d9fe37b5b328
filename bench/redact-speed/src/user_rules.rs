//! What patterns of a user cost: to build, and to search for.

use std::hint::black_box;
use std::io::{self, Write};

use handrail_redact::{Options, Rules};

use crate::{clock, redactor};

/// How many patterns are compared.
const COUNTS: [usize; 3] = [10, 100, 1_000];

/// Patterns as teams write them: a prefix of their own and a class.
fn patterns(count: usize) -> Vec<String> {
    const TAILS: [&str; 5] = [
        "[A-Za-z0-9]{32}",
        "[0-9a-f]{40}\\b",
        "[A-Z0-9_-]{20,64}",
        "(?:live|test)_[a-zA-Z0-9]{24}",
        "[\\w.-]{16,}",
    ];
    let mut numbers = crate::corpus::Numbers::new(7);
    (0..count)
        .map(|index| {
            let letters: String = (0..4).map(|_| numbers.letter()).collect();
            format!("\\b{letters}{index}_{}", TAILS[index % TAILS.len()])
        })
        .collect()
}

pub(crate) fn build(runs: usize, output: &mut impl Write) -> io::Result<()> {
    let mut measure = |name: &str, options: &Options| -> io::Result<()> {
        redactor(options.clone())?;
        let time = clock::median(runs, || {
            black_box(redactor(options.clone()).is_ok());
        });
        writeln!(output, "{:9.2} ms  {name}", time.as_secs_f64() * 1e3)
    };
    measure("default", &Options::default())?;
    for count in COUNTS {
        let options = Options { patterns: patterns(count), ..Options::default() };
        measure(&format!("{count} patterns"), &options)?;
    }
    Ok(())
}

pub(crate) fn scan(text: &[u8], runs: usize, output: &mut impl Write) -> io::Result<()> {
    for rules in [Rules::None, Rules::Default] {
        for count in COUNTS {
            let redactor = redactor(Options {
                patterns: patterns(count),
                rules: rules.clone(),
                ..Options::default()
            })?;
            let time = clock::median(runs, || {
                black_box(redactor.redact(text));
            });
            let speed = clock::speed(text.len(), time);
            writeln!(output, "{speed:8.0} MB/s  {count} patterns, built-in rules: {rules:?}")?;
        }
    }
    Ok(())
}
