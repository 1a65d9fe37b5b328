//! How a command would be judged.

use handrail_policy::paths::{PathRules, PathRulesConfig};
use handrail_policy::{Config, Policy, Rule, Surroundings};
use handrail_redact::{Options, Redactor};
use serde::Deserialize;

use crate::{fail, give_json, read_json};

#[derive(Deserialize)]
struct Listed {
    program: String,
    args: Option<Vec<String>>,
}

/// A command and what it is judged by.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Question {
    command: String,
    /// A script, or one command without a shell.
    is_script: bool,
    allow: Option<Vec<Listed>>,
    deny: Option<Vec<Listed>>,
    #[serde(default)]
    trust_interpreters: Vec<String>,
    directory: Option<String>,
    roots: Option<Vec<String>>,
}

/// The verdict on the question in the input, both JSON.
#[unsafe(no_mangle)]
pub extern "C" fn explain() -> u32 {
    let question: Question = match read_json() {
        Ok(question) => question,
        Err(error) => return fail("ERR_INVALID_ARGUMENT", &error),
    };
    match judge(question) {
        Ok(result) => result,
        Err((code, message)) => fail(code, &message),
    }
}

fn judge(question: Question) -> Result<u32, (&'static str, String)> {
    let rules = |listed: Vec<Listed>| -> Vec<Rule> {
        listed.into_iter().map(|one| Rule { program: one.program, args: one.args }).collect()
    };
    let policy = Policy::new(Config {
        allow: question.allow.map(rules),
        deny: question.deny.map(rules),
        trust_interpreters: question.trust_interpreters,
        ..Config::default()
    })
    .map_err(|error| (error.code(), error.to_string()))?;
    let path_rules = PathRules::new(PathRulesConfig {
        roots: question.roots.clone().unwrap_or_default(),
        ..PathRulesConfig::default()
    })
    .map_err(|error| ("ERR_INVALID_ARGUMENT", error.to_string()))?;
    let redactor =
        Redactor::new(Options::default()).map_err(|error| ("ERR_INTERNAL", error.to_string()))?;
    let environment = ["HOME", "PATH", "TMPDIR"].map(str::to_owned);
    let verdict = if question.is_script {
        policy.decide_script(
            &question.command,
            &Surroundings {
                directory: question.directory.as_deref(),
                writable_roots: question.roots.as_deref(),
                environment: &environment,
                path_rules: Some(&path_rules),
            },
        )
    } else {
        policy.decide_line(&question.command)
    };
    Ok(give_json(&handrail_verdict::to_native(&verdict, &question.command, &redactor)))
}
