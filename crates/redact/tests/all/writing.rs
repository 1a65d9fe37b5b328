//! The same secret in other writings: block scalars, flags of commands, documents inside documents, tables.

use crate::support::{letters, redact, redact_with, stream};
use handrail_redact::{Options, Redactor, WINDOW_BYTES};

const MASK: &str = "[REDACTED]";

/// Inputs in which the secret is written as `@@`; it must go and everything else must stay.
const MASKED: &[&str] = &[
    // Block scalars.
    "password: |\n  @@\nuser: alice\n",
    "password: >\n  @@\nuser: alice\n",
    "db:\n  password: |-\n    @@\n  user: alice\n",
    "db:\n  \"password\": >+2 # the old one\n    @@\n\n  user: alice\n",
    "- password: |2-\n    @@\n- user: alice\n",
    "items:\n  - name: x\n    api_key: |\n      @@\n    user: alice\n",
    "password: |\r\n  @@\r\nuser: alice\r\n",
    "password: |\n\n  @@",
    "# password: |\n#   @@\n# user: alice\n",
    "+password: |\n+  @@\n+user: alice\n",
    "token: |\n  The token of the service, it does not expire.\n  @@\nuser: alice\n",
    "password: |\n\t@@\nuser: alice\n",
    // Flags of commands.
    "mysql -u root -p@@ shop",
    "mysql -uroot -p'@@' shop",
    "mysqldump --single-transaction -p\"@@\" shop > x",
    "mysql --password=@@ shop",
    "$ /usr/bin/mysqladmin -p@@ status",
    "sshpass -p @@ ssh host",
    "sshpass -p'@@' ssh host",
    "sudo sshpass -p \"@@\" scp a b:",
    "[\"sshpass\", \"-p\", \"@@\", \"ssh\"]",
    "{\"cmd\":\"sshpass -p '@@' ssh host\"}",
    "{\"argv\":\"[\\\"mysql\\\", \\\"-p@@\\\"]\"}",
    "curl -u alice:@@ https://host/",
    "curl -ualice:@@ https://host/",
    "curl -sSu 'alice:@@' https://host/",
    "curl --user alice:@@ https://host/",
    "curl --proxy-user alice:@@ https://host/",
    "redis-cli -h host -a @@ ping",
    "redis-cli --pass @@ ping",
    "docker login -u alice -p @@ registry",
    "mongosh -u alice -p @@ db",
    "ldapsearch -x -D cn=admin -w @@ -b dc=x",
    "smbclient //host/share -U alice%@@",
    "openssl rsa -in key.pem -passin pass:@@ -out x",
    "keytool -list -storepass @@ -keystore x",
    "sshpass -p x1y2z3 mysql -p@@ shop",
    "gh secret set API --body \"@@\" --repo a/b",
    "gh secret set API -b@@",
    "az keyvault secret set --vault-name v --name n --value=@@ -o none",
    "ssh-keygen -t ed25519 -N '@@' -f key",
    "snmpwalk -v3 -u joe -A @@ -x AES host",
    "etcdctl --user root:@@ get /",
    "twine upload -u joe -p @@ dist/*",
    "cargo login @@",
    "cargo login --registry x @@",
    "mc alias set --insecure store https://host user @@ --api S3v4",
    "wpa_passphrase net @@ > wifi2.conf",
    "cf auth joe @@",
    "rabbitmqctl add_user joe @@",
    "sudo rabbitmqctl change_password joe '@@'",
    "mc alias set store https://host user1 @@",
    "ansible-vault encrypt_string '@@' --name x",
    // Documents inside documents.
    r#"{\"password\":\"@@\",\"user\":1}"#,
    r#"{\\\"password\\\":\\\"@@\\\",\\\"user\\\":1}"#,
    r#"{\\\\\\\"password\\\\\\\": \\\\\\\"@@\\\\\\\"}"#,
    r#"{\\\"password\\\": @@, \\\"user\\\": 1}"#,
    "&quot;password&quot;:&quot;@@&quot;,&quot;user&quot;:1",
    "&#34;password&#34;: &#34;@@&#34;, user",
    "<a x=\"{&quot;api_key&quot;: &quot;@@&quot;}\">",
    r"\u0022password\u0022:\u0022@@\u0022,\u0022user\u0022:1",
    "q=%7B%22password%22%3A%22@@%22%7D&x=1",
    "q=%7B%22api_key%22%3A%22@@%22%7D&x=1",
    r#"{"url":"/x?a=1\u0026token=@@\u0026x=1"}"#,
    r#"{"line":"a\napi_key=@@\nb"}"#,
    r#"{"line":"password\u003d@@\u0026x=1"}"#,
    "password =&gt; &#39;@@&#39;",
    // Lists without quotes.
    "passwords: [@@, @@]\n",
    "db: {passwords: [ @@ ], n: 1}",
    // A name and its value on two lines.
    "- name: DB_PASSWORD\n  value: @@\n- name: HOST\n  value: a1b2\n",
    "env:\n  - name: API_KEY\n    value: \"@@\"\n    other: a1b2\n",
    "    \"name\": \"DB_PASSWORD\",\n    \"value\": \"@@\",\n    \"n\": 1\n",
    "key: db_password\r\nvalue: '@@'\r\nkey: x\r\n",
    // Tables.
    "password\t@@\n",
    "user\talice\npassword\t\t@@\nhost\tdb\n",
    "db1\tpassword\t@@\talice\n",
    "api_key\t@@\r\n",
];

