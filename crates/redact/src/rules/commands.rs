//! Commands that take a password in a flag no name gives away: `mysql -p…`, `sshpass -p …`, `curl -u name:…`.

use super::{Check, Rule};

/// The rule for all of them.
pub(crate) fn rule() -> Rule {
    let triggers = COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>().leak();
    Rule { id: "command-flag", triggers, check: Check::Command }
}

/// A command and its flags that hold a secret.
pub(crate) struct Command {
    pub(crate) name: &'static str,
    /// The name is how those of a family begin: `mysqldump`, `mariadb-dump`.
    pub(crate) is_family: bool,
    pub(crate) flags: &'static [Flag],
    /// Which argument that is no flag is a secret; the first is 0.
    pub(crate) word: Option<usize>,
}

impl Command {
    /// Its flags end at the first argument that is none: what follows is another command with flags of its own.
    pub(crate) fn runs_another(&self) -> bool {
        self.name == "sshpass"
    }
}

pub(crate) struct Flag {
    pub(crate) name: &'static str,
    pub(crate) place: Place,
    pub(crate) part: Part,
}

/// Where the value of a flag stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// `-pVALUE`
    Joined,
    /// `-p VALUE`
    Apart,
    Either,
}

/// Which part of the value is the secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    /// `name:SECRET` and the like: what follows the first of these.
    After(u8),
    /// `pass:SECRET`, but not `file:path`.
    Behind(&'static str),
}

const fn command(name: &'static str, flags: &'static [Flag]) -> Command {
    Command { name, is_family: false, flags, word: None }
}

const fn family(name: &'static str, flags: &'static [Flag]) -> Command {
    Command { is_family: true, ..command(name, flags) }
}

/// A command whose argument is a secret.
const fn takes(name: &'static str, word: usize) -> Command {
    Command { word: Some(word), ..command(name, &[]) }
}

const fn flag(name: &'static str, place: Place) -> Flag {
    Flag { name, place, part: Part::Whole }
}

const fn pair(name: &'static str) -> Flag {
    Flag { name, place: Place::Either, part: Part::After(b':') }
}

const fn source(name: &'static str) -> Flag {
    Flag { name, place: Place::Apart, part: Part::Behind("pass:") }
}

const MYSQL: &[Flag] = &[flag("-p", Place::Joined)];
const SSHPASS: &[Flag] = &[flag("-p", Place::Either)];
const MONGO: &[Flag] = &[flag("-p", Place::Either)];
const LOGIN: &[Flag] = &[flag("-p", Place::Apart)];
const LDAP: &[Flag] = &[flag("-w", Place::Either)];
const CURL: &[Flag] = &[pair("-u"), pair("-U"), pair("--proxy-user")];
const OPENSSL: &[Flag] =
    &[source("-passin"), source("-passout"), source("-pass"), flag("-k", Place::Apart)];
const JAVA: &[Flag] = &[
    flag("-storepass", Place::Apart),
    flag("-keypass", Place::Apart),
    flag("-srcstorepass", Place::Apart),
    flag("-deststorepass", Place::Apart),
];
const SNMP: &[Flag] = &[flag("-A", Place::Either), flag("-X", Place::Either)];
const PUTTY: &[Flag] = &[flag("-pw", Place::Apart)];

/// All of them. Names are written as they are typed.
pub(crate) const COMMANDS: &[Command] = &[
    family("mysql", MYSQL),
    family("mariadb", MYSQL),
    command("sshpass", SSHPASS),
    command("curl", CURL),
    command("redis-cli", &[flag("-a", Place::Apart)]),
    family("mongo", MONGO),
    command("docker login", LOGIN),
    command("podman login", LOGIN),
    command("registry login", LOGIN),
    command("az login", LOGIN),
    command("oc login", LOGIN),
    command("cf login", LOGIN),
    family("ldap", LDAP),
    command("sqlcmd", &[flag("-P", Place::Either)]),
    command("smbclient", &[Flag { name: "-U", place: Place::Either, part: Part::After(b'%') }]),
    command("openssl", OPENSSL),
    command("keytool", JAVA),
    command("jarsigner", JAVA),
    command("plink", PUTTY),
    command("pscp", PUTTY),
    command("unzip", &[flag("-P", Place::Either)]),
    command("7z a", &[flag("-p", Place::Joined)]),
    command("7z x", &[flag("-p", Place::Joined)]),
    command("ipmitool", &[flag("-P", Place::Apart)]),
    command("xfreerdp", &[flag("/p:", Place::Joined)]),
    command("gh secret set", &[flag("-b", Place::Either), flag("--body", Place::Apart)]),
    command("keyvault secret set", &[flag("--value", Place::Apart)]),
    command("ssh-keygen", &[flag("-N", Place::Either), flag("-P", Place::Either)]),
    family("snmp", SNMP),
    command("etcdctl", &[pair("--user")]),
    command("cqlsh", &[flag("-p", Place::Apart)]),
    command("twine upload", &[flag("-p", Place::Either)]),
    command("jenkins-cli.jar", &[pair("-auth")]),
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
