//! Files that no tool reads, because they hold little but secrets, or are memory and devices of the machine.

use super::table::SourceKind::{Absolute, Anywhere, Home};
use super::table::{Row, row, rule_id};

const CREDENTIALS: &str = "Ask the user for what is needed.";

/// When this rule is lifted, environment files are read with their secrets masked.
pub(super) const DOTENV: Row = Row {
    except: ".env.example .env.sample .env.template .env.dist .env.defaults",
    ..row(
        rule_id::SECRETS_DOTENV,
        Anywhere,
        ".env .env.*",
        "Ask the user for what is needed, or read .env.example.",
    )
};

pub(super) const READS: &[Row] = &[
    row(
        rule_id::SECRETS_KEY,
        Anywhere,
        "*.pem *.key *.p12 *.pfx *.jks *.kdbx id_rsa id_dsa id_ecdsa id_ed25519",
        CREDENTIALS,
    ),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Anywhere,
        ".ssh .gnupg .netrc .git-credentials .npmrc .pypirc gha-creds-*.json *.tfstate *.tfstate.backup .pgpass \
         .my.cnf .vault-token",
        CREDENTIALS,
    ),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Home,
        ".aws .azure .kube .config/gcloud .config/gh .config/op .docker/config.json .terraform.d/credentials* \
         .password-store .local/share/keyrings .mozilla .config/google-chrome .config/chromium \
         .config/BraveSoftware .config/microsoft-edge Library/Keychains Library/Cookies \
         Library/Application*Support/Google/Chrome Library/Application*Support/Firefox",
        CREDENTIALS,
    ),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Absolute,
        "etc/shadow* etc/gshadow* etc/sudoers* run/secrets var/run/secrets run/docker.sock var/run/docker.sock \
         run/containerd run/podman",
        CREDENTIALS,
    ),
    row(
        rule_id::SECRETS_HISTORY,
        Anywhere,
        ".bash_history .zsh_history .sh_history .histfile .python_history .node_repl_history .psql_history \
         .mysql_history .sqlite_history .rediscli_history .irb_history .lesshst fish_history",
        CREDENTIALS,
    ),
    row(
        rule_id::PROC_PRIVATE,
        Absolute,
        "proc/*/environ proc/*/mem proc/*/maps proc/*/smaps* proc/*/numa_maps proc/*/map_files proc/*/pagemap \
         proc/*/auxv proc/*/stack proc/*/syscall proc/*/fd proc/*/fdinfo proc/*/root proc/*/cwd proc/*/exe \
         proc/*/task proc/kcore proc/kmsg proc/keys proc/sysrq-trigger",
        "It shows memory, environment or descriptors of processes.",
    ),
    row(rule_id::SYSTEM_DEVICE, Absolute, "dev", "Devices are no files to read."),
];
