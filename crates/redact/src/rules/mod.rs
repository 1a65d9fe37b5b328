//! The rule set: tokens of vendors as data beside the source, what is known by the text around it in tables.

pub(crate) mod commands;
mod file;
mod names;
mod structure;

use std::sync::OnceLock;

use crate::detect::name::Kind;
use crate::token::Infix;
use crate::token::form::Form;
use crate::token::keyed::Keyed;

/// A kind of secret.
pub(crate) struct Rule {
    /// Stable name: lower case words joined by dashes.
    pub(crate) id: &'static str,
    /// The check runs wherever one of these occurs.
    pub(crate) triggers: &'static [&'static str],
    pub(crate) check: Check,
}

/// How an occurrence of a trigger is verified.
pub(crate) enum Check {
    /// A token that begins with the trigger.
    Token(Form),
    /// A key of a vendor that is known by the name before it; the trigger is the vendor.
    Keyed(Keyed),
    /// A token with the trigger inside.
    Infix(Infix),
    /// A word in a name that has a value after it.
    Name(Kind),
    /// A JSON Web Token.
    WebToken,
    /// A private member of a JSON Web Key.
    WebKey,
    /// An `Authorization` header or parameter.
    Authorization,
    /// A credential after a scheme word such as `Bearer`.
    Scheme,
    /// `Cookie` and `Set-Cookie`.
    Cookie,
    /// The password in the authority of an address.
    UserInfo,
    /// `user:password` before the trigger, a network.
    NetworkUser,
    /// `user/password@` behind the name of a driver for Oracle databases.
    OracleUser,
    /// An address whose path is the secret, of at least this many bytes; the trigger is kept, this many path segments
    /// after it as well.
    Webhook { segments: usize, least: usize },
    /// `host:port:database:user:password`; the trigger is the port.
    PasswordFile,
    /// A statement of SQL that sets a password.
    Statement,
    /// `-u user:password`
    UserFlag,
    /// A command of the table that takes a password in a flag.
    Command,
    /// The marker before a private key.
    PrivateKey,
}

impl Check {
    /// Words are found in any case, prefixes of tokens only as they are written.
    pub(crate) fn is_caseless(&self) -> bool {
        !matches!(
            self,
            Self::Token(_)
                | Self::Infix(_)
                | Self::WebToken
                | Self::WebKey
                | Self::PrivateKey
                | Self::UserFlag
                | Self::Command
        )
    }
}

/// Rules in files beside the source.
const FILES: [&str; 10] = [
    include_str!("webhooks.toml"),
    include_str!("ai.toml"),
    include_str!("azure.toml"),
    include_str!("code.toml"),
    include_str!("hashes.toml"),
    include_str!("cloud.toml"),
    include_str!("messaging.toml"),
    include_str!("payments.toml"),
    include_str!("services.toml"),
    include_str!("vendors.toml"),
];

/// All rules. The order is the order of precedence where two rules find exactly the same.
pub(crate) fn all() -> impl Iterator<Item = &'static Rule> {
    structure::RULES.iter().chain(of_tables()).chain(names::RULES)
}

/// The rules of the commands and of the files, made once in a process.
fn of_tables() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    let of_files = || FILES.into_iter().flat_map(file::read).filter_map(|entry| entry.rule());
    RULES.get_or_init(|| std::iter::once(commands::rule()).chain(of_files()).collect())
}
