use super::*;

fn rules(names: &[&str]) -> Vec<Rule> {
    names.iter().map(|name| Rule::program(*name)).collect()
}

fn allowing(allow: &[&str]) -> Plan {
    let config = Config { allow: Some(rules(allow)), ..Config::default() };
    Plan::new(&config, &Confine::default(), true, false)
}

fn denying(deny: Vec<Rule>) -> Plan {
    let config = Config { deny: Some(deny), ..Config::default() };
    Plan::new(&config, &Confine::default(), true, false)
}

#[test]
fn an_allow_list_lists_what_may_be_executed() {
    let names = |plan: Plan| plan.programs.map(|programs| programs.len());
    assert_eq!(names(allowing(&["ls", "git", "ls"])), Some(2));
    assert_eq!(names(allowing(&[])), Some(0));
    assert_eq!(names(denying(rules(&["curl"]))), None);
    assert_eq!(names(allowing(&["ls"]).approved()), None);
}

#[test]
fn a_part_has_parts() {
    let names =
        |program: &Program| -> Vec<String> { program.parts().map(|part| part.name).collect() };
    let compiler = Program::new("cargo").parts().find(|part| part.name == "cc");
    assert!(compiler.is_some_and(|compiler| names(&compiler).contains(&"ld".to_owned())));
    // What runs any text that it is given is a part of nothing that does not exist for that.
    for name in ["git", "make", "tar", "awk", "find", "xargs", "env", "cargo", "gcc"] {
        assert!(!names(&Program::new(name)).contains(&"sh".to_owned()), "{name}");
    }
}

#[test]
fn a_denied_remover_keeps_files() {
    assert_eq!(denying(rules(&["rm"])).remove, Remove::No);
    assert_eq!(denying(rules(&["/bin/rm"])).remove, Remove::No);
    assert_eq!(denying(rules(&["curl"])).remove, Remove::Yes);
    let one_use = Rule { program: "rm".into(), args: Some(vec!["-rf".into()]) };
    assert_eq!(denying(vec![one_use]).remove, Remove::Yes);
}

#[test]
fn only_rewriters_alone_rewrite() {
    let plan = denying(rules(&["rm"]));
    let is = |programs: &[&str]| {
        plan.is_rewritten_by(&programs.iter().map(|&name| name.into()).collect::<Vec<_>>())
    };
    assert!(is(&["git"]) && is(&["git", "npm"]));
    assert!(!is(&["git", "mv"]) && !is(&[]));
    assert_eq!(plan.rewriting().remove, Remove::Yes);
    assert!(!plan.rewriting().is_rewritten_by(&["git".into()]), "it may already");
}

#[test]
fn what_the_host_names_joins_a_list_and_makes_none() {
    let names = |plan: Plan| plan.programs.map(|programs| programs.len());
    assert_eq!(names(allowing(&["ls"]).naming("/opt/server")), Some(2));
    assert_eq!(names(denying(rules(&["rm"])).naming("/opt/server")), None);
}

#[test]
fn where_nothing_was_said_about_places_nothing_is_confined_to_them() {
    let config = Config::default();
    let nothing = Confine::default();
    assert_eq!(Plan::new(&config, &nothing, false, false).writes, Writes::Any);
    assert_eq!(Plan::new(&config, &nothing, true, false).writes, Writes::Roots);
}

#[test]
fn a_shell_that_runs_judged_texts_may_be_executed() {
    let config = Config { allow: Some(rules(&["ls"])), ..Config::default() };
    let plan = Plan::new(&config, &Confine::default(), true, true);
    let names = plan.programs.unwrap_or_default();
    assert!(names.iter().any(|program| program.name == "bash"));
}