const SECRETS: &[&str] = &["hunter2", "s3cr3t-V4lue", "a7Kq2Zx9Lm4Wt6Rb"];

const KEPT: &[&str] = &[
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db-password\n      key: x1\n",
    "- name: DB_PASSWORD\n  value: ${PW}\n  value: a1b2\n",
    "- name: HOST\n  value: a1b2\n",
    "name: password\ntype: string\nvalue: a1b2\n",
    "passwords: [a, b]\n",
    "tokens: [1, 2, 3]\n",
    "next_page_token=a1b2c3 nextToken: \"a1b2c3\" --starting-token a1b2c3",
    "{\"NextContinuationToken\": \"a1b2c3d4\"}",
    // Words of a grammar and of requests.
    "unexpected token: identifier",
    "Unexpected token: 'identifier'",
    "unexpected token: x7",
    "SyntaxError: unexpected token: foo1 at line 3",
    "error: expected token: T_VARIABLE",
    "token:   eof",
    "token: EOF",
    "Token: StringLiteral",
    "{\"token\": \"identifier\", \"line\": 3}",
    "next_token: whitespace",
    "currentToken: 'newline'",
    "if (token === 'function') {",
    "credentials: include",
    "credentials: 'same-origin'",
    "credentials: \"omit\",",
    "fetch(url, { credentials: 'include' })",
    "request.credentials = 'include';",
    "\"credentials\": \"same-origin\"",
    "credentials: same-origin",
    "auth: basic",
    "auth: 'none'",
    // Block scalars that hold no secret.
    "password: |\nuser: alice\n",
    "password: |\n  ${DB_PASSWORD}\nuser: alice\n",
    "token: >\n  The token that is used to log in.\n  It is made by the server.\n",
    "description: |\n  hunter2 is a user\n",
    "password_hint: |\n  hunter2\n",
    "x = password | other\n  hunter2\n",
    "password: [REDACTED]\n  hunter2\n",
    // Flags that are something else.
    "mysql -p shop",
    "mysql -u root -p",
    "mysql -P 3306 shop",
    "mysql -p$MYSQL_PWD shop",
    "`docker login -p`, and others",
    "`cqlsh -p` or else",
    "gh secret set API < file",
    "gh secret set API --body \"$API\"",
    "ssh-keygen -t ed25519 -N '' -f key",
    "cargo login is what asks for it",
    "cargo login $CARGO_TOKEN",
    "rabbitmqctl add_user joe",
    "rabbitmqctl add_user \"$NAME\" \"$PASSWORD\"",
    "mc alias set store https://host user1 <key>",
    "encrypt_string(text)",
    "mysql -p\"${MYSQL_PWD}\" shop",
    "docker run -p 8080:80 image",
    "sshpass -e ssh host -p 22",
    "sshpass -p \"$SSHPASS\" ssh host",
    "mkdir -p a/b; mysql shop",
    "the mysql-p1234 package",
    "curl -u $USER:$PASS https://host/",
    "curl -o x https://host/u:v",
    "redis-cli -a \"$REDIS\"",
    "openssl rsa -in key.pem -passin file:pass.txt",
    // Headings of tables.
    "user\tpassword\thost\n",
    "password\thost\n",
    "Password\tHostname\n",
    "password\tvarchar(255)\tnot null\n",
    "password\tstring\n",
    "token\tcount\n",
    "token\tidentifier\n",
    "old password\thunter2x\n",
    "password\tis not stored\n",
    // Spelled quotes around something else.
    "&quot;token&quot; &amp; more",
    "token%20count",
    "token&x=1",
];

fn default_redactor() -> Redactor {
    Redactor::new(Options::default()).expect("the default options")
}

