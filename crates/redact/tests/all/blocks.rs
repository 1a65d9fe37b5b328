//! Values below their names: YAML block scalars, members and elements on lines of their own.

use handrail_redact::{Options, Redactor};

use crate::support::{pauses_show_nothing, redact, stream};

/// What is written, what it becomes (nothing: it stays) and why. `@` is a value, `#` a mask.
const TABLE: &[(&str, &str, &str)] = &[
    (
        "password: |\n  @\n    @ x\n\n  @\nx: 1\n",
        "password: |\n  #\n    #\n\n  #\nx: 1\n",
        "scalar",
    ),
    ("- password: >-2\n    @\n  x: 1\n", "- password: >-2\n    #\n  x: 1\n", "item, indicators"),
    ("\"password\": | # x\r\n  @\r\nx: 1\r\n", "\"password\": | # x\r\n  #\r\nx: 1\r\n", "comment"),
    ("+password: |\n+  @\n x: 1\n", "+password: |\n+  #\n x: 1\n", "a patch"),
    ("password: |\n  ${X}\n  @\n", "password: |\n  ${X}\n  #\n", "a reference, then a value"),
    ("password: |\n  #\n  @\nx: 1\n", "password: |\n  #\n  #\nx: 1\n", "written to again"),
    ("- name: DB_PASSWORD\n  value: @\n", "- name: DB_PASSWORD\n  value: #\n", "items of YAML"),
    (
        "- name: DB_PASSWORD\n  value: '@' # x\n",
        "- name: DB_PASSWORD\n  value: '#' # x\n",
        "quoted",
    ),
    (
        "- name: DB_PASSWORD\n  # x\n  value: @ # x\n",
        "- name: DB_PASSWORD\n  # x\n  value: # # x\n",
        "comments",
    ),
    (
        "  \"name\": \"X_TOKEN\",\n  \"value\": \"@\"\n",
        "  \"name\": \"X_TOKEN\",\n  \"value\": \"#\"\n",
        "JSON",
    ),
    (
        "  \"Name\": \"/a/password\",\n  \"Type\": \"x\",\n  \"Value\": \"@\",\n",
        "  \"Name\": \"/a/password\",\n  \"Type\": \"x\",\n  \"Value\": \"#\",\n",
        "a path, another member between",
    ),
    (
        "  name  = \"db.password\"\n  value = \"@\"\n",
        "  name  = \"db.password\"\n  value = \"#\"\n",
        "Terraform",
    ),
    (
        "<name>x_password</name>\n<value>@</value>\n",
        "<name>x_password</name>\n<value>#</value>\n",
        "elements",
    ),
    (
        "<key>password</key>\n<string>@</string>\n",
        "<key>password</key>\n<string>#</string>\n",
        "property list",
    ),
    ("<password>\n  @\n</password>\n", "<password>\n  #\n</password>\n", "an element's content"),
    ("<a:password>\n  @</a:password>\n", "<a:password>\n  #</a:password>\n", "closed on its line"),
    ("<password>\n  ${X}\n</password>\n", "", "a reference"),
    ("- name: DB_PASSWORD\n  value: ${DB_PASSWORD}\n", "", "a reference"),
    ("- name: DB_PASSWORD\n  value: <token>\n", "", "a placeholder"),
    ("- name: DB_PASSWORD\n  value: null\n", "", "nothing"),
    ("- name: DB_PASSWORD\n  valueFrom:\n    x: @\n", "", "kept elsewhere"),
    ("- name: DB_PASSWORD\n- name: HOST\n  value: @\n", "", "another item"),
    ("  name = \"db.password\"\n  value = var.password\n", "", "an expression"),
    ("<name>password</name>\n<name>host</name>\n<value>@</value>\n", "", "another name"),
];

fn written(text: &str) -> String {
    let mask = |text: &str| text.replace('#', "[REDACTED]");
    // A comment has a blank and an x behind its sign.
    text.split("# x").map(mask).collect::<Vec<_>>().join("# x").replace('@', "a7Kq2Zx9Lm4W")
}

#[test]
fn values_below_their_names() {
    let redactor = Redactor::new(Options::default()).unwrap();
    for (text, expected, mechanism) in TABLE {
        let text = written(text);
        let expected = if expected.is_empty() { text.clone() } else { written(expected) };
        assert_eq!(redact(&text), expected, "{mechanism}");
        assert_eq!(redact(&expected), expected, "{mechanism}");
        for at in 0..text.len() {
            let (head, tail) = text.as_bytes().split_at(at);
            let shown = stream(&redactor, &[head, tail]);
            assert_eq!(String::from_utf8_lossy(&shown), expected, "{mechanism} {at}");
        }
        pauses_show_nothing(&text);
    }
}

#[test]
fn json_stays_json() {
    for value in
        [serde_json::json!("a7Kq2Zx9Lm4W"), serde_json::json!("a\"b\\c9Lm4W"), 83_749_125.into()]
    {
        let document = serde_json::json!([{ "name": "X_PASSWORD", "value": value }]);
        let shown = redact(&serde_json::to_string_pretty(&document).unwrap());
        assert!(serde_json::from_str::<serde_json::Value>(&shown).is_ok(), "{shown}");
        assert!(shown.contains("REDACTED"), "{shown}");
    }
}
