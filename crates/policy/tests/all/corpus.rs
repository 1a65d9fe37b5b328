//! Every case of the command corpus: no answer is weaker than the case accepts, and the numbers
//! per category are exact so that a drift shows.

use handrail_policy::Enforced;
use std::collections::BTreeMap;

use crate::common::advice::check_advice;
use crate::common::json::Json;
use crate::common::{Lists, config, path_rules, policy, verify};
use handrail_policy::{Decision, Surroundings, Verdict};

pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) category: String,
    pub(crate) command: String,
    pub(crate) lists: Lists,
    pub(crate) accept: Vec<String>,
    pub(crate) why: String,
    pub(crate) effect: String,
}

pub(crate) fn cases() -> Vec<Case> {
    let corpus = Json::parse(include_str!("../../../../test/corpus/commands.json"));
    let text = |case: &Json, key: &str| case.get(key).map_or("", Json::text).to_owned();
    let cases = corpus.get("cases").expect("cases").list().iter().map(|case| {
        let lists = case.get("policy").expect("a policy");
        Case {
            id: text(case, "id"),
            category: text(case, "category"),
            command: text(case, "command"),
            lists: Lists {
                allow: lists.get("allow").map(Json::texts),
                deny: lists.get("deny").map(Json::texts),
                trust: Vec::new(),
            },
            accept: case.get("accept").expect("answers").texts(),
            why: text(case, "why"),
            effect: text(case, "effect"),
        }
    });
    cases.collect()
}

/// Without a shell.
fn judge_line(case: &Case) -> Verdict {
    let verdict = policy(&case.lists).decide_line(&case.command, Enforced::NOTHING);
    verify(&verdict, case.command.len());
    check_advice(&config(&case.lists), &verdict, |policy, text| {
        policy.decide_line(text.unwrap_or(&case.command), Enforced::NOTHING)
    });
    verdict
}

/// With bash, and no roots.
fn judge_script(case: &Case) -> Verdict {
    let rules = path_rules();
    let surroundings = Surroundings {
        directory: Some("/repo"),
        path_rules: Some(&rules),
        ..Surroundings::default()
    };
    let verdict = policy(&case.lists).decide_script(&case.command, &surroundings);
    verify(&verdict, case.command.len());
    check_advice(&config(&case.lists), &verdict, |policy, text| {
        policy.decide_script(text.unwrap_or(&case.command), &surroundings)
    });
    verdict
}

fn accepts(case: &Case, decision: Decision) -> bool {
    case.accept.iter().any(|answer| answer == decision.as_str())
}

/// Allowed although the corpus wants a question: the only effect is a file that a *listed* program
/// writes, which this layer leaves to the kernel plan and the full front end.
const FILE_EFFECTS: [&str; 14] = [
    "C342", "C346", "C349", "C350", "C355", "C356", "C359", "C361", "C362", "C363", "C364", "C366",
    "C367", "C368",
];

fn is_file_effect(case: &Case) -> bool {
    let effects = [
        "writes a file",
        "output file",
        "overwrites",
        "moves a file",
        "replaces a file",
        "-i with a suffix",
        "clustered -o",
        "--in-place",
    ];
    case.lists.allow.is_some()
        && case.lists.deny.is_none()
        && case.accept.iter().all(|answer| answer != "allow")
        && effects.iter().any(|effect| case.why.contains(effect))
        && !case.command.contains(['>', '|']) | case.command.starts_with("awk ")
}

/// Benign, but a built-in is not a program here, or the code inside is more than one command.
const NOT_PROGRAMS: [&str; 4] = ["C507", "C545", "C546", "C547"];

#[test]
fn nothing_is_allowed_that_the_corpus_does_not_accept() {
    for case in cases() {
        for verdict in [judge_line(&case), judge_script(&case)] {
            if verdict.decision != Decision::Allow || accepts(&case, Decision::Allow) {
                continue;
            }
            assert!(FILE_EFFECTS.contains(&case.id.as_str()), "{} {:?}", case.id, case.command);
            assert!(is_file_effect(&case), "{} {}", case.id, case.why);
        }
    }
}

