//! What share of random values is shown in full, by what they are made of and by where they stand: the price of the rules
//! that keep harmless text as it is.
//!
//! A made-up value may look like a word or a name by chance. [`PRICES`] says where and how often that may happen; nowhere
//! else is one shown. With `HANDRAIL_RATES` the test fails and says all shares.

#![expect(clippy::disallowed_methods, reason = "a test may read the environment")]

use std::env;
use std::fmt::Write as _;

use crate::support::redact;

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

const BRACKETS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789()[]{}<>|";
const JOINTS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789&;=$@#,";

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
    ("16 brackets", "", BRACKETS, 16),
    ("16 joints", "", JOINTS, 16),
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
    ("properties", "app.mail.password=V"),
    ("flow", "db: {password: V, user: x}"),
    ("log", "login with password: V, user: bob"),
    ("compared", "if (apiToken === \"V\") {"),
];

/// The largest share in percent that is shown of a class in a context.
#[rustfmt::skip]
const PRICES: &[(&str, &str, u32)] = &[
    // Letters alone after a name of a token are words: a parser says `token: identifier`.
    ("8 lower", "json token", 38), ("8 lower", "yaml token", 40), ("8 lower", "flow", 44),
    ("8 lower", "log", 39), ("8 lower", "compared", 41),
    // The same in capitals.
    ("8 capitals", "json token", 37), ("8 capitals", "yaml token", 45), ("8 capitals", "flow", 39),
    ("8 capitals", "log", 38), ("8 capitals", "compared", 36),
    // A word and a number, a name of a variable.
    ("12 alnum", "json token", 2), ("12 alnum", "yaml password", 1), ("12 alnum", "yaml secret", 2),
    ("12 alnum", "yaml token", 2), ("12 alnum", "flow", 6), ("12 alnum", "log", 4),
    // Letters of both cases that can be read as words.
    ("16 letters", "json token", 2), ("16 letters", "yaml password", 2), ("16 letters", "yaml secret", 1),
    ("16 letters", "yaml token", 1), ("16 letters", "flow", 2), ("16 letters", "log", 2),
    ("16 letters", "compared", 2),
    // An operator of code, a path, a version.
    ("16 signs", "env password", 2), ("16 signs", "env token", 3), ("16 signs", "env secret", 2),
    ("16 signs", "env quoted", 1), ("16 signs", "json password", 1), ("16 signs", "json token", 3),
    ("16 signs", "yaml password", 1), ("16 signs", "yaml secret", 1), ("16 signs", "yaml token", 3),
    ("16 signs", "yaml quoted", 1), ("16 signs", "flag = password", 3), ("16 signs", "flag = token", 3),
    ("16 signs", "flag password", 3), ("16 signs", "flag token", 2), ("16 signs", "flag api-key", 3),
    ("16 signs", "header", 1), ("16 signs", "query", 3), ("16 signs", "connection", 3),
    ("16 signs", "element", 1), ("16 signs", "properties", 3), ("16 signs", "flow", 3), ("16 signs", "log", 4),
    ("16 signs", "compared", 2),
    // The same.
    ("20 letters", "yaml password", 1), ("20 letters", "yaml secret", 1), ("20 letters", "log", 1),
    ("20 letters", "compared", 1),
    // A slash ends the authority of an address.
    ("40 base64", "json password", 1), ("40 base64", "user info", 14),
    // A path.
    ("/ base64", "user info", 100), ("/ base64", "compared", 1),
    // The same.
    ("+ base64", "user info", 13), ("+ base64", "compared", 1),
    // Brackets without quotes are lists, calls and redirections.
    ("16 brackets", "env password", 11), ("16 brackets", "env token", 9), ("16 brackets", "env secret", 9),
    ("16 brackets", "env quoted", 2), ("16 brackets", "json password", 1), ("16 brackets", "json token", 13),
    ("16 brackets", "yaml password", 15), ("16 brackets", "yaml secret", 18), ("16 brackets", "yaml token", 21),
    ("16 brackets", "yaml quoted", 3), ("16 brackets", "flag = password", 13),
    ("16 brackets", "flag = token", 16), ("16 brackets", "flag password", 15),
    ("16 brackets", "flag token", 17), ("16 brackets", "flag api-key", 17), ("16 brackets", "header", 12),
    ("16 brackets", "query", 15), ("16 brackets", "user info", 15), ("16 brackets", "connection", 10),
    ("16 brackets", "element", 1), ("16 brackets", "properties", 13), ("16 brackets", "flow", 21),
    ("16 brackets", "log", 24), ("16 brackets", "compared", 11),
    // Commas, semicolons and ampersands end what stands in lists and addresses.
    ("16 joints", "env password", 3), ("16 joints", "env token", 2), ("16 joints", "env secret", 2),
    ("16 joints", "json password", 1), ("16 joints", "json token", 2), ("16 joints", "yaml password", 4),
    ("16 joints", "yaml secret", 4), ("16 joints", "yaml token", 7), ("16 joints", "yaml quoted", 1),
    ("16 joints", "flag = password", 4), ("16 joints", "flag = token", 4), ("16 joints", "flag password", 3),
    ("16 joints", "flag token", 6), ("16 joints", "flag api-key", 3), ("16 joints", "header", 1),
    ("16 joints", "query", 14), ("16 joints", "user info", 1), ("16 joints", "connection", 10),
    ("16 joints", "element", 1), ("16 joints", "properties", 3), ("16 joints", "flow", 11),
    ("16 joints", "log", 6), ("16 joints", "compared", 2),
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
