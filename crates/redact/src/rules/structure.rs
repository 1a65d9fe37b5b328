//! Secrets known by the shape around them: blocks, headers, addresses, web tokens, webhooks.

use super::{Check, Rule};
use crate::class::Class;
use crate::detect::token::{Shape, Token};
use crate::pem::PRIVATE_LINES;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "private-key",
        title: "Private key block",
        triggers: &[
            "PRIVATE KEY-----",
            "PRIVATE KEY BLOCK-----",
            "PRIVATE%20KEY-----",
            "PRIVATE+KEY-----",
            PRIVATE_LINES,
        ],
        check: Check::PrivateKey,
    },
    Rule { id: "jwt", title: "JSON Web Token", triggers: &["eyJ"], check: Check::WebToken },
    Rule {
        id: "jwk",
        title: "Private member of a JSON Web Key",
        triggers: &["\"d\":", "\"k\":", "\"p\":", "\"q\":", "\"dp\":", "\"dq\":", "\"qi\":"],
        check: Check::WebKey,
    },
    Rule {
        id: "authorization-header",
        title: "Authorization header",
        triggers: &["authorization"],
        check: Check::Authorization,
    },
    Rule {
        id: "bearer-token",
        title: "Bearer token",
        triggers: &["bearer ", "basic "],
        check: Check::Scheme,
    },
    Rule {
        id: "cookie",
        title: "Cookie header",
        triggers: &["cookie:", "cookie\"", "cookie'"],
        check: Check::Cookie,
    },
    Rule {
        id: "url-password",
        title: "Password in an address",
        triggers: &["://", ":\\/\\/"],
        check: Check::UserInfo,
    },
    Rule {
        id: "network-password",
        title: "Password before the network of a Go data source",
        triggers: &[
            "@tcp(",
            "@unix(",
            "@udp(",
            "@tcp4(",
            "@tcp6(",
            "@cloudsql(",
            "@cloudsql-mysql(",
        ],
        check: Check::NetworkUser,
    },
    Rule {
        id: "oracle-password",
        title: "Password in the address of an Oracle database",
        triggers: &["oracle:thin:", "oracle:oci:"],
        check: Check::OracleUser,
    },
    Rule {
        id: "user-flag",
        title: "Password in a -u or --user flag",
        triggers: &["-u ", "--user ", "--user="],
        check: Check::UserFlag,
    },
    Rule {
        id: "pgpass",
        title: "Line of a PostgreSQL password file",
        triggers: &[":5432:", ":5433:", ":6432:", ":*:"],
        check: Check::PasswordFile,
    },
    Rule {
        id: "sql-password",
        title: "Password in a statement of SQL",
        triggers: &["identified ", "set password"],
        check: Check::Statement,
    },
    Rule {
        id: "slack-webhook",
        title: "Slack webhook",
        triggers: &[
            "hooks.slack.com/services/",
            "hooks.slack.com/workflows/",
            "hooks.slack.com/triggers/",
        ],
        check: Check::Webhook { segments: 0, least: 16 },
    },
    Rule {
        id: "discord-webhook",
        title: "Discord webhook",
        triggers: &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        check: Check::Webhook { segments: 1, least: 16 },
    },
    Rule {
        id: "teams-webhook",
        title: "Microsoft Teams webhook",
        triggers: &["webhook.office.com/webhookb2/", "outlook.office.com/webhook/"],
        check: Check::Webhook { segments: 0, least: 16 },
    },
    Rule {
        id: "lark-webhook",
        title: "Lark webhook",
        triggers: &[
            "open.feishu.cn/open-apis/bot/v2/hook/",
            "open.larksuite.com/open-apis/bot/v2/hook/",
        ],
        check: Check::Webhook { segments: 0, least: 16 },
    },
    Rule {
        id: "make-webhook",
        title: "Make webhook",
        triggers: &["hook.integromat.com/", "hook.eu1.make.com/", "hook.us1.make.com/"],
        check: Check::Webhook { segments: 0, least: 16 },
    },
    Rule {
        id: "zapier-webhook",
        title: "Zapier webhook",
        triggers: &["hooks.zapier.com/hooks/catch/"],
        check: Check::Webhook { segments: 1, least: 6 },
    },
    Rule {
        id: "ifttt-webhook",
        title: "IFTTT webhook",
        triggers: &["/with/key/"],
        check: Check::Webhook { segments: 0, least: 16 },
    },
    Rule {
        id: "healthchecks-ping",
        title: "Healthchecks ping address",
        triggers: &["hc-ping.com/"],
        check: Check::Webhook { segments: 0, least: 16 },
    },
    Rule {
        id: "wecom-webhook",
        title: "WeCom webhook",
        triggers: &["qyapi.weixin.qq.com/cgi-bin/webhook/send?key="],
        check: Check::Webhook { segments: 0, least: 16 },
    },
    Rule {
        id: "telegram-bot-token",
        title: "Telegram bot token",
        triggers: &[":AA"],
        check: Check::Bot,
    },
    Rule {
        id: "twilio-key",
        title: "Twilio API key",
        triggers: &[
            "SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb",
            "SKc", "SKd", "SKe", "SKf",
        ],
        check: Check::Token(Token::exactly(Class::Hex, 31).shaped(Shape::Digits)),
    },
];
