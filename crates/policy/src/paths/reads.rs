//! Files that no tool reads, because they hold little but secrets, or are memory and devices of the machine.

use super::table::ForCommands::{Always, Held, Sockets};
use super::table::SourceKind::{Absolute, Anywhere, Home, Others};
use super::table::{ForCommands, Row, SourceKind, row, rule_id};

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
        ".ssh .gnupg .netrc .git-credentials .config/git/credentials .pypirc .pgpass .my.cnf .vault-token .aws .azure \
         .kube .config/gcloud .config/gh .config/glab-cli .config/hub .config/op .config/rclone .config/sops \
         .config/doctl .config/containers/auth.json .docker/config.json .terraform.d/credentials* .terraformrc \
         .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings-security.xml .password-store \
         .local/share/keyrings .local/share/kwalletd .config/handrail .local/state/handrail",
        CREDENTIALS,
    )
    .for_commands(Held),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Home,
        // Commands get registries from the host, without its logins.
        ".npmrc .yarnrc .yarnrc.yml .config/pnpm/rc .config/pip .pip .config/pypoetry/auth.toml \
         .local/share/uv/credentials .m2/settings.xml .gradle/gradle.properties .config/composer/auth.json \
         .composer/auth.json .bundle/config .local/share/gem/credentials .config/NuGet .nuget/NuGet .hex/hex.config \
         .config/hex/hex.config .sbt/.credentials .ivy2/.credentials .huggingface .cache/huggingface/token \
         .cache/huggingface/stored_tokens .kaggle",
        CREDENTIALS,
    )
    .for_commands(Held),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Home,
        ".s3cfg .boto .config/gsutil .oci .aliyun .bluemix .config/linode-cli .config/hcloud .config/scw .config/heroku \
         .config/configstore/firebase-tools.json .config/netlify .local/share/com.vercel.cli .fly .railway .cloudflared \
         .wrangler .config/.wrangler .config/ngrok .ngrok2 .pulumi/credentials.json .databrickscfg .snowflake .snowsql \
         .config/snowflake .config/stripe .sentryclirc .config/argocd .config/helm .config/tea .config/lab .config/filezilla \
         .subversion/auth .cvspass .authinfo .authinfo.gpg .mylogin.cnf .local/share/DBeaverData .msmtprc .config/msmtp \
         .fetchmailrc .mbsyncrc .offlineimaprc .smbcredentials",
        CREDENTIALS,
    )
    .for_commands(Held),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Home,
        ".config/age .config/1Password .config/Bitwarden .config/Bitwarden*CLI .config/keepassxc .lpass .config/rbw \
         .local/share/rbw .config/solana .bitcoin .ethereum .electrum .config/syncthing .local/state/syncthing \
         .local/share/TelegramDesktop .config/Signal .config/Slack .config/discord .config/Element",
        CREDENTIALS,
    )
    .for_commands(Held),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Home,
        ".mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge \
         .config/vivaldi .config/opera .librewolf .cache/mozilla .cache/google-chrome .cache/chromium \
         snap/firefox snap/chromium .var/app/org.mozilla.firefox Library/Keychains Library/Cookies \
         Library/Application*Support/Google/Chrome Library/Application*Support/Firefox",
        CREDENTIALS,
    )
    .for_commands(Held),
    row(
        rule_id::AGENT_STATE,
        Home,
        ".claude .claude.json .claude.json.backup .codex .gemini .cursor .windsurf .codeium .roo .aider* .continue \
         .config/goose .config/opencode .config/github-copilot .config/Claude .config/Cursor .config/Windsurf \
         .local/share/goose .local/share/opencode .local/state/opencode",
        "What agents keep is the user's.",
    )
    .for_commands(Held),
    row(
        rule_id::OTHER_HOMES,
        Others,
        "root home/*",
        "It is another user's home; ask the user to copy what is needed into the workspace.",
    )
    .for_commands(Held),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Absolute,
        "etc/shadow* etc/gshadow* etc/sudoers* etc/ssh/ssh_host_*_key",
        CREDENTIALS,
    )
    .for_commands(Always),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Absolute,
        "etc/security/opasswd etc/krb5.keytab etc/ipsec.secrets etc/wireguard etc/NetworkManager/system-connections \
         etc/ssl/private etc/letsencrypt etc/kubernetes etc/rancher/k3s/k3s.yaml etc/mysql/debian.cnf etc/openvpn \
         etc/netplan etc/wpa_supplicant etc/ppp/chap-secrets etc/ppp/pap-secrets etc/sssd etc/docker/key.json etc/msmtprc \
         var/lib/samba/private var/lib/kubelet var/backups var/lib/systemd/coredump var/crash var/spool/cron var/mail \
         var/spool/mail var/lib/NetworkManager var/lib/iwd var/lib/bluetooth run/secrets var/run/secrets",
        CREDENTIALS,
    )
    .for_commands(Held),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Absolute,
        "run/docker.sock var/run/docker.sock run/containerd run/podman run/crio run/cri-dockerd.sock run/k3s run/buildkit \
         run/dbus run/systemd/private run/snapd.socket run/libvirt run/incus run/lxd* var/snap/lxd/common/lxd \
         var/lib/incus/unix.socket var/lib/lxd/unix.socket",
        "Who connects there starts programs outside of every limit.",
    )
    .for_commands(Sockets),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Others,
        "run/user run/screen tmp/tmux-* tmp/ssh-* tmp/screens tmp/.X11-unix",
        "Who connects there starts programs outside of every limit.",
    )
    .for_commands(Sockets),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Home,
        ".docker/run .docker/desktop .local/share/containers/podman .screen .tmux .gnupg .rd .colima .lima",
        "Who connects there starts programs outside of every limit.",
    )
    .for_commands(Sockets),
    row(
        rule_id::SECRETS_HISTORY,
        Anywhere,
        ".bash_history .zsh_history .sh_history .histfile .python_history .node_repl_history .psql_history \
         .mysql_history .sqlite_history .rediscli_history .irb_history .lesshst fish_history",
        CREDENTIALS,
    ),
    row(
        rule_id::SECRETS_HISTORY,
        Home,
        ".bash_history .zsh_history .sh_history .histfile .python_history .node_repl_history .psql_history \
         .mysql_history .sqlite_history .rediscli_history .irb_history .lesshst .local/share/fish/fish_history \
         .local/share/zsh .local/state/bash .local/share/atuin .local/share/mcfly .ipython/profile_default/history.sqlite \
         .viminfo .local/state/nvim/shada .dbshell .mongodb/mongosh .local/share/nushell .config/nushell/history*",
        CREDENTIALS,
    )
    .for_commands(Held),
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

/// Where the pattern of a place starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceStart {
    /// At `/`.
    Machine,
    /// At `/`; the place is the home of a user.
    Homes,
    /// At a home folder.
    Home,
}

/// A place that commands do not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandPlace {
    /// A path without a slash at its beginning. Each part may have one `*`, which does not match a leading dot.
    pub pattern: &'static str,
    /// Where it starts.
    pub start: PlaceStart,
    /// How commands are kept from it.
    pub held: ForCommands,
}

/// The places that commands do not read, without those of these rules.
pub fn command_places(lifted: &[String]) -> Vec<CommandPlace> {
    let is_held = |row: &&Row| {
        row.commands != ForCommands::No && !lifted.iter().any(|lifted| lifted == row.rule)
    };
    let places = |row: &'static Row| {
        let start = match row.place {
            SourceKind::Home => PlaceStart::Home,
            _ if row.rule == rule_id::OTHER_HOMES => PlaceStart::Homes,
            _ => PlaceStart::Machine,
        };
        let patterns = row.patterns.split_whitespace();
        patterns.map(move |pattern| CommandPlace { pattern, start, held: row.commands })
    };
    READS.iter().filter(is_held).flat_map(places).collect()
}
