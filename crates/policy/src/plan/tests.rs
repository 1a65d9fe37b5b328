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
    let named = |names: &[&str]| names.iter().map(|&name| name.into()).collect::<Vec<String>>();
    let removal = |programs: &[&str]| plan.removal_by(&named(programs));
    assert_eq!(removal(&["git", "head"]), Some(Removal::Everywhere));
    assert_eq!(removal(&["git", "mv"]), None);
    assert_eq!(removal(&[]), None);
    assert_eq!(plan.rewriting().remove, Remove::Yes);
    assert_eq!(plan.rewriting().removal_by(&named(&["git"])), None, "it may already");
}

#[test]
fn those_that_run_what_a_project_says_remove_in_their_own_folders() {
    let plan = denying(rules(&["rm"]));
    let named = |names: &[&str]| names.iter().map(|&name| name.into()).collect::<Vec<String>>();
    let removal = |programs: &[&str]| plan.removal_by(&named(programs));
    assert_eq!(removal(&["npm"]), Some(Removal::Folders(vec!["node_modules"])));
    assert_eq!(removal(&["cargo", "tail"]), Some(Removal::Folders(vec!["target"])));
    assert_eq!(removal(&["npm", "cargo"]), Some(Removal::Folders(vec!["node_modules", "target"])));
    // A script of both would remove by the rights of the wider one.
    assert_eq!(removal(&["git", "npm"]), Some(Removal::Folders(vec!["node_modules"])));
    let confine = Confine { rewriters: Some(named(&["npm"])), ..Confine::default() };
    let config = Config { deny: Some(rules(&["rm"])), ..Config::default() };
    let plan = Plan::new(&config, &confine, true, false);
    assert_eq!(plan.removal_by(&named(&["npm"])), Some(Removal::Everywhere), "the host's word");
    assert_eq!(plan.removal_by(&named(&["git"])), None);
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
