//! Secrets known by the shape around them: blocks, headers, addresses, web tokens.

use super::{Check, Rule};
use crate::pem::PRIVATE_LINES;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "private-key",
        title: "Private key block",
        triggers: &[
            "PRIVATE KEY-----",
            "PRIVATE KEY BLOCK-----",
            "PRIVATE%20KEY-----",
            "PRIVATE+KEY-----",
            PRIVATE_LINES,
        ],
        check: Check::PrivateKey,
    },
    Rule { id: "jwt", title: "JSON Web Token", triggers: &["eyJ"], check: Check::WebToken },
    Rule {
        id: "jwk",
        title: "Private member of a JSON Web Key",
        triggers: &["\"d\":", "\"k\":", "\"p\":", "\"q\":", "\"dp\":", "\"dq\":", "\"qi\":"],
        check: Check::WebKey,
    },
    Rule {
        id: "authorization-header",
        title: "Authorization header",
        triggers: &["authorization"],
        check: Check::Authorization,
    },
    Rule {
        id: "bearer-token",
        title: "Bearer token",
        triggers: &["bearer ", "basic "],
        check: Check::Scheme,
    },
    Rule {
        id: "cookie",
        title: "Cookie header",
        triggers: &["cookie:", "cookie\"", "cookie'"],
        check: Check::Cookie,
    },
    Rule {
        id: "url-password",
        title: "Password in an address",
        triggers: &["://", ":\\/\\/"],
        check: Check::UserInfo,
    },
    Rule {
        id: "network-password",
        title: "Password before the network of a Go data source",
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
        title: "Password in the address of an Oracle database",
        triggers: &["oracle:thin:", "oracle:oci:"],
        check: Check::OracleUser,
    },
    Rule {
        id: "user-flag",
        title: "Password in a -u or --user flag",
        triggers: &["-u ", "--user ", "--user="],
        check: Check::UserFlag,
    },
    Rule {
        id: "pgpass",
        title: "Line of a PostgreSQL password file",
        triggers: &[":5432:", ":5433:", ":6432:", ":*:"],
        check: Check::PasswordFile,
    },
    Rule {
        id: "sql-password",
        title: "Password in a statement of SQL",
        triggers: &["identified ", "set password"],
        check: Check::Statement,
    },
];
