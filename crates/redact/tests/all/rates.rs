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
    ("8 lower", "json token", 100), ("8 lower", "yaml token", 100), ("8 lower", "flow", 100),
    ("8 lower", "log", 100), ("8 lower", "compared", 100),
    // The same in capitals.
    ("8 capitals", "json token", 100), ("8 capitals", "yaml token", 100), ("8 capitals", "flow", 100),
    ("8 capitals", "log", 100), ("8 capitals", "compared", 100),
    // A word and a number, a name of a variable.
    ("12 alnum", "json token", 5), ("12 alnum", "yaml password", 8), ("12 alnum", "yaml secret", 9),
    ("12 alnum", "yaml token", 4), ("12 alnum", "flow", 12), ("12 alnum", "log", 11),
    ("12 alnum", "compared", 3),
    // Letters of both cases that can be read as words.
    ("16 letters", "json token", 30), ("16 letters", "yaml password", 29), ("16 letters", "yaml secret", 31),
    ("16 letters", "yaml token", 32), ("16 letters", "flow", 30), ("16 letters", "log", 31),
    ("16 letters", "compared", 32),
    // An operator of code, a path, a version.
    ("16 signs", "env password", 4), ("16 signs", "env token", 6), ("16 signs", "env secret", 5),
    ("16 signs", "env quoted", 3), ("16 signs", "json password", 3), ("16 signs", "json token", 5),
    ("16 signs", "yaml password", 6), ("16 signs", "yaml secret", 5), ("16 signs", "yaml token", 6),
    ("16 signs", "yaml quoted", 3), ("16 signs", "flag = password", 5), ("16 signs", "flag = token", 5),
    ("16 signs", "flag password", 4), ("16 signs", "flag token", 4), ("16 signs", "flag api-key", 3),
    ("16 signs", "header", 2), ("16 signs", "query", 6), ("16 signs", "connection", 7),
    ("16 signs", "element", 3), ("16 signs", "properties", 7), ("16 signs", "flow", 6), ("16 signs", "log", 7),
    ("16 signs", "compared", 5),
    // The same.
    ("20 letters", "json token", 12), ("20 letters", "yaml password", 13), ("20 letters", "yaml secret", 13),
    ("20 letters", "yaml token", 10), ("20 letters", "flow", 8), ("20 letters", "log", 16),
    ("20 letters", "compared", 17),
    // A slash ends the authority of an address.
    ("40 base64", "json password", 2), ("40 base64", "yaml password", 2), ("40 base64", "user info", 21),
    ("40 base64", "flow", 2), ("40 base64", "compared", 2),
    // A path.
    ("/ base64", "yaml secret", 2), ("/ base64", "user info", 100), ("/ base64", "compared", 2),
    // The same.
    ("+ base64", "yaml password", 2), ("+ base64", "yaml token", 2), ("+ base64", "user info", 19),
    ("+ base64", "log", 2), ("+ base64", "compared", 2),
    // Brackets without quotes are lists, calls and redirections.
    ("16 brackets", "env password", 14), ("16 brackets", "env token", 15), ("16 brackets", "env secret", 14),
    ("16 brackets", "env quoted", 15), ("16 brackets", "json password", 12), ("16 brackets", "json token", 28),
    ("16 brackets", "yaml password", 43), ("16 brackets", "yaml secret", 39), ("16 brackets", "yaml token", 35),
    ("16 brackets", "yaml quoted", 17), ("16 brackets", "flag = password", 24),
    ("16 brackets", "flag = token", 26), ("16 brackets", "flag password", 26),
    ("16 brackets", "flag token", 30), ("16 brackets", "flag api-key", 27), ("16 brackets", "header", 23),
    ("16 brackets", "query", 26), ("16 brackets", "user info", 26), ("16 brackets", "connection", 20),
    ("16 brackets", "element", 14), ("16 brackets", "properties", 22), ("16 brackets", "flow", 36),
    ("16 brackets", "log", 40), ("16 brackets", "compared", 33),
    // Commas, semicolons and ampersands end what stands in lists and addresses.
    ("16 joints", "env password", 5), ("16 joints", "env token", 4), ("16 joints", "env secret", 4),
    ("16 joints", "env quoted", 6), ("16 joints", "json password", 2), ("16 joints", "json token", 5),
    ("16 joints", "yaml password", 10), ("16 joints", "yaml secret", 12), ("16 joints", "yaml token", 12),
    ("16 joints", "yaml quoted", 6), ("16 joints", "flag = password", 6), ("16 joints", "flag = token", 8),
    ("16 joints", "flag password", 7), ("16 joints", "flag token", 9), ("16 joints", "flag api-key", 7),
    ("16 joints", "header", 2), ("16 joints", "query", 23), ("16 joints", "user info", 2),
    ("16 joints", "connection", 15), ("16 joints", "element", 2), ("16 joints", "properties", 4),
    ("16 joints", "flow", 20), ("16 joints", "log", 11), ("16 joints", "compared", 8),
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