#[test]
fn one_simple_benign_command_gets_an_accepted_answer() {
    for case in cases().iter().filter(|case| case.category.starts_with("benign")) {
        let verdict = judge_line(case);
        if accepts(case, verdict.decision) {
            continue;
        }
        if NOT_PROGRAMS.contains(&case.id.as_str()) {
            continue;
        }
        // The construct is in the text itself, and it is the only objection.
        for reason in &verdict.reasons {
            assert!(reason.rule.starts_with("syntax."), "{} {reason:?}", case.id);
        }
    }
}

#[test]
fn with_bash_every_answer_but_these_is_accepted() {
    for case in cases() {
        let verdict = judge_script(&case);
        let id = case.id.as_str();
        let expected = !FILE_EFFECTS.contains(&id);
        assert_eq!(accepts(&case, verdict.decision), expected, "{id} {:#?}", verdict.reasons);
    }
}

type Row = (&'static str, [usize; 5]);

// Category: cases, allow, ask, deny, answers outside of what the case accepts.
const WITHOUT_SHELL: [Row; 16] = [
    ("benign-allow", [29, 12, 1, 16, 16]),
    ("benign-deny", [47, 19, 1, 27, 27]),
    ("blocklist-equivalents", [18, 0, 10, 8, 0]),
    ("dynamic-name", [15, 0, 0, 15, 0]),
    ("environment", [8, 0, 0, 8, 0]),
    ("exec-capable-arguments", [43, 14, 12, 17, 13]),
    ("git", [27, 1, 12, 14, 0]),
    ("interpreter", [10, 0, 9, 1, 0]),
    ("lexer-differential", [17, 0, 4, 13, 0]),
    ("not-in-allowlist", [9, 0, 0, 9, 0]),
    ("position", [26, 0, 0, 26, 0]),
    ("redirection", [17, 0, 0, 17, 0]),
    ("shell-in-shell", [31, 0, 2, 29, 0]),
    ("substitution", [24, 0, 3, 21, 0]),
    ("word-spelling", [13, 0, 0, 13, 0]),
    ("wrapper", [30, 0, 4, 26, 0]),
];
const WITH_BASH: [Row; 16] = [
    ("benign-allow", [29, 28, 1, 0, 0]),
    ("benign-deny", [47, 46, 1, 0, 0]),
    ("blocklist-equivalents", [18, 0, 10, 8, 0]),
    ("dynamic-name", [15, 0, 12, 3, 0]),
    ("environment", [8, 0, 0, 8, 0]),
    ("exec-capable-arguments", [43, 15, 14, 14, 14]),
    ("git", [27, 1, 13, 13, 0]),
    ("interpreter", [10, 0, 10, 0, 0]),
    ("lexer-differential", [17, 0, 5, 12, 0]),
    ("not-in-allowlist", [9, 0, 0, 9, 0]),
    ("position", [26, 0, 0, 26, 0]),
    ("redirection", [17, 0, 10, 7, 0]),
    ("shell-in-shell", [31, 0, 17, 14, 0]),
    ("substitution", [24, 0, 6, 18, 0]),
    ("word-spelling", [13, 0, 3, 10, 0]),
    ("wrapper", [30, 0, 7, 23, 0]),
];

fn count(judge: fn(&Case) -> Verdict, expected: &[Row]) {
    let mut counted: BTreeMap<String, [usize; 5]> = BTreeMap::new();
    for case in cases() {
        let decision = judge(&case).decision;
        let row = counted.entry(case.category.clone()).or_default();
        row[0] += 1;
        row[1 + decision as usize] += 1;
        row[4] += usize::from(!accepts(&case, decision));
    }
    let counted: Vec<_> = counted.iter().map(|(name, row)| (name.as_str(), *row)).collect();
    assert_eq!(counted, expected);
}

#[test]
fn the_numbers_per_category_are_these() {
    count(judge_line, &WITHOUT_SHELL);
    count(judge_script, &WITH_BASH);
}
