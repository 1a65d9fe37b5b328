//! Keys of clouds, databases and secret stores.

use super::{Check, Rule};
use crate::class::Class;
use crate::verify::token::Token;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "aws-access-key-id",
        title: "AWS access key id",
        triggers: &["AKIA", "ASIA", "ABIA", "ACCA"],
        check: Check::Token(Token::exactly(Class::Upper, 16)),
    },
    Rule {
        id: "aws-bedrock-key",
        title: "AWS Bedrock API key",
        triggers: &["ABSK"],
        check: Check::Token(Token::at_least(Class::Base64, 60)),
    },
    Rule {
        id: "google-api-key",
        title: "Google API key",
        triggers: &["AIza"],
        check: Check::Token(Token::at_least(Class::Dash, 35)),
    },
    Rule {
        id: "google-oauth-secret",
        title: "Google OAuth client secret",
        triggers: &["GOCSPX-"],
        check: Check::Token(Token::at_least(Class::Dash, 24)),
    },
    Rule {
        id: "google-oauth-token",
        title: "Google OAuth access token",
        triggers: &["ya29."],
        check: Check::Token(Token::at_least(Class::Dash, 20)),
    },
    Rule {
        id: "digitalocean-token",
        title: "DigitalOcean token",
        triggers: &["dop_v1_", "doo_v1_", "dor_v1_"],
        check: Check::Token(Token::exactly(Class::Hex, 64)),
    },
    Rule {
        id: "heroku-key",
        title: "Heroku API key",
        triggers: &["HRKU-"],
        check: Check::Token(Token::at_least(Class::Dash, 36)),
    },
    Rule {
        id: "fly-token",
        title: "Fly.io token",
        triggers: &["fo1_", "fm2_", "fm1r_", "fm1a_"],
        check: Check::Token(Token::at_least(Class::Base64, 40)),
    },
    Rule {
        id: "alibaba-access-key-id",
        title: "Alibaba Cloud access key id",
        triggers: &["LTAI"],
        check: Check::Token(Token::between(Class::Alnum, 12, 20)),
    },
    Rule {
        id: "tencent-secret-id",
        title: "Tencent Cloud secret id",
        triggers: &["AKID"],
        check: Check::Token(Token::exactly(Class::Alnum, 32)),
    },
    Rule {
        id: "scaleway-access-key",
        title: "Scaleway access key",
        triggers: &["SCW"],
        check: Check::Token(Token::exactly(Class::Upper, 17)),
    },
    Rule {
        id: "planetscale-token",
        title: "PlanetScale token",
        triggers: &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
        check: Check::Token(Token::at_least(Class::Dot, 32)),
    },
    Rule {
        id: "databricks-token",
        title: "Databricks token",
        triggers: &["dapi"],
        check: Check::Token(Token::exactly(Class::Hex, 32)),
    },
    Rule {
        id: "doppler-token",
        title: "Doppler token",
        triggers: &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        check: Check::Token(Token::at_least(Class::Dot, 40)),
    },
    Rule {
        id: "vault-token",
        title: "HashiCorp Vault token",
        triggers: &["hvs.", "hvb.", "hvr."],
        check: Check::Token(Token::at_least(Class::Dash, 24)),
    },
    Rule {
        id: "one-password-token",
        title: "1Password service account token",
        triggers: &["ops_eyJ"],
        check: Check::Token(Token::at_least(Class::Base64, 100)),
    },
    Rule {
        id: "age-secret-key",
        title: "age secret key",
        triggers: &["AGE-SECRET-KEY-1"],
        check: Check::Token(Token::at_least(Class::Upper, 58)),
    },
    Rule {
        id: "supabase-token",
        title: "Supabase token",
        triggers: &["sbp_"],
        check: Check::Token(Token::exactly(Class::Hex, 40)),
    },
    Rule {
        id: "supabase-secret-key",
        title: "Supabase secret key",
        triggers: &["sb_secret_"],
        check: Check::Token(Token::at_least(Class::Dash, 20)),
    },
    Rule {
        id: "tailscale-key",
        title: "Tailscale key",
        triggers: &["tskey-"],
        check: Check::Token(Token::at_least(Class::Dash, 20)),
    },
    Rule {
        id: "cloudflare-origin-key",
        title: "Cloudflare origin CA key",
        triggers: &["v1.0-"],
        check: Check::Token(Token::at_least(Class::Uuid, 120)),
    },
];
