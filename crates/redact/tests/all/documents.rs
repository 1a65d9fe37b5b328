//! JSON stays JSON and says the same but for the secrets, whatever kind of value they are and however deep they stand.

use crate::support::{capitals, hex, letters, redact};
use serde_json::{Value, json};

fn secrets() -> Vec<String> {
    vec![
        "hunter2".to_owned(),
        "p4ss, \"with\" \\ and } ] 'quotes'".to_owned(),
        "ends with a backslash 9\\".to_owned(),
        "zwei\nZeilen9 \u{1f511} \u{7}".to_owned(),
        letters(40),
        format!("AKIA{}", capitals(16)),
        format!("ghp_{}", letters(36)),
        format!("eyJ{}.eyJ{}.{}", letters(20), letters(40), letters(43)),
        hex(64),
        format!(
            "-----BEGIN {0} KEY-----\n{1}\n{1}\n-----END {0} KEY-----\n",
            "PRIVATE",
            letters(64)
        ),
    ]
}

/// The document with `secret` in members that promise one.
fn document(secret: &Value) -> Value {
    json!({
        "id": 7,
        "password": secret,
        "nested": {"client_secret": secret, "list": [1, {"apiKey": secret}], "ok": true},
        "text": "MAX_TOKENS=100",
        "last": null,
    })
}

/// Everything but the values of those members.
fn skeleton(mut document: Value) -> Value {
    for path in ["/password", "/nested/client_secret", "/nested/list/1/apiKey"] {
        *document.pointer_mut(path).expect("the member is still there") = Value::Null;
    }
    document
}

#[test]
fn lists_on_one_line_are_read_in_every_document() {
    for secret in ["hunter2", "a\\9", "q\"uote9"] {
        let text = json!({"passwords": [secret, secret], "n": [1]}).to_string();
        let expected = json!({"passwords": ["[REDACTED]", "[REDACTED]"], "n": [1]}).to_string();
        assert_eq!(redact(&text), expected);
        let outer = |inner: &str| json!({"line": inner}).to_string();
        assert_eq!(redact(&outer(&text)), outer(&expected));
        assert_eq!(redact(&outer(&outer(&text))), outer(&outer(&expected)));
    }
}

#[test]
fn a_value_after_its_name_is_masked_in_one_line_and_in_two() {
    for secret in ["hunter2", "a\\9", "q\"uote9"] {
        let of = |secret: &str| json!([{"name": "DB_PASSWORD", "value": secret}, {"name": "HOST", "value": "a1b2"}]);
        assert_eq!(redact(&of(secret).to_string()), of("[REDACTED]").to_string());
        let pretty = |value: &Value| serde_json::to_string_pretty(value).expect("a document");
        assert_eq!(redact(&pretty(&of(secret))), pretty(&of("[REDACTED]")));
    }
}

#[test]
fn json_stays_json() {
    // A shorter number is a key only of a password.
    let numbers = [json!(12_345_678_901_u64), json!(123_456_789_012_345_u64)];
    for secret in secrets().into_iter().map(Value::from).chain(numbers) {
        let document = document(&secret);
        let inner = serde_json::to_string(&document).expect("a document");
        let written = [
            inner.clone(),
            serde_json::to_string_pretty(&document).expect("a document"),
            json!({"line": inner}).to_string(),
            json!({"line": json!({"line": inner}).to_string()}).to_string(),
        ];
        // Of a bare number in a document inside a document the mask has no quotes.
        let depths = if secret.is_number() { 2 } else { written.len() };
        for (depth, text) in written.iter().enumerate().take(depths) {
            let redacted = redact(text);
            assert_eq!(redact(&redacted), redacted, "twice");
            let mut read: Value = serde_json::from_str(&redacted)
                .unwrap_or_else(|error| panic!("{error} in {redacted}"));
            for _ in 1..depth {
                let line = read["line"].as_str().expect("a line").to_owned();
                read = serde_json::from_str(&line)
                    .unwrap_or_else(|error| panic!("{error} in {line} of {redacted}"));
            }
            let shown = read.to_string();
            let found = secret
                .as_str()
                .map_or(shown.contains(&secret.to_string()), |secret| shown.contains(secret));
            assert!(!found && shown.contains("[REDACTED]"), "{shown}");
            assert_eq!(skeleton(read), skeleton(document.clone()), "{redacted}");
        }
    }
}

