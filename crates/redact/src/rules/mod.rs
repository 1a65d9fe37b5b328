//! The built-in rules: the tokens of vendors come from files, and secrets that the text around them reveals come from
//! tables.

pub(crate) mod commands;
mod file;
mod names;
mod structure;

use std::sync::OnceLock;

use crate::class::Class;
use crate::detect::name::NameKind;
use crate::prefilter::MIN_TOKEN_BYTES;
use crate::token::Infix;
use crate::token::form::Form;
use crate::token::vendor_key::VendorKey;

/// A rule that finds one kind of secret.
pub(crate) struct Rule {
    /// The stable id: lower-case words joined by dashes.
    pub(crate) id: &'static str,
    /// The literals at whose occurrences the check runs.
    pub(crate) triggers: &'static [&'static str],
    pub(crate) check: Check,
}

/// The check that runs at an occurrence of a trigger.
pub(crate) enum Check {
    /// A token that begins with the trigger.
    Token(Form),
    /// A key of a vendor whose name stands before it. The trigger is the vendor's name.
    VendorKey(VendorKey),
    /// A token with the trigger inside.
    Infix(Infix),
    /// A word in a name that has a value after it.
    Name(NameKind),
    /// A call of which one argument is a secret, without its name.
    Call,
    /// A key or an attribute whose value may belong to a name that follows.
    ValueKey,
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
    /// `user:password` before the trigger, which is a network such as `@tcp(`.
    NetworkUser,
    /// `user/password@` after the name of an Oracle driver.
    OracleUser,
    /// An address whose path is the secret. The trigger and the next `segments` segments of the path are kept; the rest
    /// has at least `least` bytes.
    Webhook { segments: usize, least: usize },
    /// `host:port:database:user:password`; the trigger is the port.
    PasswordFile,
    /// An SQL statement that sets a password.
    Statement,
    /// The value of a flag like `-u user:password`.
    UserFlag,
    /// A command from the table of commands that take a password.
    Command,
    /// The marker before a private key.
    PrivateKey,
}

impl Check {
    /// Whether the trigger begins tokens so long, of token characters, that the search looks up what begins one.
    pub(crate) fn is_long_token(&self, trigger: &str) -> bool {
        let Self::Token(form) = self else { return false };
        let is_plain = trigger.bytes().all(|byte| Class::Dash.has(byte));
        // A token with a checksum is also found inside a word.
        is_plain
            && trigger.starts_with(|first: char| first.is_ascii_alphanumeric())
            && !form.has_checksum
            && trigger.len() + form.least_run(Class::Dash) >= MIN_TOKEN_BYTES
    }

    /// Whether the trigger is the name of a vendor that has a word for a key after it.
    pub(crate) fn is_before_key_word(&self) -> bool {
        matches!(self, Self::VendorKey(VendorKey { alone: false, .. }))
    }

    /// Whether the triggers are found in any case. Words are; prefixes of tokens are not.
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

/// The files with rules.
const FILES: [&str; 11] = [
    include_str!("webhooks.toml"),
    include_str!("ai.toml"),
    include_str!("azure.toml"),
    include_str!("code.toml"),
    include_str!("hashes.toml"),
    include_str!("cloud.toml"),
    include_str!("messaging.toml"),
    include_str!("payments.toml"),
    include_str!("platforms.toml"),
    include_str!("services.toml"),
    include_str!("vendors.toml"),
];

/// All rules. If two rules find exactly the same, the earlier one gives the finding its name.
pub(crate) fn all() -> impl Iterator<Item = &'static Rule> {
    structure::RULES.iter().chain(of_tables()).chain(names::RULES)
}

/// The rules for commands and those from files, which are made once in a process.
fn of_tables() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    let of_files = || FILES.into_iter().flat_map(file::read).filter_map(|entry| entry.rule());
    RULES.get_or_init(|| std::iter::once(commands::rule()).chain(of_files()).collect())
}
