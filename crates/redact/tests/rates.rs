//! What share of random values is shown in full, by what they are made of and by where they stand: the price of the rules
//! that keep harmless text as it is.
//!
//! A made-up value may look like a word or a name by chance. [`PRICES`] says where and how often that may happen; nowhere
//! else is one shown. With `HANDRAIL_RATES` the test fails and says all shares.

#![expect(clippy::disallowed_methods, reason = "a test may read the environment")]

mod support;

use std::env;
use std::fmt::Write as _;

use support::redact;

/// Values of each class in each context.
const VALUES: u32 = 300;

const SEED: u64 = 20_261_122;

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % count
    }

    fn text(&mut self, alphabet: &str, length: usize) -> String {
        let letters = alphabet.as_bytes();
        (0..length).map(|_| char::from(letters[self.below(letters.len())])).collect()
    }
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ALNUM: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const HEX: &str = "0123456789abcdef";
const BASE64: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/";
const SIGNS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!^*_+-.:~%";

/// What values are made of: the name of the class, what one begins with, the rest and its length.
const CLASSES: &[(&str, &str, &str, usize)] = &[
    ("8 lower", "", LOWER, 8),
    ("8 capitals", "", UPPER, 8),
    ("12 alnum", "", ALNUM, 12),
    ("16 letters", "", LETTERS, 16),
    ("16 signs", "", SIGNS, 16),
    ("20 letters", "", LETTERS, 20),
    ("32 hex", "", HEX, 32),
    ("40 base64", "", BASE64, 40),
    ("/ base64", "/", BASE64, 39),
    ("+ base64", "+", BASE64, 39),
];

/// Where values stand: the name of the context and the text around `V`.
const CONTEXTS: &[(&str, &str)] = &[
    ("env password", "DB_PASSWORD=V"),
    ("env token", "API_TOKEN=V"),
    ("env secret", "SECRET_KEY=V"),
    ("env quoted", "API_KEY=\"V\""),
    ("json password", "{\"user\":1,\"password\":\"V\"}"),
    ("json token", "{\"access_token\": \"V\"}"),
    ("yaml password", "password: V"),
    ("yaml secret", "  client_secret: V"),
    ("yaml token", "  token: V"),
    ("yaml quoted", "  password: 'V'"),
    ("flag = password", "tool --password=V run"),
    ("flag = token", "tool --token=V run"),
    ("flag password", "tool --password V run"),
    ("flag token", "tool --token V run"),
    ("flag api-key", "tool --api-key V run"),
    ("header", "X-Api-Key: V"),
    ("query", "GET /x?access_token=V&a=1"),
    ("user info", "postgres://app:V@db/x"),
    ("connection", "Server=db;User Id=sa;Password=V;Encrypt=1"),
    ("element", "<password>V</password>"),
    ("compared", "if (apiToken === \"V\") {"),
];

/// The largest share in percent that is shown of a class in a context.
#[rustfmt::skip]
const PRICES: &[(&str, &str, u32)] = &[
    // Letters that follow each other as in English: a parser says `token: identifier`, a manual `--token parameter is`.
    ("8 lower", "yaml token", 14), ("8 capitals", "yaml token", 14),
    ("8 lower", "flag password", 17), ("8 lower", "flag token", 17), ("8 lower", "flag api-key", 17),
    ("8 capitals", "flag password", 17), ("8 capitals", "flag token", 17), ("8 capitals", "flag api-key", 17),
    ("8 capitals", "flag = token", 13),
    // An alias and a tag of YAML, an operator of code, a value behind a dash that is the next flag.
    ("16 signs", "yaml password", 4), ("16 signs", "yaml secret", 2), ("16 signs", "yaml token", 3),
    ("16 signs", "flag password", 4), ("16 signs", "flag token", 4), ("16 signs", "flag api-key", 4),
    ("+ base64", "yaml password", 1), ("+ base64", "yaml secret", 1),
    // A slash ends the authority of an address; `%name` is a variable.
    ("40 base64", "user info", 15), ("/ base64", "user info", 100), ("+ base64", "user info", 17),
    ("16 signs", "user info", 1),
    // `.+` and `.*` begin a regular expression.
    ("16 signs", "query", 1),
];

fn price(class: &str, context: &str) -> u32 {
    let found = PRICES.iter().find(|(a, b, _)| *a == class && *b == context);
    found.map_or(0, |(_, _, percent)| *percent)
}

#[test]
fn random_values_are_shown_no_more_often_than_the_price_says() {
    let mut random = Random(SEED);
    let mut table = format!("{:16}", "shown in percent");
    for (class, ..) in CLASSES {
        write!(table, "{class:>11}").expect("a string takes it");
    }
    let mut dear = Vec::new();
    for (context, text) in CONTEXTS {
        write!(table, "\n{context:16}").expect("a string takes it");
        for (class, first, alphabet, length) in CLASSES {
            let mut shown = 0;
            let mut example = String::new();
            for _ in 0..VALUES {
                let value = format!("{first}{}", random.text(alphabet, *length));
                if redact(&text.replace('V', &value)).contains(&value) {
                    shown += 1;
                    example = value;
                }
            }
            write!(table, "{:11.1}", f64::from(shown) * 100.0 / f64::from(VALUES))
                .expect("a string takes it");
            if shown * 100 > price(class, context) * VALUES {
                dear.push(format!("{shown} of {VALUES} {class} as {context}, such as {example}"));
            }
        }
    }
    let asked = env::var_os("HANDRAIL_RATES").is_some();
    assert!(dear.is_empty() && !asked, "{dear:#?}\n{table}");
}