/// A number of a document without blanks ends before what closes it, however that goes on.
#[test]
fn a_number_ends_where_its_member_does() {
    for after in ["}", "},{\"a\":1}", "}],\"a\"]", "}],{\"b\":[1]}", "}]],true]", ",\"a\":[]}"] {
        assert_eq!(
            redact(&format!("[[{{\"password\":98285702{after}")),
            format!("[[{{\"password\":\"[REDACTED]\"{after}")
        );
    }
}

/// Between single quotes a backslash is no escape in YAML.
#[test]
fn a_backslash_before_a_closing_single_quote_belongs_to_the_value() {
    for after in [
        "",
        "}",
        " }",
        " # why",
        ", command: '1.0', n: 2}",
        ", 'on': {'a': 'b'}}",
        "}], b: \"it's\"",
    ] {
        assert_eq!(
            redact(&format!("{{password: 'back\\slash9\\'{after}\n")),
            format!("{{password: '[REDACTED]'{after}\n")
        );
    }
    assert_eq!(redact("password: 'it\\'s 9, a\\', b'\n"), "password: '[REDACTED]'\n");
}

/// Behind a name in quotes nothing but a value can come.
#[test]
fn a_quoted_value_may_begin_with_what_closes() {
    for value in ["}hunter22", "],hunter22", ")hunter22", ";hunter22", ", hunter22", " + hunter22"]
    {
        assert_eq!(
            redact(&json!({"password": value, "n": 1}).to_string()),
            json!({"n": 1, "password": "[REDACTED]"}).to_string()
        );
    }
}

/// What a command's flag takes ends where the string does that the command stands in.
#[test]
fn a_command_ends_with_its_string() {
    for (command, shown) in [
        ("curl -u a:b9", "curl -u a:[REDACTED]"),
        ("curl -u a:b9 ", "curl -u a:[REDACTED] "),
        ("mysql -p", "mysql -p"),
        ("mysql -u root -p", "mysql -u root -p"),
        ("mysql -u root ", "mysql -u root "),
        ("mysql -pfoo9", "mysql -p[REDACTED]"),
        ("sh -c 'mysql -pfoo9' x", "sh -c 'mysql -p[REDACTED] x"),
        ("true && sshpass -p hunter2", "true && sshpass -p [REDACTED]"),
        ("echo it's; mysql -pfoo9", "echo it's; mysql -p[REDACTED]"),
        ("docker login -p hunter2", "docker login -p [REDACTED]"),
        ("echo \"hi\" && mysql -pfoo9", "echo \"hi\" && mysql -p[REDACTED]"),
    ] {
        let documents = |command: &str| {
            [
                json!({"cmd": command}),
                json!({"cmd": command, "host": "db1", "level": "-pinfo"}),
                json!({"a": "12:00", "cmd": command, "host": "it's", "t": "x -u a:b"}),
                json!([["-p", command], "-pinfo", "it's"]),
            ]
        };
        for (document, expected) in documents(command).into_iter().zip(documents(shown)) {
            let outer = |inner: String| json!({"line": inner, "n": 1}).to_string();
            let (inner, masked) = (document.to_string(), expected.to_string());
            assert_eq!(redact(&inner), masked);
            assert_eq!(redact(&outer(inner.clone())), outer(masked.clone()));
            assert_eq!(redact(&outer(outer(inner))), outer(outer(masked)));
            let pretty = |value: &Value| serde_json::to_string_pretty(value).expect("a document");
            assert_eq!(redact(&pretty(&document)), pretty(&expected));
            assert_eq!(redact(&outer(pretty(&document))), outer(pretty(&expected)));
        }
    }
    let list = |value: &str| json!({"args": ["mysql", "-u", "root", value, "db"]}).to_string();
    assert_eq!(redact(&list("-phunter2")), list("-p[REDACTED]"));
}

#[test]
fn a_number_is_masked_in_quotes() {
    for number in ["1e5", "1.5e3", "1E+5", "1e-7", "98285702"] {
        assert_eq!(
            redact(&format!("{{\"password\":{number},\"a\":1}}")),
            "{\"password\":\"[REDACTED]\",\"a\":1}"
        );
        for (list, shown) in [
            ("[#]", "[\"[REDACTED]\"]"),
            ("[#, #]", "[\"[REDACTED]\", \"[REDACTED]\"]"),
            ("[#,[\"a1b2\"]]", "[\"[REDACTED]\",[\"[REDACTED]\"]]"),
            ("[\"a1b2\",#]", "[\"[REDACTED]\",\"[REDACTED]\"]"),
        ] {
            assert_eq!(
                redact(&format!("{{\"password\":{},\"a\":[1]}}", list.replace('#', number))),
                format!("{{\"password\":{shown},\"a\":[1]}}")
            );
        }
    }
}

