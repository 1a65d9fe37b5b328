//! A name and its value apart: in two members or attributes of one line, in elements, and texts that only look so.

use crate::support::{masked, pauses_show_nothing, prompt, unchanged};

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
    "x &lt;password&gt; a1b2c3 </value>",
    "x &lt;password&gt;Your password&lt;/password&gt;",
];

const SECRETS: &[&str] = &["xK29fjQw0dPzR7", "x9!kq2Zw4pLm", "a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg"];

#[test]
fn the_value_of_another_member_is_masked() {
    masked(MASKED, SECRETS);
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
    let elements = [
        "<password>@@</db:password>",
        "<db:password>@@</password>",
        "<db:password>@@</db:password>",
        "<db:password>@@</value>",
        "<name>db.password</name><value>@@</value>",
        "<password>@@</wsse:VALUE>",
        "<password>/ ?token=</password>",
        "&lt;password&gt;@@&lt;/password&gt;",
        "{\"a\":\"\\u003cpassword\\u003e@@\\u003c/password\\u003e\"}",
    ];
    for text in MASKED.iter().chain(&elements).chain(BELOW) {
        pauses_show_nothing(&text.replace("@@", "hunter two x9k"));
    }
    for text in [
        "  token: >-\n    [REDACTED]\" x -----END RSA PRIVATE KEY-----\n",
        "  token: >-\n    a7Kq2Zx9Lm4W\n\t  more: of\nend\n",
        "sig=Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0<b x=\"1\">",
        "key: Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0,<add x=\"y\" z=\"1\"/>",
        "println!password: (\"token: {token}\");",
    ] {
        pauses_show_nothing(text);
    }
}

/// Below the name.
const BELOW: &[&str] = &[
    "- name: DB_PASSWORD\n  description: of the database\n  value: \"@@\"\n",
    "+  - name: DB_PASSWORD\n+    value: @@\n",
    "  \"Name\": \"/prod/db/password\",\n  \"Type\": \"SecureString\",\n  \"Value\": \"@@\",\n  \"Version\": 1\n",
    "  \"name\": \"db.password\",\n  \"labels\": {\n    \"value\": \"a1b2\"\n  },\n  \"value\": \"@@\"\n",
    "set {\n  name  = \"db.password\"\n  value = \"@@\"\n}\n",
    "  name = \"/prod/db/password\"\n  type = \"SecureString\"\n  value = \"@@\" # old\n",
    "<property>\n  <name>db.password</name>\n  <value>@@</value>\n</property>\n",
    "<property>\n  <name>db.password</name>\n  <description>Of it</description>\n  <!-- x -->\n  <value>@@</value>\n",
    "<key>password</key>\n<string>@@</string>\n",
    "<setting name=\"Password\" serializeAs=\"String\">\n  <value>@@</value>\n</setting>\n",
    "  ~ password = <sensitive> -> \"@@\"\n",
    "  ~ password = \"@@\" => \"@@\"\n",
];

const KEPT_BELOW: &[&str] = &[
    "- name: DB_PASSWORD\n  valueFrom: x\n- name: HOST\n  value: a1b2c3\n",
    "name: password\ntype: string\nvalue: a1b2c3\n",
    "name: password\n\n\nvalue: a1b2c3\n",
    "  \"name\": \"db.password\",\n  \"x\": 1\n}, {\n  \"value\": \"a1b2c3\"\n",
    "  \"name\": \"db.password\",\n  \"name\": \"host\",\n  \"value\": \"a1b2c3\"\n",
    "  name = \"db.password\"\n  value = var.password\n",
    "  name = \"db.password\"\n}\nset {\n  value = \"a1b2c3\"\n",
    "<name>db.password</name>\n</property>\n<value>a1b2c3</value>\n",
    "<name>db.password</name>\n<name>host</name>\n<value>a1b2c3</value>\n",
    "<setting name=\"Host\" serializeAs=\"String\">\n  <value>a1b2c3</value>\n",
    "Content-Disposition: inline; name=\"password\"\n\na1b2c3\n",
];

#[test]
fn values_below_their_names_are_masked() {
    masked(BELOW, SECRETS);
}

#[test]
fn other_lines_below_a_name_stay() {
    for text in KEPT_BELOW {
        unchanged(text);
    }
}

/// Behind a name whose value may be on a line below a program may ask for something else.
#[test]
fn a_prompt_below_a_name_is_shown() {
    for name in [
        "- name: DB_PASSWORD\n",
        "  \"name\": \"db.password\",\n",
        "<name>db.password</name>\n",
        "password: |\n",
    ] {
        assert_eq!(prompt(name, "Go on? "), "Go on? ", "{name}");
        assert_eq!(prompt(name, "Password: "), "Password: ", "{name}");
    }
    assert_eq!(prompt("- name: DB_PASSWORD\n", "  value: hunter2"), "  value: ");
    assert_eq!(prompt("password: |\n", "  hunter two"), "  ");
}
