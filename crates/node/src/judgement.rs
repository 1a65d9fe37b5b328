//! Functions that need only a text: judging a command, reading a list of rules, reading TOML.

use napi::bindgen_prelude::ClassInstance;
use napi_derive::napi;

use crate::code::{Result, error};
use crate::redactor::NativeRedactor;

/// The decision on the command of a question. Secrets in quoted parts of the command are masked.
#[napi(
    catch_unwind,
    ts_args_type = "question: Json<Question>, redactor: NativeRedactor",
    ts_return_type = "Json<Decision>"
)]
pub fn explain(question: String, redactor: ClassInstance<'_, NativeRedactor>) -> Result<String> {
    handrail_reports::explain(question.as_bytes(), redactor.redactor())
        .map_err(|problem| error(problem.code, &problem.message))
}

/// The words of a text in bash syntax that may name files.
#[napi(catch_unwind, ts_return_type = "Json<NamedWords>")]
pub fn named_words(text: String) -> String {
    handrail_reports::named_words(&text)
}

/// The rules of a list as a person types it, each as its words, or what is wrong with it.
#[napi(catch_unwind, ts_return_type = "Json<RuleList>")]
pub fn read_rule_list(list: String) -> String {
    handrail_reports::rule_list(&list)
}

/// The entries of a TOML document, each with the line it stands in, or what is wrong with it.
#[napi(catch_unwind, ts_return_type = "Json<Document>")]
pub fn read_toml(text: String) -> String {
    handrail_reports::document(&text)
}
