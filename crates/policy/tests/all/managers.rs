//! Package managers: what reads passes, what runs scripts is a question unless the host says so.

use crate::common::{asked, check_lines, passed};
use handrail_policy::Decision::{Allow, Ask, Deny};
use handrail_policy::Enforced;
use handrail_policy::{Config, Policy, Rule};

#[test]
fn package_managers_run_scripts_of_packages_and_projects() {
    asked(
        &[
            "npm start",
            "npm t",
            "npm test",
            "npm tst",
            "npm run x",
            "npm run-script build",
            "npm install",
            "npm i ./x",
            "npm install ../x",
            "npm ci",
            "npm rebuild",
            "npm version patch",
            "npm pack",
            "npm link",
            "npm audit fix",
            "npm --prefix x install",
            "npm -w x test",
            "npm unknown",
            "npm install --ignore-scripts --no-ignore-scripts",
            "npm install --ignore-scripts false",
            "npm install --ignore-scripts=false",
            "npm install --ignore-scripts --ignore-s=false",
            "npm test --ignore-scripts",
            "pnpm install",
            "pnpm build",
            "yarn",
            "yarn build",
            "pip install .",
            "pip3 install x",
            "pip3.11 install x",
            "pip wheel x",
            "uv pip install x",
            "uv sync",
            "poetry install",
            "gem install x",
            "bundle",
            "composer install",
            "brew install x",
            "dpkg -i x.deb",
            "dpkg --install x.deb",
            "dpkg --configure -a",
            "apt-get install ./x.deb",
            "apt install -y /tmp/x.deb",
        ],
        "interpreter.code",
    );
    asked(
        &[
            "npm x y",
            "npm exec y",
            "npm exe y",
            "npm init y",
            "yarn dlx y",
            "pnpm -r exec y",
            "uv run y",
            "poetry run y",
            "gem exec y",
            "bundle exec y",
            "composer exec y",
            "cpan x",
        ],
        "program.dynamic",
    );
    asked(&["npm --unknown x ls"], "launcher.option");
    passed(&[
        "npm ls",
        "npm -v",
        "npm",
        "npm ls x",
        "npm view react version",
        "npm audit",
        "npm outdated",
        "npm config get registry",
        "npm install --ignore-scripts",
        "npm ci --ignore-scripts --no-audit",
        "npm --prefix x ls",
        "npm run",
        "npm version",
        "pnpm list",
        "yarn why x",
        "yarn --version",
        "pip list",
        "pip show x",
        "pip install --only-binary=:all: x",
        "uv pip list",
        "poetry show",
        "gem list",
        "bundle list",
        "composer show",
        "dpkg -l",
        "dpkg -L x",
        "dpkg -S x",
        "rpm -qi x",
        "rpm -qa",
        "apt-get update",
        "apt-get install -y x",
        "apt list --installed",
        "pacman -Ss x",
        "pacman -Qi x",
    ]);
}

#[test]
fn a_rule_or_trust_lets_scripts_run() {
    let rule = |program: &str, args: &[&str]| Rule {
        program: program.into(),
        args: Some(crate::common::argv(args)),
    };
    let policy = Policy::new(Config {
        allow: Some(vec![
            Rule::program("npm"),
            rule("npm", &["test"]),
            rule("npm", &["run", "build"]),
            rule("dpkg", &["-i"]),
            rule("yarn", &["--silent"]),
        ]),
        ..Config::default()
    })
    .expect("valid");
    for (line, decision) in [
        ("npm test", Allow),
        ("npm test -- x", Allow),
        ("npm run build", Allow),
        ("npm run other", Ask),
        ("npm start", Ask),
        ("npm --silent test", Ask),
        ("dpkg -i x.deb", Allow),
        ("yarn --silent build", Ask),
    ] {
        assert_eq!(policy.decide_line(line, Enforced::NOTHING).decision, decision, "{line}");
    }
    check_lines(&[
        ("+npm;~npm", "npm test", Allow, "list.allowed"),
        ("+npm;~npm", "./npm test", Deny, "program.untrusted_path"),
        ("+npm;~npm", "npm exec x", Ask, "program.dynamic"),
        ("-rm", "npm test", Allow, "list.allowed"),
        ("-rm", "npm install", Allow, "list.allowed"),
        ("-rm", "npm exec rm", Ask, "program.dynamic"),
    ]);
}

/// Without a package nothing is downloaded, but settings of a project may name code for node.
#[test]
fn npm_init_is_plain_where_node_is_trusted() {
    let uses = ["npm init", "npm init -y", "npm create", "pnpm init", "yarn init -y"];
    asked(&uses, "interpreter.code");
    let allow = ["npm", "pnpm", "yarn", "node"].map(Rule::program).to_vec();
    let config = Config {
        allow: Some(allow),
        trust_interpreters: vec!["node".to_owned()],
        ..Config::default()
    };
    let policy = Policy::new(config).expect("it is valid");
    for command in uses {
        assert_eq!(policy.decide_line(command, Enforced::NOTHING).decision, Allow, "{command}");
    }
    for command in
        ["npm init vite", "npm init -y vite", "npm create vite@latest", "pnpm create vite"]
    {
        assert_eq!(policy.decide_line(command, Enforced::NOTHING).decision, Ask, "{command}");
    }
}
