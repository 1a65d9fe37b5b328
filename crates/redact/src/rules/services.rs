//! Tokens of monitoring, documentation and productivity services.

use super::{Rule, middle, token};
use crate::class::Class;
use crate::detect::middle::Middle;
use crate::detect::token::{Shape, Token};

pub(crate) const RULES: &[Rule] = &[
    token("grafana-token", "Grafana token", &["glsa_"], Token::at_least(Class::Word, 32)),
    token(
        "grafana-cloud-token",
        "Grafana Cloud token",
        &["glc_"],
        Token::at_least(Class::Base64, 32),
    ),
    token(
        "new-relic-key",
        "New Relic key",
        &["NRAK-", "NRJS-", "NRII-", "NRRA-", "NRAL-"],
        Token::at_least(Class::Dash, 19),
    ),
    token(
        "sentry-token",
        "Sentry token",
        &["sntrys_", "sntryu_"],
        Token::at_least(Class::Base64, 40),
    ),
    token(
        "dynatrace-token",
        "Dynatrace token",
        &["dt0c01.", "dt0s01."],
        Token::at_least(Class::Dot, 60),
    ),
    token(
        "honeycomb-key",
        "Honeycomb key",
        &["hcaik_", "hcalk_", "hcamk_"],
        Token::at_least(Class::Alnum, 32),
    ),
    token("posthog-key", "PostHog personal API key", &["phx_"], Token::at_least(Class::Alnum, 32)),
    token(
        "airtable-token",
        "Airtable token",
        &["pat"],
        Token::exactly(Class::Dot, 79).shaped(Shape::Airtable),
    ),
    token("figma-token", "Figma token", &["figd_"], Token::at_least(Class::Dash, 36)),
    token("postman-key", "Postman API key", &["PMAK-"], Token::at_least(Class::Dash, 50)),
    token("dropbox-token", "Dropbox token", &["sl."], Token::at_least(Class::Dash, 130)),
    token("contentful-token", "Contentful token", &["CFPAT-"], Token::at_least(Class::Dash, 43)),
    token(
        "hubspot-token",
        "HubSpot token",
        &["pat-na1-", "pat-eu1-", "pat-na2-"],
        Token::exactly(Class::Uuid, 36),
    ),
    token("typeform-token", "Typeform token", &["tfp_"], Token::at_least(Class::Dot, 40)),
    token("frameio-token", "Frame.io token", &["fio-u-"], Token::at_least(Class::Dash, 60)),
    token("readme-key", "ReadMe API key", &["rdme_"], Token::at_least(Class::Lower, 60)),
    token("infracost-key", "Infracost API key", &["ico-"], Token::exactly(Class::Alnum, 32)),
    token("grafana-api-key", "Grafana API key", &["eyJrIjoi"], Token::at_least(Class::Base64, 60)),
    token(
        "adobe-client-secret",
        "Adobe client secret",
        &["p8e-"],
        Token::at_least(Class::Dash, 32),
    ),
    token("adafruit-io-key", "Adafruit IO key", &["aio_"], Token::exactly(Class::Alnum, 28)),
    token(
        "mapbox-secret-token",
        "Mapbox secret token",
        &["sk.eyJ", "tk.eyJ"],
        Token::at_least(Class::Dot, 60),
    ),
    token("trello-token", "Trello token", &["ATTA"], Token::at_least(Class::Hex, 60)),
    token("cal-key", "Cal.com key", &["cal_live_"], Token::exactly(Class::Hex, 32)),
    token(
        "notion-secret",
        "Notion integration secret",
        &["secret_"],
        Token::exactly(Class::Alnum, 43).shaped(Shape::Mixed),
    ),
    middle(
        "maxmind-license-key",
        "MaxMind licence key",
        &["_mmk"],
        Middle::new(Class::Word, 36, Class::Word, 0).after_to(0),
    ),
];
