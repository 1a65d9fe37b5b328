//! Secrets that the structure around them reveals: blocks, headers, addresses and web tokens.

use super::{Check, Rule};
use crate::pem::PRIVATE_LINES;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "private-key",
        triggers: &[
            "PRIVATE KEY-----",
            "PRIVATE KEY BLOCK-----",
            "PRIVATE%20KEY-----",
            "PRIVATE+KEY-----",
            PRIVATE_LINES,
        ],
        check: Check::PrivateKey,
    },
    Rule {
        id: "argument",
        triggers: &[
            "login(",
            "signin(",
            "authenticate(",
            "connect(",
            "getconnection(",
            "pdo(",
            "hmac(",
            "jwt.sign(",
            "jwt.encode(",
            "jwt.verify(",
            "jwt.decode(",
            "mysqli(",
        ],
        check: Check::Call,
    },
    Rule {
        id: "named-value",
        triggers: &["\"value", "'value", " value=", "value\\\""],
        check: Check::ValueKey,
    },
    Rule { id: "jwt", triggers: &["eyJ"], check: Check::WebToken },
    Rule {
        id: "jwk",
        triggers: &["\"d\":", "\"k\":", "\"p\":", "\"q\":", "\"dp\":", "\"dq\":", "\"qi\":"],
        check: Check::WebKey,
    },
    Rule { id: "authorization-header", triggers: &["authorization"], check: Check::Authorization },
    Rule { id: "bearer-token", triggers: &["bearer ", "basic "], check: Check::Scheme },
    Rule { id: "cookie", triggers: &["cookie:", "cookie\"", "cookie'"], check: Check::Cookie },
    Rule { id: "url-password", triggers: &["://", ":\\/\\/"], check: Check::UserInfo },
    Rule {
        id: "network-password",
        triggers: &[
            "@tcp(",
            "@unix(",
            "@udp(",
            "@tcp4(",
            "@tcp6(",
            "@cloudsql(",
            "@cloudsql-mysql(",
        ],
        check: Check::NetworkUser,
    },
    Rule {
        id: "oracle-password",
        triggers: &["oracle:thin:", "oracle:oci:"],
        check: Check::OracleUser,
    },
    Rule { id: "user-flag", triggers: &["-u ", "--user ", "--user="], check: Check::UserFlag },
    Rule {
        id: "pgpass",
        triggers: &[":5432:", ":5433:", ":6432:", ":*:"],
        check: Check::PasswordFile,
    },
    Rule {
        id: "sql-password",
        triggers: &["identified ", "set password"],
        check: Check::Statement,
    },
];
