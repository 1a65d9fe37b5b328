//! Tokens of monitoring, documentation and productivity services.

use super::{Check, Rule};
use crate::class::Class;
use crate::verify::token::{Shape, Token};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "grafana-token",
        title: "Grafana token",
        triggers: &["glsa_"],
        check: Check::Token(Token::at_least(Class::Word, 32)),
    },
    Rule {
        id: "grafana-cloud-token",
        title: "Grafana Cloud token",
        triggers: &["glc_"],
        check: Check::Token(Token::at_least(Class::Base64, 32)),
    },
    Rule {
        id: "new-relic-key",
        title: "New Relic key",
        triggers: &["NRAK-", "NRJS-", "NRII-", "NRRA-", "NRAL-"],
        check: Check::Token(Token::at_least(Class::Dash, 19)),
    },
    Rule {
        id: "sentry-token",
        title: "Sentry token",
        triggers: &["sntrys_", "sntryu_"],
        check: Check::Token(Token::at_least(Class::Base64, 40)),
    },
    Rule {
        id: "dynatrace-token",
        title: "Dynatrace token",
        triggers: &["dt0c01.", "dt0s01."],
        check: Check::Token(Token::at_least(Class::Dot, 60)),
    },
    Rule {
        id: "honeycomb-key",
        title: "Honeycomb key",
        triggers: &["hcaik_", "hcalk_", "hcamk_"],
        check: Check::Token(Token::at_least(Class::Alnum, 32)),
    },
    Rule {
        id: "posthog-key",
        title: "PostHog personal API key",
        triggers: &["phx_"],
        check: Check::Token(Token::at_least(Class::Alnum, 32)),
    },
    Rule {
        id: "airtable-token",
        title: "Airtable token",
        triggers: &["pat"],
        check: Check::Token(Token::exactly(Class::Dot, 79).shaped(Shape::Airtable)),
    },
    Rule {
        id: "figma-token",
        title: "Figma token",
        triggers: &["figd_"],
        check: Check::Token(Token::at_least(Class::Dash, 36)),
    },
    Rule {
        id: "postman-key",
        title: "Postman API key",
        triggers: &["PMAK-"],
        check: Check::Token(Token::at_least(Class::Dash, 50)),
    },
    Rule {
        id: "dropbox-token",
        title: "Dropbox token",
        triggers: &["sl."],
        check: Check::Token(Token::at_least(Class::Dash, 130)),
    },
    Rule {
        id: "contentful-token",
        title: "Contentful token",
        triggers: &["CFPAT-"],
        check: Check::Token(Token::at_least(Class::Dash, 43)),
    },
    Rule {
        id: "hubspot-token",
        title: "HubSpot token",
        triggers: &["pat-na1-", "pat-eu1-", "pat-na2-"],
        check: Check::Token(Token::exactly(Class::Uuid, 36)),
    },
    Rule {
        id: "typeform-token",
        title: "Typeform token",
        triggers: &["tfp_"],
        check: Check::Token(Token::at_least(Class::Dot, 40)),
    },
    Rule {
        id: "frameio-token",
        title: "Frame.io token",
        triggers: &["fio-u-"],
        check: Check::Token(Token::at_least(Class::Dash, 60)),
    },
    Rule {
        id: "readme-key",
        title: "ReadMe API key",
        triggers: &["rdme_"],
        check: Check::Token(Token::at_least(Class::Lower, 60)),
    },
    Rule {
        id: "infracost-key",
        title: "Infracost API key",
        triggers: &["ico-"],
        check: Check::Token(Token::exactly(Class::Alnum, 32)),
    },
];
