//! Keys of payment services and shops.

use super::{Rule, keyed, token};
use crate::class::Class;
use crate::detect::token::Token;

pub(crate) const RULES: &[Rule] = &[
    token(
        "stripe-key",
        "Stripe key",
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
        Token::at_least(Class::Alnum, 10),
    ),
    token(
        "stripe-webhook-secret",
        "Stripe webhook secret",
        &["whsec_"],
        Token::at_least(Class::Base64, 24),
    ),
    token(
        "shopify-token",
        "Shopify token",
        &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_"],
        Token::exactly(Class::Hex, 32),
    ),
    token(
        "square-token",
        "Square token",
        &["EAAAE", "sq0atp-", "sq0csp-"],
        Token::at_least(Class::Dash, 22),
    ),
    token(
        "flutterwave-key",
        "Flutterwave key",
        &["FLWSECK_TEST-", "FLWSECK-"],
        Token::at_least(Class::Dash, 12),
    ),
    token(
        "plaid-token",
        "Plaid access token",
        &["access-sandbox-", "access-production-", "access-development-"],
        Token::exactly(Class::Uuid, 36),
    ),
    token("easypost-key", "EasyPost API key", &["EZAK", "EZTK"], Token::at_least(Class::Alnum, 54)),
    token(
        "shippo-token",
        "Shippo token",
        &["shippo_live_", "shippo_test_"],
        Token::exactly(Class::Hex, 40),
    ),
    token(
        "duffel-token",
        "Duffel token",
        &["duffel_live_", "duffel_test_"],
        Token::at_least(Class::Dash, 43),
    ),
    token(
        "stripe-ephemeral-key",
        "Stripe ephemeral key",
        &["ek_live_", "ek_test_"],
        Token::at_least(Class::Alnum, 20),
    ),
    token(
        "razorpay-key",
        "Razorpay key",
        &["rzp_live_", "rzp_test_"],
        Token::exactly(Class::Alnum, 14),
    ),
    token(
        "paddle-key",
        "Paddle API key",
        &["pdl_live_apikey_", "pdl_sdbx_apikey_", "pdl_ntfset_"],
        Token::at_least(Class::Word, 40),
    ),
    token(
        "polar-token",
        "Polar token",
        &["polar_oat_", "polar_pat_"],
        Token::at_least(Class::Dash, 32),
    ),
    keyed("plaid-secret", "Plaid secret", &["plaid_"], Class::Hex, 30),
    keyed("coinbase-token", "Coinbase token", &["coinbase"], Class::Dash, 64),
    keyed("binance-key", "Binance key", &["binance"], Class::Alnum, 64),
    keyed("kraken-key", "Kraken key", &["kraken_"], Class::Base64, 56),
    keyed("kraken-secret", "Kraken private key", &["kraken_"], Class::Base64, 88),
    keyed("kucoin-key", "KuCoin key", &["kucoin"], Class::Hex, 24),
    keyed("kucoin-secret", "KuCoin secret", &["kucoin"], Class::Uuid, 36),
    keyed("bittrex-key", "Bittrex key", &["bittrex"], Class::Hex, 32),
    keyed("mollie-key", "Mollie key", &["mollie"], Class::Word, 35),
    keyed("gocardless-token", "GoCardless token", &["gocardless"], Class::Dash, 45),
    keyed("finnhub-key", "Finnhub key", &["finnhub"], Class::Lower, 20),
    keyed("finicity-key", "Finicity key", &["finicity"], Class::Hex, 32),
    keyed("etherscan-key", "Etherscan key", &["etherscan"], Class::Upper, 34),
    keyed("infura-key", "Infura secret", &["infura"], Class::Hex, 32),
    keyed("woocommerce-key", "WooCommerce key", &["woocommerce"], Class::Word, 43),
];
