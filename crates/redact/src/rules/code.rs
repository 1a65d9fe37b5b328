//! Tokens of code hosts, package registries and build services.

use super::{Check, Rule};
use crate::class::Class;
use crate::verify::token::Token;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "github-token",
        title: "GitHub token",
        triggers: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        check: Check::Token(Token::at_least(Class::Alnum, 30)),
    },
    Rule {
        id: "github-fine-grained-token",
        title: "GitHub fine-grained token",
        triggers: &["github_pat_"],
        check: Check::Token(Token::at_least(Class::Word, 36)),
    },
    Rule {
        id: "gitlab-token",
        title: "GitLab token",
        triggers: &[
            "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-",
            "glsoat-", "gloas-",
        ],
        check: Check::Token(Token::at_least(Class::Dot, 20)),
    },
    Rule {
        id: "bitbucket-app-password",
        title: "Bitbucket app password",
        triggers: &["ATBB"],
        check: Check::Token(Token::at_least(Class::Alnum, 32)),
    },
    Rule {
        id: "atlassian-token",
        title: "Atlassian API token",
        triggers: &["ATATT3", "ATCTT3"],
        check: Check::Token(Token::at_least(Class::Base64, 60)),
    },
    Rule {
        id: "npm-token",
        title: "npm token",
        triggers: &["npm_"],
        check: Check::Token(Token::at_least(Class::Alnum, 36)),
    },
    Rule {
        id: "pypi-token",
        title: "PyPI token",
        triggers: &["pypi-AgE"],
        check: Check::Token(Token::at_least(Class::Dash, 40)),
    },
    Rule {
        id: "rubygems-key",
        title: "RubyGems API key",
        triggers: &["rubygems_"],
        check: Check::Token(Token::exactly(Class::Hex, 48)),
    },
    Rule {
        id: "nuget-key",
        title: "NuGet API key",
        triggers: &["oy2"],
        check: Check::Token(Token::exactly(Class::Lower, 43)),
    },
    Rule {
        id: "crates-io-token",
        title: "Rust package registry token",
        triggers: &["cio"],
        check: Check::Token(Token::exactly(Class::Alnum, 32)),
    },
    Rule {
        id: "docker-hub-token",
        title: "Docker Hub token",
        triggers: &["dckr_pat_", "dckr_oat_"],
        check: Check::Token(Token::at_least(Class::Dash, 20)),
    },
    Rule {
        id: "sourcegraph-token",
        title: "Sourcegraph token",
        triggers: &["sgp_"],
        check: Check::Token(Token::at_least(Class::Word, 40)),
    },
    Rule {
        id: "sonar-token",
        title: "SonarQube token",
        triggers: &["sqp_", "squ_", "sqa_"],
        check: Check::Token(Token::exactly(Class::Hex, 40)),
    },
    Rule {
        id: "jfrog-key",
        title: "JFrog API key",
        triggers: &["AKCp"],
        check: Check::Token(Token::at_least(Class::Alnum, 69)),
    },
    Rule {
        id: "clojars-token",
        title: "Clojars token",
        triggers: &["CLOJARS_"],
        check: Check::Token(Token::exactly(Class::Hex, 60)),
    },
    Rule {
        id: "buildkite-token",
        title: "Buildkite token",
        triggers: &["bkua_"],
        check: Check::Token(Token::at_least(Class::Alnum, 40)),
    },
    Rule {
        id: "circleci-token",
        title: "CircleCI token",
        triggers: &["CCIPAT_"],
        check: Check::Token(Token::at_least(Class::Word, 40)),
    },
    Rule {
        id: "pulumi-token",
        title: "Pulumi access token",
        triggers: &["pul-"],
        check: Check::Token(Token::exactly(Class::Hex, 40)),
    },
    Rule {
        id: "netlify-token",
        title: "Netlify token",
        triggers: &["nfp_"],
        check: Check::Token(Token::at_least(Class::Alnum, 36)),
    },
    Rule {
        id: "linear-key",
        title: "Linear API key",
        triggers: &["lin_api_", "lin_oauth_"],
        check: Check::Token(Token::at_least(Class::Alnum, 32)),
    },
    Rule {
        id: "prefect-key",
        title: "Prefect API key",
        triggers: &["pnu_"],
        check: Check::Token(Token::exactly(Class::Alnum, 36)),
    },
];