/// What a string ends with is no name of what follows it.
#[test]
fn a_value_does_not_begin_with_the_quote_that_closes_its_name() {
    for (text, expected) in [
        (
            r#"{"password":["pass: ","a1b2c3"],"n":1}"#,
            r#"{"password":["[REDACTED]","[REDACTED]"],"n":1}"#,
        ),
        (
            r#"{"password":["a1b2c3","pass: "],"n":1}"#,
            r#"{"password":["[REDACTED]","[REDACTED]"],"n":1}"#,
        ),
        (r#"{"msg":"Enter password: ","a1b2":1}"#, r#"{"msg":"Enter password: ","a1b2":1}"#),
        (r#"["password=","a1b2c3d4"]"#, r#"["password=","a1b2c3d4"]"#),
    ] {
        assert_eq!(redact(text), expected);
    }
}

/// The header as a member: its number needs quotes around the mask, other values have theirs.
#[test]
fn a_bare_number_of_a_header_gets_quotes() {
    for name in ["authorization", "Proxy-Authorization"] {
        for number in ["93837669", "-93837669", "1234567.25", "12345e+10"] {
            for blank in ["", " "] {
                let text = format!("{{\"{name}\":{blank}{number},\"a\":1}}");
                let redacted = redact(&text);
                assert_eq!(redacted, format!("{{\"{name}\":{blank}\"[REDACTED]\",\"a\":1}}"));
                assert!(serde_json::from_str::<Value>(&redacted).is_ok());
                assert_eq!(redact(&redacted), redacted);
            }
        }
    }
    for (text, expected) in [
        ("{\"authorization\":\"93837669\"}", "{\"authorization\":\"[REDACTED]\"}"),
        ("{\"authorization\":a1b2c3d4e5}", "{\"authorization\":[REDACTED]}"),
        ("authorization: 93837669", "authorization: [REDACTED]"),
        ("{\"authorization\":1234567}", "{\"authorization\":1234567}"),
    ] {
        assert_eq!(redact(text), expected);
    }
}

/// A quote opened before the name is not that of a key: the string ends before its line does.
#[test]
fn a_string_that_reads_like_a_line_of_yaml_keeps_its_end() {
    for (text, expected) in [
        (
            "[\n  \"password: hunter2x ok\",\n  \"b\"\n]",
            "[\n  \"password: [REDACTED] ok\",\n  \"b\"\n]",
        ),
        ("  'password: hunter2x ok',\n", "  'password: [REDACTED] ok',\n"),
        ("- \"password: hunter2x ok\"\n", "- \"password: [REDACTED] ok\"\n"),
        (
            "  \"\\u001b[31mpassword\\u001b[0m: hunter2x ok\",\n",
            "  \"\\u001b[31mpassword\\u001b[0m: [REDACTED] ok\",\n",
        ),
        ("\"password\": hunter2x ok\n", "\"password\": [REDACTED]\n"),
        ("password: hunter2x ok\n", "password: [REDACTED]\n"),
    ] {
        assert_eq!(redact(text), expected);
    }
}

/// A mask neither begins inside an escape nor takes the backslash of a quote.
#[test]
fn escapes_stay_whole_around_a_mask() {
    for (text, expected) in [
        (r#"{"Authorization":"\u2028abcdef12"}"#, r#"{"Authorization":"\u2028[REDACTED]"}"#),
        (r#"{"Authorization":"\tabcdef12xyz"}"#, r#"{"Authorization":"\t[REDACTED]"}"#),
        (r#"{"h":"Authorization: \u00e9abcdef12"}"#, r#"{"h":"Authorization: \u00e9[REDACTED]"}"#),
        (
            r#"{"Authorization":"Bearer abcd1234&y=\"z\""}"#,
            r#"{"Authorization":"Bearer [REDACTED]\"z\""}"#,
        ),
        (r#"{"b":1,"a":"h:5432:d:u:x1y2\""}"#, r#"{"b":1,"a":"h:5432:d:u:[REDACTED]\""}"#),
        (
            r#"{"Authorization":"Digest username=\"u\", c=1","b":1}"#,
            r#"{"Authorization":"Digest [REDACTED]","b":1}"#,
        ),
        (
            r#"{"h":"Authorization: Digest username=\"u\", c=1","b":1}"#,
            r#"{"h":"Authorization: Digest [REDACTED]","b":1}"#,
        ),
        (
            r#"{"l":"{\"h\":\"Authorization: Digest u=\\\"u\\\", c=1\",\"b\":1}"}"#,
            r#"{"l":"{\"h\":\"Authorization: Digest [REDACTED]\",\"b\":1}"}"#,
        ),
        (
            "-H 'Authorization: Digest username=\"u\", c=1' -v",
            "-H 'Authorization: Digest [REDACTED]' -v",
        ),
    ] {
        assert_eq!(redact(text), expected);
        assert_eq!(redact(expected), expected);
    }
}

/// Lists in lists, empty ones, and `null` among what is masked.
#[test]
fn a_list_of_anything_stays_a_list() {
    for (text, expected) in [
        (r#"{"password":[null,12345]}"#, r#"{"password":[null,"[REDACTED]"]}"#),
        (r#"{"password":[[null]]}"#, r#"{"password":[[null]]}"#),
        (r#"{"secret":[[],[0,null,"x"],1e+20]}"#, r#"{"secret":[[],[0,null,"x"],"[REDACTED]"]}"#),
        (r#"{"password":[[],["a1b2"]],"n":[1]}"#, r#"{"password":[[],["[REDACTED]"]],"n":[1]}"#),
        (r#"[{"password":null},[true,-1.5]]"#, r#"[{"password":null},[true,-1.5]]"#),
        (r#"{"tokens":[{"a":1},{"b":[2]}]}"#, r#"{"tokens":[{"a":1},{"b":[2]}]}"#),
        ("{passwords: [null, a1b2]}", "{passwords: [null, [REDACTED]]}"),
    ] {
        assert_eq!(redact(text), expected);
    }
}

/// What stands in an item of a list, or before a value found already, is read with the quotes that are open there.
#[test]
fn a_value_in_a_string_ends_with_it() {
    for (text, expected) in [
        (
            r#"{"apiKey":["password: 'hunter2x'","a1b2c3d4"],"n":1}"#,
            r#"{"apiKey":["password: '[REDACTED]'","[REDACTED]"],"n":1}"#,
        ),
        (
            r#"{"h":"a","Cookie":"password=hunter2x"},{"n":1}"#,
            r#"{"h":"a","Cookie":"password=[REDACTED]"},{"n":1}"#,
        ),
        (r#"{"note": "pass: '$x{x\""}"#, r#"{"note": "pass: '[REDACTED]"}"#),
        (r#"{"a":["\\\\password=\\",27],"b":1}"#, r#"{"a":["\\\\password=\\",27],"b":1}"#),
        (
            r#"{"a":["x\\"],"c":"mysql -phunter2x","b":1}"#,
            r#"{"a":["x\\"],"c":"mysql -p[REDACTED]","b":1}"#,
        ),
        (r#"{"a":[",pass: ",1e+20],"b":1}"#, r#"{"a":[",pass: ",1e+20],"b":1}"#),
        ("[\n  \"]mysql -phunter2x\",\n  \"b\"\n]", "[\n  \"]mysql -p[REDACTED]\",\n  \"b\"\n]"),
    ] {
        assert_eq!(redact(text), expected);
    }
}

/// A bracket that was opened before a command closes behind its flag.
#[test]
fn a_flag_leaves_the_brackets_around_its_command() {
    for (text, expected) in [
        ("{key: mysql -phunter2x}", "{key: mysql -p[REDACTED]}"),
        ("x=$(mysql -phunter2x)", "x=$(mysql -p[REDACTED])"),
        ("[mysql -phunter2x, {a: b}]", "[mysql -p[REDACTED] {a: b}]"),
        ("mysql -phunter2}", "mysql -p[REDACTED]"),
        ("{mysql -phunt{er}2}", "{mysql -p[REDACTED]}"),
        ("$(mysql -p'hunter2)' x)", "$(mysql -p'[REDACTED]' x)"),
    ] {
        assert_eq!(redact(text), expected);
    }
}
