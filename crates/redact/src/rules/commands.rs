//! Commands that take a password in a flag no name gives away: `mysql -p…`, `sshpass -p …`, `curl -u name:…`.

use super::{Check, Rule};

pub(crate) const RULES: &[Rule] = &[FLAGS, ARGUMENT, PIPED];

const ARGUMENT: Rule = Rule {
    id: "command-argument",
    title: "Secret that is an argument of a command",
    triggers: &["vault login ", "-securestring "],
    check: Check::Argument,
};

const PIPED: Rule = Rule {
    id: "piped-password",
    title: "Password that a command reads from another",
    triggers: &["sudo -", "--password-stdin", "--with-token", "chpasswd", "passwd --stdin"],
    check: Check::Piped,
};

const FLAGS: Rule = Rule {
    id: "command-flag",
    title: "Password in a flag of a command",
    triggers: &[
        "mysql",
        "mariadb",
        "sshpass",
        "curl ",
        "curl\"",
        "redis-cli",
        "mongo",
        "docker login",
        "podman login",
        "registry login",
        "az login",
        "oc login",
        "cf login",
        "ldapadd",
        "ldapmodify",
        "ldappasswd",
        "ldapsearch",
        "ldapwhoami",
        "sqlcmd",
        "smbclient",
        "openssl",
        "keytool",
        "jarsigner",
        "plink ",
        "pscp",
        "unzip",
        "7z ",
        "ipmitool",
        "xfreerdp",
    ],
    check: Check::Command,
};

/// A command and its flags that hold a secret.
pub(crate) struct Command {
    pub(crate) name: &'static str,
    pub(crate) flags: &'static [Flag],
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
const PUTTY: &[Flag] = &[flag("-pw", Place::Apart)];

/// All of them. Names are written as they are typed.
pub(crate) const COMMANDS: &[Command] = &[
    Command { name: "mysql", flags: MYSQL },
    Command { name: "mysqladmin", flags: MYSQL },
    Command { name: "mysqlbinlog", flags: MYSQL },
    Command { name: "mysqlcheck", flags: MYSQL },
    Command { name: "mysqldump", flags: MYSQL },
    Command { name: "mysqlimport", flags: MYSQL },
    Command { name: "mysqlsh", flags: MYSQL },
    Command { name: "mysqlshow", flags: MYSQL },
    Command { name: "mysqlslap", flags: MYSQL },
    Command { name: "mariadb", flags: MYSQL },
    Command { name: "mariadb-admin", flags: MYSQL },
    Command { name: "mariadb-check", flags: MYSQL },
    Command { name: "mariadb-dump", flags: MYSQL },
    Command { name: "mariadb-import", flags: MYSQL },
    Command { name: "sshpass", flags: SSHPASS },
    Command { name: "curl", flags: CURL },
    Command { name: "redis-cli", flags: &[flag("-a", Place::Apart)] },
    Command { name: "mongo", flags: MONGO },
    Command { name: "mongosh", flags: MONGO },
    Command { name: "mongodump", flags: MONGO },
    Command { name: "mongorestore", flags: MONGO },
    Command { name: "mongoexport", flags: MONGO },
    Command { name: "mongoimport", flags: MONGO },
    Command { name: "docker login", flags: LOGIN },
    Command { name: "podman login", flags: LOGIN },
    Command { name: "registry login", flags: LOGIN },
    Command { name: "az login", flags: LOGIN },
    Command { name: "oc login", flags: LOGIN },
    Command { name: "cf login", flags: LOGIN },
    Command { name: "ldapadd", flags: LDAP },
    Command { name: "ldapmodify", flags: LDAP },
    Command { name: "ldappasswd", flags: LDAP },
    Command { name: "ldapsearch", flags: LDAP },
    Command { name: "ldapwhoami", flags: LDAP },
    Command { name: "sqlcmd", flags: &[flag("-P", Place::Either)] },
    Command {
        name: "smbclient",
        flags: &[Flag { name: "-U", place: Place::Either, part: Part::After(b'%') }],
    },
    Command { name: "openssl", flags: OPENSSL },
    Command { name: "keytool", flags: JAVA },
    Command { name: "jarsigner", flags: JAVA },
    Command { name: "plink", flags: PUTTY },
    Command { name: "pscp", flags: PUTTY },
    Command { name: "unzip", flags: &[flag("-P", Place::Either)] },
    Command { name: "7z", flags: &[flag("-p", Place::Joined)] },
    Command { name: "ipmitool", flags: &[flag("-P", Place::Apart)] },
    Command { name: "xfreerdp", flags: &[flag("/p:", Place::Joined)] },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_trigger() {
        for command in COMMANDS {
            let triggered = FLAGS
                .triggers
                .iter()
                .any(|trigger| command.name.starts_with(trigger.trim_end_matches([' ', '"'])));
            assert!(triggered, "{}", command.name);
        }
    }
}
