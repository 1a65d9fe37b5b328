//! Judging a command, reading a list of rules, reading TOML.

use crate::redactor::read_redactor;
use crate::{fail, give_text, with_input, with_text};

/// The decision on the question in the input. Both are JSON. Secrets in quoted parts of the command are masked by the redactor.
#[unsafe(no_mangle)]
pub extern "C" fn explain(redactor: u32) -> u32 {
    read_redactor(redactor, |redactor| {
        match with_input(|question| handrail_reports::explain(question, redactor)) {
            Ok(verdict) => give_text(&verdict),
            Err(problem) => fail(problem.code, &problem.message),
        }
    })
}

/// The rules of the list in the input, JSON.
#[unsafe(no_mangle)]
pub extern "C" fn read_rule_list() -> u32 {
    with_text(|list| give_text(&handrail_reports::rule_list(list)))
}

/// The entries of the TOML document in the input, JSON.
#[unsafe(no_mangle)]
pub extern "C" fn read_toml() -> u32 {
    with_text(|text| give_text(&handrail_reports::document(text)))
}
