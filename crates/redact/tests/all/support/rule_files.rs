//! A rule file of one team, as the tests of rule files write it.

use handrail_redact::{Options, Redactor, RuleFile, Rules};

/// A secret of no known kind.
pub(crate) const SECRET: &str = "k7Qw2ZpL9xVb4NtR";

pub(crate) fn file(toml: &str) -> RuleFile {
    RuleFile { name: "team.toml".to_owned(), toml: toml.to_owned() }
}

pub(crate) fn options(toml: &str) -> Options {
    Options { rule_files: vec![file(toml)], rules: Rules::None, ..Options::default() }
}

pub(crate) fn with(toml: &str) -> Redactor {
    Redactor::new(options(toml)).unwrap_or_else(|error| panic!("{toml}: {error}"))
}

/// A file with one rule whose fields are `fields`.
pub(crate) fn rule(fields: &str) -> String {
    format!("[[rules]]\nid = \"acme-key\"\n{fields}\n")
}
