//! A name and its value apart: in two members or attributes of one line, in elements, and texts that only look so.

mod support;

use handrail_redact::{Options, Redactor};
use support::{redact, redact_with, unchanged};

/// `@@` is the secret.
const MASKED: &[&str] = &[
    // In brackets, with and without quotes.
    "- {name: DB_PASSWORD, value: \"@@\"}",
    "- {name: DB_PASSWORD, value: @@}",
    "- { name: db_password, value: '@@', other: 1 }",
    "env: [{name: HOST, value: db}, {name: DB_PASSWORD, value: @@}]",
    "--environment Name=DB_PASSWORD,Value=@@",
    "ParameterKey=DbPassword,ParameterValue=@@ ",
    // Others between.
    "{\"Name\":\"DB_PASSWORD\",\"Secure\":true,\"Value\":\"@@\"}",
    "{\"name\": \"DB_PASSWORD\", \"version\": 3, \"value\": \"@@\"}",
    "{\"Name\": \"/prod/db/password\", \"Type\": \"SecureString\", \"Value\": \"@@\", \"Version\": 1}",
    "{\"ParameterKey\": \"DbPassword\", \"ParameterValue\": \"@@\"}",
    "{\"name\":\"DB_PASSWORD\",\"description\":\"what the service says \\\"hello\\\" with to its database when it is started, and every hour from then on\",\"value\":\"@@\"}",
    "<add key=\"password\" xdt:Transform=\"Replace\" value=\"@@\"/>",
    "{\"name\":\"DB_PASSWORD\",\"defaultValue\":\"@@\"}",
    // Before the name.
    "{\"value\":\"@@\",\"secure\":true,\"name\":\"DB_PASSWORD\"}",
    "{\"Value\": \"@@\", \"Version\": 3, \"Name\": \"/prod/db/password\"}",
    "<add value=\"@@\" xdt:Transform=\"Replace\" key=\"password\"/>",
    // A document inside a document.
    "{\"a\":\"[{\\\"name\\\":\\\"DB_PASSWORD\\\",\\\"value\\\":\\\"@@\\\"}]\"}",
    "{\"a\":\"[{\\\"value\\\":\\\"@@\\\",\\\"name\\\":\\\"DB_PASSWORD\\\"}]\"}",
    // Elements.
    "<Parameter Name=\"password\">@@</Parameter>",
    "<property id=\"1\" name=\"db.password\" type='x'>@@</property>",
    "<setting name=\"Password\" serializeAs=\"String\"><value>@@</value></setting>",
    "<key>password</key><string>@@</string>",
    "<name>/prod/db.password</name> <value>@@</value>",
    "x &lt;password&gt;@@&lt;/password&gt; y",
    "{\"a\":\"\\u003cdb:password\\u003e@@\\u003c/db:password\\u003e\"}",
];

const KEPT: &[&str] = &[
    "{name: password, value: string}",
    "{ key: apiKey, value: data }",
    "setState({ name: password, value: this.state.value });",
    "hostname: password, value: a1b2c3",
    "{name: HOST, value: a1b2c3}",
    "{name: DB_PASSWORD}, {name: HOST, value: a1b2c3}",
    "{\"name\":\"password\"},{\"value\":\"a1b2c3\"}",
    "{\"name\":\"password\",\"x\":{\"value\":\"a1b2c3\"}}",
    "{\"name\": \"DB_PASSWORD\", \"value\": \"${DB_PASSWORD}\"}",
    "{\"name\": \"DB_PASSWORD\", \"valueFrom\": \"a1b2c3\"}",
    "{\"value\":\"a1b2c3\",\"hostname\":\"password\"}",
    "the key=\"password\" or value=\"a1b2c3\"",
    "a, password, value: a1b2c3",
    "<Parameter Title=\"password\">a1b2c3</Parameter>",
    "<setting name=\"Password\"/><value>a1b2c3</value>",
    "<setting name=\"Host\"><value>a1b2c3</value></setting>",
    "x &lt;password&gt; a1b2c3 &lt;b&gt;",
    "x &lt;password&gt;Your password&lt;/password&gt;",
];

const SECRETS: &[&str] = &["xK29fjQw0dPzR7", "x9!kq2Zw4pLm", "a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg"];

#[test]
fn the_value_of_another_member_is_masked() {
    let mut wrong = Vec::new();
    for secret in SECRETS {
        for text in MASKED {
            let masked = redact(&text.replace("@@", secret));
            if masked != text.replace("@@", "[REDACTED]") || redact(&masked) != masked {
                wrong.push(masked);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn members_of_something_else_stay() {
    for text in KEPT {
        unchanged(text);
    }
}

/// What comes behind a pause may say that the value before it is one.
#[test]
fn a_pause_shows_nothing_of_a_value_that_is_named_or_closed_later() {
    let redactor = Redactor::new(Options::default()).expect("the default options");
    let elements = [
        "<password>hunter two x9k</db:password>",
        "<db:password>hunter two x9k</password>",
        "<db:password>hunter two x9k</db:password>",
        "<db:password>hunter two x9k</value>",
        "<name>db.password</name><value>hunter two x9k</value>",
        "<password>hunter two x9k</wsse:VALUE>",
        "&lt;password&gt;hunter two x9k&lt;/password&gt;",
        "{\"a\":\"\\u003cpassword\\u003ehunter two x9k\\u003c/password\\u003e\"}",
    ];
    let texts = MASKED.iter().map(|text| text.replace("@@", "hunter two x9k"));
    for text in texts.chain(elements.map(str::to_owned)) {
        let whole = redact_with(&redactor, &text);
        for at in 1..text.len() {
            let mut shown = Vec::new();
            let mut stream = redactor.stream();
            stream.push(&text.as_bytes()[..at], &mut |bytes| shown.extend_from_slice(bytes));
            stream.idle(&mut |bytes| shown.extend_from_slice(bytes));
            stream.push(&text.as_bytes()[at..], &mut |bytes| shown.extend_from_slice(bytes));
            stream.finish(&mut |bytes| shown.extend_from_slice(bytes));
            assert_eq!(String::from_utf8_lossy(&shown), whole, "{at} of {text}");
        }
    }
}
