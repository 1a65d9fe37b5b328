//! The rule set as data: one table per family, each rule with an id, a title, its literals and its check.

mod ai;
mod azure;
mod cloud;
mod code;
pub(crate) mod commands;
mod messaging;
mod names;
mod payments;
#[cfg(test)]
mod samples;
mod services;
mod structure;
mod vendors;

use crate::class::Class;
use crate::detect::keyed::Keyed;
use crate::detect::middle::Middle;
use crate::detect::name::Kind;
use crate::detect::token::Token;

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

/// A token that begins with one of the triggers.
const fn token(
    id: &'static str,
    title: &'static str,
    triggers: &'static [&'static str],
    token: Token,
) -> Rule {
    Rule { id, title, triggers, check: Check::Token(token) }
}

/// A token with one of the triggers inside.
const fn middle(
    id: &'static str,
    title: &'static str,
    triggers: &'static [&'static str],
    middle: Middle,
) -> Rule {
    Rule { id, title, triggers, check: Check::Middle(middle) }
}

/// A key of `class` and `length` behind a name that holds one of the vendor's names.
const fn keyed(
    id: &'static str,
    title: &'static str,
    triggers: &'static [&'static str],
    class: Class,
    length: usize,
) -> Rule {
    keyed_as(id, title, triggers, Token::exactly(class, length))
}

const fn keyed_as(
    id: &'static str,
    title: &'static str,
    triggers: &'static [&'static str],
    value: Token,
) -> Rule {
    Rule { id, title, triggers, check: Check::Keyed(Keyed { value }) }
}

/// How an occurrence of a trigger is verified.
pub(crate) enum Check {
    /// A token that begins with the trigger.
    Token(Token),
    /// A key of a vendor that is known by the name before it; the trigger is the vendor.
    Keyed(Keyed),
    /// A token with the trigger inside.
    Middle(Middle),
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
                | Self::Middle(_)
                | Self::WebToken
                | Self::WebKey
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
    azure::RULES,
    code::RULES,
    cloud::RULES,
    messaging::RULES,
    payments::RULES,
    services::RULES,
    vendors::RULES,
    names::RULES,
];
