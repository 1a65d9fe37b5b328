//! Names whose value is a secret: `password=…`, `"api_key": "…"`, `--token …`, `?secret=…`.

use super::{Check, Rule};
use crate::detect::name::NameKind;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "password",
        triggers: &[
            "pass",
            "pwd",
            "_pw",
            "pw ",
            "pw:",
            "pw=",
            "pw\"",
            "pw'",
            "psk",
            "otp",
            "kennwort",
            "senha",
            "wachtwoord",
            "contrasena",
        ],
        check: Check::Name(NameKind::Password),
    },
    Rule {
        id: "secret",
        triggers: &[
            "secret", "seed", "mnemonic", "_pepper", "pepper=", "pepper:", "pepper =", "pepper\"",
            "pepper'",
        ],
        check: Check::Name(NameKind::Secret),
    },
    Rule {
        id: "token",
        triggers: &[
            "token",
            "sessionid",
            "phpsessid",
            "csrf",
            "xsrf",
            "bearer:",
            "bearer=",
            "_pat=",
            "_pat:",
            "_pat\"",
            "_pat ",
            "pat=",
        ],
        check: Check::Name(NameKind::Token),
    },
    Rule { id: "api-key", triggers: &["key"], check: Check::Name(NameKind::Key) },
    Rule { id: "credential", triggers: &["cred"], check: Check::Name(NameKind::Credential) },
    Rule { id: "auth", triggers: &["auth"], check: Check::Name(NameKind::Auth) },
    Rule {
        id: "signature",
        triggers: &["sig=", "signature"],
        check: Check::Name(NameKind::Signature),
    },
];
