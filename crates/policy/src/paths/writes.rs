//! Places that no tool writes, beside those of the class in `later`.

use super::table::SourceKind::{Absolute, Anywhere, Home, System};
use super::table::{Row, row, rule_id};

const CREDENTIALS: &str = "Keys and logins are the user's; ask the user to change them.";
const SYSTEM: &str = "It belongs to the system; write into the workspace.";

pub(super) const WRITES: &[Row] = &[
    row(rule_id::SECRETS_CREDENTIALS, Anywhere, ".ssh .gnupg", CREDENTIALS),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Home,
        ".aws .azure .kube .docker/config.json .config/gh .config/gcloud",
        CREDENTIALS,
    ),
    row(rule_id::SYSTEM_PATH, Absolute, "proc sys dev boot etc private/etc System", SYSTEM),
    row(
        rule_id::SYSTEM_PATH,
        System,
        "usr bin sbin lib lib32 lib64 libx32 run var/spool/cron var/run var/lib root opt Library private/var \
         Applications",
        SYSTEM,
    ),
];
