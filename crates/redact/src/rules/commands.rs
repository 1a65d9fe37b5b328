//! Commands that take a password in a flag whose name does not reveal it: `mysql -p…`, `sshpass -p …`, `curl -u
//! name:…`.

use super::{Check, Rule};

/// The rule for all of these commands.
pub(crate) fn rule() -> Rule {
    let triggers = COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>().leak();
    Rule { id: "command-flag", triggers, check: Check::Command }
}

/// A command, and those of its flags that hold a secret.
pub(crate) struct Command {
    pub(crate) name: &'static str,
    /// Whether other commands that begin with the name have the same flags: `mysqldump`, `mariadb-dump`.
    pub(crate) is_family: bool,
    pub(crate) flags: &'static [Flag],
    /// The index of the argument that is a secret, not counting flags.
    pub(crate) word: Option<usize>,
}

impl Command {
    /// Whether its flags end at the first argument that is no flag, because that is another command with flags of its
    /// own.
    pub(crate) fn runs_another(&self) -> bool {
        self.name == "sshpass"
    }
}

pub(crate) struct Flag {
    pub(crate) name: &'static str,
    pub(crate) value: FlagValue,
    pub(crate) secret: SecretPart,
}

/// Where the value of a flag stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlagValue {
    /// `-pVALUE`
    Joined,
    /// `-p VALUE`
    Separate,
    Either,
}

/// Which part of the value is the secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SecretPart {
    Whole,
    /// The part after the first of these bytes, as in `name:SECRET`.
    After(u8),
    /// The part after a prefix: `pass:SECRET`, but not `file:path`.
    AfterPrefix(&'static str),
}

impl Command {
    /// The same with an argument that is a secret.
    const fn and_word(self, word: usize) -> Self {
        Self { word: Some(word), ..self }
    }
}

const fn command(name: &'static str, flags: &'static [Flag]) -> Command {
    Command { name, is_family: false, flags, word: None }
}

const fn family(name: &'static str, flags: &'static [Flag]) -> Command {
    Command { is_family: true, ..command(name, flags) }
}

/// A command with an argument that is a secret.
const fn takes(name: &'static str, word: usize) -> Command {
    command(name, &[]).and_word(word)
}

const fn flag(name: &'static str, value: FlagValue) -> Flag {
    Flag { name, value, secret: SecretPart::Whole }
}

const fn pair(name: &'static str) -> Flag {
    Flag { name, value: FlagValue::Either, secret: SecretPart::After(b':') }
}

const fn source(name: &'static str) -> Flag {
    Flag { name, value: FlagValue::Separate, secret: SecretPart::AfterPrefix("pass:") }
}

const MYSQL: &[Flag] = &[flag("-p", FlagValue::Joined)];
const SSHPASS: &[Flag] = &[flag("-p", FlagValue::Either)];
const MONGO: &[Flag] = &[flag("-p", FlagValue::Either)];
const LOGIN: &[Flag] = &[flag("-p", FlagValue::Separate)];
const LDAP: &[Flag] = &[flag("-w", FlagValue::Either)];
const CURL: &[Flag] = &[pair("-u"), pair("-U"), pair("--proxy-user")];
const OPENSSL: &[Flag] =
    &[source("-passin"), source("-passout"), source("-pass"), flag("-k", FlagValue::Separate)];
const JAVA: &[Flag] = &[
    flag("-storepass", FlagValue::Separate),
    flag("-keypass", FlagValue::Separate),
    flag("-srcstorepass", FlagValue::Separate),
    flag("-deststorepass", FlagValue::Separate),
];
const SNMP: &[Flag] = &[flag("-A", FlagValue::Either), flag("-X", FlagValue::Either)];
const PUTTY: &[Flag] = &[flag("-pw", FlagValue::Separate)];

/// All commands. Their names are written as they are typed.
pub(crate) const COMMANDS: &[Command] = &[
    family("mysql", MYSQL),
    family("mariadb", MYSQL),
    command("sshpass", SSHPASS),
    command("curl", CURL),
    command("redis-cli", &[flag("-a", FlagValue::Separate)]),
    family("mongo", MONGO),
    command("docker login", LOGIN),
    command("podman login", LOGIN),
    command("registry login", LOGIN),
    command("az login", LOGIN),
    command("oc login", LOGIN),
    command("cf login", LOGIN),
    family("ldap", LDAP),
    command("sqlcmd", &[flag("-P", FlagValue::Either)]),
    command(
        "smbclient",
        &[Flag { name: "-U", value: FlagValue::Either, secret: SecretPart::After(b'%') }],
    ),
    command("openssl", OPENSSL),
    command("keytool", JAVA),
    command("jarsigner", JAVA),
    command("plink", PUTTY),
    command("pscp", PUTTY),
    command("unzip", &[flag("-P", FlagValue::Either)]),
    command("7z a", &[flag("-p", FlagValue::Joined)]),
    command("7z x", &[flag("-p", FlagValue::Joined)]),
    command("ipmitool", &[flag("-P", FlagValue::Separate)]),
    command("xfreerdp", &[flag("/p:", FlagValue::Joined)]),
    command("gh secret set", &[flag("-b", FlagValue::Either), flag("--body", FlagValue::Separate)]),
    command("keyvault secret set", &[flag("--value", FlagValue::Separate)]),
    command("ssh-keygen", &[flag("-N", FlagValue::Either), flag("-P", FlagValue::Either)]),
    family("snmp", SNMP),
    command("etcdctl", &[pair("--user")]),
    command("cqlsh", &[flag("-p", FlagValue::Separate)]),
    command("twine upload", &[flag("-p", FlagValue::Either)]),
    command("jenkins-cli.jar", &[pair("-auth")]),
    command("ConvertTo-SecureString", &[flag("-String", FlagValue::Separate)]).and_word(0),
    takes("snmp-server community", 0),
    takes("vault login", 0),
    takes("cargo login", 0),
    takes("snyk auth", 0),
    takes("encrypt_string", 0),
    takes("cf auth", 1),
    takes("wpa_passphrase", 1),
    takes("rabbitmqctl add_user", 1),
    takes("rabbitmqctl change_password", 1),
    takes("mc alias set", 3),
];
