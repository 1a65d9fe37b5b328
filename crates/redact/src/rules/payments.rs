//! Keys of payment services and shops.

use super::{Check, Rule};
use crate::class::Class;
use crate::verify::token::Token;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "stripe-key",
        title: "Stripe key",
        triggers: &["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
        check: Check::Token(Token::at_least(Class::Alnum, 10)),
    },
    Rule {
        id: "stripe-webhook-secret",
        title: "Stripe webhook secret",
        triggers: &["whsec_"],
        check: Check::Token(Token::at_least(Class::Base64, 24)),
    },
    Rule {
        id: "shopify-token",
        title: "Shopify token",
        triggers: &["shpat_", "shpca_", "shppa_", "shpss_"],
        check: Check::Token(Token::exactly(Class::Hex, 32)),
    },
    Rule {
        id: "square-token",
        title: "Square token",
        triggers: &["EAAAE", "sq0atp-", "sq0csp-"],
        check: Check::Token(Token::at_least(Class::Dash, 22)),
    },
    Rule {
        id: "flutterwave-key",
        title: "Flutterwave key",
        triggers: &["FLWSECK_TEST-", "FLWSECK-"],
        check: Check::Token(Token::at_least(Class::Dash, 12)),
    },
    Rule {
        id: "plaid-token",
        title: "Plaid access token",
        triggers: &["access-sandbox-", "access-production-", "access-development-"],
        check: Check::Token(Token::exactly(Class::Uuid, 36)),
    },
    Rule {
        id: "easypost-key",
        title: "EasyPost API key",
        triggers: &["EZAK", "EZTK"],
        check: Check::Token(Token::at_least(Class::Alnum, 54)),
    },
    Rule {
        id: "shippo-token",
        title: "Shippo token",
        triggers: &["shippo_live_", "shippo_test_"],
        check: Check::Token(Token::exactly(Class::Hex, 40)),
    },
    Rule {
        id: "duffel-token",
        title: "Duffel token",
        triggers: &["duffel_live_", "duffel_test_"],
        check: Check::Token(Token::at_least(Class::Dash, 43)),
    },
];
