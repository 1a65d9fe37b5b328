//! Judging a command from a question in JSON, where nothing runs.

use std::fmt::Display;

use handrail_policy::paths::{PathRules, PathRulesConfig};
use handrail_policy::{Config, Enforced, Policy, Rule, Surroundings};
use handrail_redact::Redactor;
use serde::{Deserialize, Serialize};

use crate::{Decision, json};

/// Why a request could not be served.
#[derive(Debug)]
pub struct Problem {
    /// The stable code.
    pub code: &'static str,
    /// For people.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(code: &'static str, message: &impl Display) -> Self {
        Self { code, message: message.to_string() }
    }
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
struct ListedProgram {
    program: String,
    args: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
enum QuestionCommand {
    Text(String),
    Arguments(Vec<String>),
}

/// A command, and the lists and paths that it is judged by.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct Question {
    command: QuestionCommand,
    /// Whether a text may be a script.
    script: bool,
    allow: Option<Vec<ListedProgram>>,
    deny: Option<Vec<ListedProgram>>,
    ask: Option<Vec<ListedProgram>>,
    trust_interpreters: Vec<String>,
    /// The directories that programs are found in.
    path: Vec<String>,
    home: Option<String>,
    /// The names of the variables in the environment of commands.
    environment: Vec<String>,
    directory: Option<String>,
    /// The directories that commands may write to; any when absent.
    roots: Option<Vec<String>>,
}

/// The decision on a question. Both are JSON. Secrets in quoted parts of the command are masked by `redactor`.
pub fn explain(question: &[u8], redactor: &Redactor) -> Result<String, Problem> {
    let invalid = |error: &dyn Display| Problem::new("ERR_INVALID_ARGUMENT", &error);
    let question: Question = serde_json::from_slice(question).map_err(|error| invalid(&error))?;
    let policy = Policy::new(Config {
        allow: question.allow.map(rules),
        deny: question.deny.map(rules),
        ask: question.ask.map(rules).unwrap_or_default(),
        trust_interpreters: question.trust_interpreters,
        trusted_directories: question.path,
        roots: question.roots.clone().unwrap_or_default(),
    })
    .map_err(|error| Problem::new(error.code(), &error))?;
    let path_rules = PathRules::new(PathRulesConfig {
        home: question.home,
        write: true,
        roots: question.roots.clone().unwrap_or_default(),
        ..PathRulesConfig::default()
    })
    .map_err(|error| invalid(&error))?;
    let surroundings = Surroundings {
        directory: question.directory.as_deref(),
        writable_roots: question.roots.as_deref(),
        environment: &question.environment,
        path_rules: Some(&path_rules),
        files: None,
        enforced: Enforced::NOTHING,
        is_continued: false,
    };
    let plain =
        Surroundings { directory: question.directory.as_deref(), ..Enforced::NOTHING.into() };
    let (verdict, source) = match question.command {
        QuestionCommand::Text(script) if question.script => {
            (policy.decide_script(&script, &surroundings), script)
        }
        QuestionCommand::Text(line) => (policy.decide_line(&line, plain), line),
        QuestionCommand::Arguments(argv) => (policy.decide_argv(&argv, plain), argv.join(" ")),
    };
    Ok(json(&Decision::of(&verdict, &source, redactor)))
}

/// A list of rules: each rule as its words, or why it is none.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct RuleList {
    rules: Vec<Vec<String>>,
    /// To be read after the name of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// The words of a command that may name files.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NamedWords {
    /// Without their quotes, and parts of them that may be paths.
    words: Vec<String>,
    /// The command can name no other file: it has no variable, pattern or text in another language.
    are_complete: bool,
}

/// The words of a text in bash syntax that may name files, as a report in JSON.
pub fn named_words(text: &str) -> String {
    let handrail_policy::NamedWords { words, are_complete } = handrail_policy::named_words(text);
    json(&NamedWords { words, are_complete })
}

/// Reads a list of rules as a person types it; gives a report as JSON, whether it is one or not.
pub fn rule_list(list: &str) -> String {
    let (rules, problem) = match handrail_policy::rule_words(list) {
        Ok(rules) => (rules, None),
        Err(problem) => (Vec::new(), Some(problem)),
    };
    json(&RuleList { rules, problem })
}

fn rules(listed: Vec<ListedProgram>) -> Vec<Rule> {
    listed.into_iter().map(|one| Rule { program: one.program, args: one.args }).collect()
}
