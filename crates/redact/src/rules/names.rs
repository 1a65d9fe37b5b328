//! Names whose value is a secret: `password=…`, `"api_key": "…"`, `--token …`, `?secret=…`.

use super::{Check, Rule};
use crate::detect::name::Kind;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "password",
        title: "Value of a password name",
        triggers: &["pass", "pwd", "_pw", "psk", "otp"],
        check: Check::Name(Kind::Password),
    },
    Rule {
        id: "secret",
        title: "Value of a secret name",
        triggers: &["secret", "seed", "mnemonic"],
        check: Check::Name(Kind::Secret),
    },
    Rule {
        id: "token",
        title: "Value of a token name",
        triggers: &["token", "jsessionid", "phpsessid"],
        check: Check::Name(Kind::Token),
    },
    Rule {
        id: "api-key",
        title: "Value of a key name",
        triggers: &["key"],
        check: Check::Name(Kind::Key),
    },
    Rule {
        id: "credential",
        title: "Value of a credential name",
        triggers: &["cred"],
        check: Check::Name(Kind::Credential),
    },
    Rule {
        id: "auth",
        title: "Value of an auth name",
        triggers: &["auth"],
        check: Check::Name(Kind::Auth),
    },
    Rule {
        id: "signature",
        title: "Signature of an address",
        triggers: &["sig=", "signature"],
        check: Check::Name(Kind::Signature),
    },
];
