//! Tokens of chat and mail services.

use super::{Check, Rule};
use crate::class::Class;
use crate::verify::token::{Shape, Token};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "slack-token",
        title: "Slack token",
        triggers: &[
            "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-",
            "xoxe.",
        ],
        check: Check::Token(Token::at_least(Class::Dot, 10)),
    },
    Rule {
        id: "slack-app-token",
        title: "Slack app-level token",
        triggers: &["xapp-"],
        check: Check::Token(Token::at_least(Class::Dash, 20)),
    },
    Rule {
        id: "sendgrid-key",
        title: "SendGrid API key",
        triggers: &["SG."],
        check: Check::Token(Token::at_least(Class::Dot, 40)),
    },
    Rule {
        id: "mailgun-key",
        title: "Mailgun API key",
        triggers: &["key-"],
        check: Check::Token(Token::exactly(Class::Hex, 32)),
    },
    Rule {
        id: "brevo-key",
        title: "Brevo API key",
        triggers: &["xkeysib-", "xsmtpsib-"],
        check: Check::Token(Token::at_least(Class::Dash, 64)),
    },
    Rule {
        id: "resend-key",
        title: "Resend API key",
        triggers: &["re_"],
        check: Check::Token(Token::exactly(Class::Word, 33).shaped(Shape::Digits)),
    },
    Rule {
        id: "facebook-token",
        title: "Facebook access token",
        triggers: &["EAACEdEose0cBA", "EAAG", "EAAB"],
        check: Check::Token(Token::at_least(Class::Alnum, 80)),
    },
    Rule {
        id: "twitter-bearer-token",
        title: "X bearer token",
        triggers: &["AAAAAAAAAAAAAAAAAAAAA"],
        check: Check::Token(Token::at_least(Class::Base64, 40)),
    },
    Rule {
        id: "notion-token",
        title: "Notion token",
        triggers: &["ntn_"],
        check: Check::Token(Token::at_least(Class::Alnum, 40)),
    },
];
