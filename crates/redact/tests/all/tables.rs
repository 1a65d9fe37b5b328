//! The examples that any engine is judged by: the rows of `testdata/*.toml`.
//!
//! A file holds arrays of rows of one mechanism; `secrets`, `substrings` and `patterns` before them are options of its
//! redactor. A row is one line with `input` and `expected`, or `stays` for both. It may say the `rule` of one of its
//! findings, and why today's engine fails it: `waived`. A waiver that nothing needs is an error.
//! `«12»`, `«hex 12»`, `«upper 12»` and `«lower 12»` stand for so many characters, `«PRIVATE»` for the word, so that
//! nothing in a table looks like a secret.
//!
//! With `HANDRAIL_TABLES_LIST=1` failures are lines of `FAIL` (`PASS` for a waiver that nothing needs), file, line,
//! mechanism and problem, parted by tabs, and none ends the test. To waive them all, in the root of the repository:
//! ```sh
//! HANDRAIL_TABLES_LIST=1 cargo test -p handrail-redact --test all tables:: -- --nocapture | grep ^FAIL |
//!   while IFS=$'\t' read -r _ file line _; do sed -i "${line}s/ },\$/, waived = \"REASON\" },/" "$file"; done
//! ```

#![expect(clippy::disallowed_methods, reason = "a test may read files and the environment")]

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use crate::support::{expand, redact_with, stream};
use handrail_redact::{Options, Redactor, Vectors, with_vectors};
use toml::de::DeTable;

const MASK: &str = "[REDACTED]";

pub(crate) struct Row {
    place: (String, usize),
    mechanism: String,
    pub(crate) redactor: Redactor,
    pub(crate) input: String,
    pub(crate) expected: String,
    pub(crate) rule: Option<String>,
    waived: Option<String>,
}

impl Row {
    /// It needs no waiver.
    pub(crate) fn holds(&self) -> bool {
        self.waived.is_none()
    }

    /// The example of a rule for what stands around a secret.
    pub(crate) fn is_around(&self) -> bool {
        self.rule.is_some() && !self.mechanism.starts_with("tokens.")
    }
}

/// All rows of all tables.
pub(crate) fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let entries = fs::read_dir(folder).expect("the tables are there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort_unstable();
    paths.iter().flat_map(|path| rows_of(path)).collect()
}

fn rows_of(path: &Path) -> Vec<Row> {
    let name = path.file_stem().expect("a file").to_string_lossy();
    let text = fs::read_to_string(path).expect("a table is text");
    let table = DeTable::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let texts = |key| {
        let list = table.get_ref().get(key).and_then(|list| list.get_ref().as_array());
        list.into_iter().flatten().filter_map(|text| text.get_ref().as_str()).map(expand)
    };
    let options = Options {
        secrets: texts("secrets").map(|value| ("NAME".to_owned(), value)).collect(),
        substrings: texts("substrings").collect(),
        patterns: texts("patterns").collect(),
        ..Options::default()
    };
    let redactor = Redactor::new(options).expect("valid options");
    let mut rows = Vec::new();
    for (group, entries) in table.get_ref() {
        for entry in entries.get_ref().as_array().into_iter().flatten() {
            let Some(row) = entry.get_ref().as_table() else { continue };
            let field = |key| row.get(key).and_then(|text| text.get_ref().as_str()).map(expand);
            let line = text[..entry.span().end].lines().count();
            rows.push(Row {
                place: (format!("crates/redact/testdata/{name}.toml"), line),
                mechanism: format!("{name}.{}", group.get_ref()),
                redactor: redactor.clone(),
                input: field("input").or(field("stays")).expect("`input` or `stays`"),
                expected: field("expected").or(field("stays")).expect("`expected` or `stays`"),
                rule: field("rule"),
                waived: field("waived"),
            });
        }
    }
    rows.sort_unstable_by_key(|row| row.place.1);
    rows
}

/// What is wrong with a row.
fn problem(Row { redactor, input, expected, rule, .. }: &Row) -> Option<String> {
    let got = redact_with(redactor, input);
    if got != *expected {
        return Some(format!("got {got:?}"));
    }
    let again = redact_with(redactor, &got);
    if again != got {
        return Some(format!("again {again:?}"));
    }
    let findings = redactor.scan(input.as_bytes());
    let mut scanned = input.clone();
    for finding in findings.iter().rev() {
        scanned.replace_range(finding.start..finding.end, MASK);
    }
    // The finding of a block has a line end that is shown, and the mask of a number may have quotes.
    let (of_scan, of_text) = (scanned.split(MASK), got.split(MASK));
    let agree = of_scan.clone().count() == of_text.clone().count()
        && of_scan.zip(of_text).all(|(scanned, shown)| shown.contains(scanned.trim()));
    if !agree
        || rule
            .as_ref()
            .is_some_and(|rule| findings.iter().all(|found| redactor.rule_name(found.rule) != rule))
    {
        return Some(format!("scan {scanned:?} {findings:?}"));
    }
    (0..=input.len()).find_map(|cut| {
        let (first, second) = input.as_bytes().split_at(cut);
        let shown = stream(redactor, &[first, second]);
        (shown != got.as_bytes()).then(|| format!("cut at {cut} {:?}", shown.escape_ascii()))
    })
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "the counts are to be seen, and the list to be read by a script"
)]
fn every_row_is_as_it_says() {
    let (mut report, mut counts) = (Vec::new(), BTreeMap::<_, [usize; 3]>::new());
    let is_list = env::var_os("HANDRAIL_TABLES_LIST").is_some();
    for row in rows() {
        let Row { place: (file, line), mechanism, input, expected, waived, .. } = &row;
        let problem = match (problem(&row), waived) {
            (None, Some(_)) => Some("it passes: remove `waived`".to_owned()),
            (Some(_), Some(_)) => None,
            (problem, None) => problem,
        };
        let more = [1, usize::from(waived.is_some()), usize::from(problem.is_some())];
        for name in [mechanism.as_str(), "all"] {
            let count = counts.entry(name.to_owned()).or_default();
            *count = std::array::from_fn(|at| count[at] + more[at]);
        }
        report.extend(problem.map(|problem| {
            if is_list {
                let kind = if waived.is_none() { "FAIL" } else { "PASS" };
                format!("{kind}\t{file}\t{line}\t{mechanism}\t{problem}")
            } else {
                format!("{file}:{line} {mechanism}\n  {input:?}\n  {expected:?}\n  {problem}")
            }
        }));
    }
    report.extend(counts.iter().map(|(mechanism, [rows, waived, failed])| {
        format!("{mechanism}: {rows} rows, {waived} waived, {failed} failed")
    }));
    println!("{}", report.join("\n"));
    assert!(is_list || counts["all"][2] == 0, "{} rows failed", counts["all"][2]);
}

/// Without vectors, as on other processors and in WASM.
#[test]
fn every_row_gives_the_same_with_any_vectors() {
    let portable = with_vectors(Vectors::None, rows);
    let avx2 = with_vectors(Vectors::Avx2, rows);
    let all = rows();
    for (row, other) in all.iter().zip(portable).chain(all.iter().zip(avx2)) {
        let place = &row.place;
        assert_eq!(
            redact_with(&other.redactor, &row.input),
            redact_with(&row.redactor, &row.input),
            "{place:?}"
        );
        let [found, same] =
            [&row.redactor, &other.redactor].map(|one| one.scan(row.input.as_bytes()));
        assert_eq!(found, same, "{place:?}");
    }
}
