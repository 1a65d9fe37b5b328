//! The rule set as data: one table per family, each rule with an id, a title, its literals and its check.

mod ai;
mod cloud;
mod code;
pub(crate) mod commands;
mod messaging;
mod names;
mod payments;
mod services;
mod structure;

use crate::verify::assignment::Kind;
use crate::verify::token::Token;

/// A kind of secret.
pub(crate) struct Rule {
    /// Stable name: lower case words joined by dashes.
    pub(crate) id: &'static str,
    /// What the secret is, for people.
    #[expect(dead_code, reason = "reports will show it")]
    pub(crate) title: &'static str,
    /// The check runs wherever one of these occurs.
    pub(crate) triggers: &'static [&'static str],
    pub(crate) check: Check,
}

/// How an occurrence of a trigger is verified.
pub(crate) enum Check {
    /// A token that begins with the trigger.
    Token(Token),
    /// A word in a name that has a value after it.
    Name(Kind),
    /// A JSON Web Token.
    WebToken,
    /// An `Authorization` header or parameter.
    Authorization,
    /// A credential after a scheme word such as `Bearer`.
    Scheme,
    /// `Cookie` and `Set-Cookie`.
    Cookie,
    /// The password in the authority of an address.
    UserInfo,
    /// An address whose path is the secret; the trigger is kept, this many path segments after it as well.
    Webhook { segments: usize },
    /// `host:port:database:user:password`; the trigger is the port.
    PasswordFile,
    /// Digits, the trigger and a token: a Telegram bot.
    Bot,
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
                | Self::WebToken
                | Self::Bot
                | Self::PrivateKey
                | Self::UserFlag
                | Self::Command
        )
    }
}

/// All families. The order is the order of precedence where two rules find exactly the same.
pub(crate) const FAMILIES: &[&[Rule]] = &[
    structure::RULES,
    commands::RULES,
    ai::RULES,
    code::RULES,
    cloud::RULES,
    messaging::RULES,
    payments::RULES,
    services::RULES,
    names::RULES,
];