#[test]
fn every_writing_is_masked_at_every_split() {
    let redactor = default_redactor();
    let mut wrong = Vec::new();
    for (pattern, secret) in
        MASKED.iter().flat_map(|pattern| SECRETS.iter().map(move |secret| (pattern, secret)))
    {
        let text = pattern.replace("@@", secret);
        let expected = pattern.replace("@@", MASK).replace("x1y2z3", MASK);
        let redacted = redact_with(&redactor, &text);
        if redacted != expected {
            wrong.push((redacted, expected));
            continue;
        }
        assert_eq!(redact_with(&redactor, &expected), expected, "twice");
        for cut in 0..=text.len() {
            let (first, second) = text.as_bytes().split_at(cut);
            let streamed = stream(&redactor, &[first, second]);
            assert_eq!(String::from_utf8_lossy(&streamed), expected, "{text:?} at {cut}");
        }
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(String::from_utf8_lossy(&stream(&redactor, &bytes)), expected);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_only_looks_like_it_stays_at_every_split() {
    let redactor = default_redactor();
    let changed = |text: &&&str| redact_with(&redactor, text) != ***text;
    let wrong: Vec<_> = KEPT.iter().filter(changed).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for text in KEPT {
        for cut in 0..=text.len() {
            let (first, second) = text.as_bytes().split_at(cut);
            assert_eq!(stream(&redactor, &[first, second]), text.as_bytes(), "{text:?} at {cut}");
        }
    }
}

#[test]
fn passwords_that_are_words_are_masked() {
    for (text, expected) in [
        ("password: correcthorse", "password: [REDACTED]"),
        ("password: 'include'", "password: '[REDACTED]'"),
        ("password: identifier\n", "password: [REDACTED]\n"),
        ("password\tcorrecthorse\n", "password\t[REDACTED]\n"),
        ("auth_token: banana", "auth_token: [REDACTED]"),
        ("github_token: 'banana'", "github_token: '[REDACTED]'"),
        ("token: hunter2", "token: [REDACTED]"),
        ("token: qzxkvbwpjh", "token: [REDACTED]"),
        ("invalid token: a1b2c3d4e5", "invalid token: [REDACTED]"),
        ("db_credentials: banana", "db_credentials: [REDACTED]"),
        ("GITHUB_TOKEN=identifier", "GITHUB_TOKEN=[REDACTED]"),
    ] {
        assert_eq!(redact(text), expected);
    }
    let random = format!("unexpected token: {}", letters(24));
    assert_eq!(redact(&random), "unexpected token: [REDACTED]");
}

/// A limit that is kept: without quotes a value ends at a blank, as in a shell.
#[test]
fn an_unquoted_value_ends_at_a_blank() {
    assert_eq!(redact("password=hunter2 secretxyz"), "password=[REDACTED] secretxyz");
    assert_eq!(redact("password='hunter2 secretxyz'"), "password='[REDACTED]'");
}

/// What is encoded ends a value only where its operator is encoded as well.
#[test]
fn an_encoded_separator_is_part_of_a_value_behind_a_raw_operator() {
    for (text, expected) in [
        ("GET /a?password=abcd%26efgh12345&c=d", "GET /a?password=[REDACTED]&c=d"),
        ("GET /a?password=abcd%22efgh12345&c=d", "GET /a?password=[REDACTED]&c=d"),
        ("GET /a?token=%26efgh12345&c=d HTTP/1.1", "GET /a?token=[REDACTED]&c=d HTTP/1.1"),
        ("api_key=a1b2%26c3d4%22e5f6", "api_key=[REDACTED]"),
        ("DB_PASSWORD=abcd%26efgh x", "DB_PASSWORD=[REDACTED] x"),
        (
            "to=%2Fa%3Fpassword%3Dabcd1234%26c%3Dd&x=1",
            "to=%2Fa%3Fpassword%3D[REDACTED]%26c%3Dd&x=1",
        ),
        ("to=%2Fa%3FTOKEN%3dabcd1234%26c%3dd&x=1", "to=%2Fa%3FTOKEN%3d[REDACTED]%26c%3dd&x=1"),
        ("q=%22token%3Aabcd1234%22&x=1", "q=%22token%3A[REDACTED]%22&x=1"),
        (
            "q=%22password%22%3A%22abcd%26efgh%22%7D&x=1",
            "q=%22password%22%3A%22[REDACTED]%22%7D&x=1",
        ),
        ("password%3D%22abcd1234%26c%3Dd", "password%3D%22[REDACTED]%26c%3Dd"),
    ] {
        assert_eq!(redact(text), expected);
        assert_eq!(redact(expected), expected);
    }
    for text in ["GET /a?q=password%26efgh12345&c=d", "token=%s%26x=%s"] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn a_block_of_any_length_is_masked_line_by_line() {
    let redactor = default_redactor();
    let lines = format!("  {}\n\n", letters(100)).repeat(2_000);
    let long = format!("  {}\n", letters(3 * WINDOW_BYTES + 17));
    for (body, shown) in [
        (lines.clone(), "  [REDACTED]\n\n".repeat(2_000)),
        (long.clone(), "  [REDACTED]\n".to_owned()),
        (format!("  hunter2\n{long}"), "  [REDACTED]\n".repeat(2)),
    ] {
        let text = format!("a: 1\npassword: |\n{body}next: token=abc\n");
        let expected = format!("a: 1\npassword: |\n{shown}next: token=[REDACTED]\n");
        assert!(redact_with(&redactor, &text) == expected);
        assert!(redact_with(&redactor, &expected) == expected);
        for size in [997, 4_096, 65_535, 65_536, 65_537] {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            assert!(stream(&redactor, &pieces) == expected.as_bytes(), "{size}");
        }
        let findings = redactor.scan(text.as_bytes());
        let last = findings.last().unwrap();
        assert_eq!(&text[last.start..last.end], "abc");
    }
}

#[test]
fn what_a_block_shows_is_read_as_text() {
    let marker = |kind: &str| format!("-----{kind} {} KEY-----", "PRIVATE");
    let key = format!(
        "private_key: |\n  {}\n  {}\n  {}\nuser: alice\n",
        marker("BEGIN"),
        letters(64),
        marker("END")
    );
    assert_eq!(redact(&key), key.replace(&letters(64), MASK));
    let text = "token: |\n  {{ token }} password=hunter2\n  s3cr3tvalue\nx: 1\n";
    assert_eq!(redact(text), "token: |\n  {{ token }} password=[REDACTED]\n  [REDACTED]\nx: 1\n");
    // Redacted before, then written to.
    let text = "password: |\n  [REDACTED]\n  hunter2\n  hunter3\nx: 1\n";
    assert_eq!(redact(text), "password: |\n  [REDACTED]\n  [REDACTED]\n  [REDACTED]\nx: 1\n");
}

/// Backslashes of the closing quote stay, wherever a window ends.
#[test]
fn an_escaped_value_longer_than_a_window_keeps_its_quotes() {
    let redactor = default_redactor();
    for (open, close) in [(r#"\""#, r#"\""#), (r#"\\\""#, r#"\\\""#), (r#"\\\""#, r#"\""#)] {
        for length in (WINDOW_BYTES - 40..WINDOW_BYTES + 4).chain([2 * WINDOW_BYTES]) {
            let text = format!("{{password{open}:{open}{}{close}, token=abc\n", letters(length));
            let expected = format!("{{password{open}:{open}{MASK}{close}, token={MASK}\n");
            assert!(redact_with(&redactor, &text) == expected, "{open} {length}");
            for size in [1_000, 65_535, 65_537] {
                let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
                assert!(stream(&redactor, &pieces) == expected.as_bytes(), "{open} {length}");
            }
            let findings = redactor.scan(text.as_bytes());
            assert_eq!(&text[findings[1].start..findings[1].end], "abc", "{open} {length}");
        }
    }
}

#[test]
fn known_values_are_found_in_markup_and_in_upper_case() {
    let options = Options {
        secrets: vec![("A".to_owned(), "p<s&w\"r'd/x y".to_owned())],
        ..Options::default()
    };
    let redactor = Redactor::new(options).unwrap();
    for form in [
        "p&lt;s&amp;w&quot;r&apos;d/x y",
        "p&lt;s&amp;w&quot;r&#39;d/x y",
        "p&lt;s&amp;w\"r'd/x y",
        "p&#60;s&#38;w&#34;r&#39;d/x y",
        "p&#x3C;s&#x26;w&#x22;r&#x27;d/x y",
        "703C732677227227642F782079",
        "703c732677227227642f782079",
        "p%3Cs%26w%22r%27d%2Fx%20y",
        "p%3cs%26w%22r%27d%2fx%20y",
        "p%3Cs%26w%22r'd%2Fx%20y",
        r#"p\u003cs\u0026w\"r\u0027d/x y"#,
        r#"p\u003Cs\u0026w\"r\u0027d/x y"#,
        r#"p<s&w\\\\\\\"r'd/x y"#,
    ] {
        assert_eq!(redact_with(&redactor, &format!("a {form} b")), "a [REDACTED] b", "{form}");
    }
    assert_eq!(redact_with(&redactor, "p&lt;s&amp;w"), "p&lt;s&amp;w");
}
