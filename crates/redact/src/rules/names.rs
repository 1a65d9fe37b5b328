//! Names whose value is a secret: `password=…`, `"api_key": "…"`, `--token …`, `?secret=…`.

use super::{Check, Rule};
use crate::detect::name::Kind;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "password",
        triggers: &["pass", "pwd", "_pw", "psk", "otp"],
        check: Check::Name(Kind::Password),
    },
    Rule {
        id: "secret",
        triggers: &["secret", "seed", "mnemonic"],
        check: Check::Name(Kind::Secret),
    },
    Rule {
        id: "token",
        triggers: &["token", "jsessionid", "phpsessid"],
        check: Check::Name(Kind::Token),
    },
    Rule { id: "api-key", triggers: &["key"], check: Check::Name(Kind::Key) },
    Rule { id: "credential", triggers: &["cred"], check: Check::Name(Kind::Credential) },
    Rule { id: "auth", triggers: &["auth"], check: Check::Name(Kind::Auth) },
    Rule { id: "signature", triggers: &["sig=", "signature"], check: Check::Name(Kind::Signature) },
];
