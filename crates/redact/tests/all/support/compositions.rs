//! Texts in which quotes, commands and keys are begun, broken off and continued, and the redactors they are held to.

use handrail_redact::{Options, Redactor};

use super::{hex, letters};

pub(crate) fn redactors() -> Vec<Redactor> {
    let options = Options {
        secrets: vec![
            ("A".to_owned(), "correct-horse".to_owned()),
            ("B".to_owned(), "correct-horse-battery".to_owned()),
        ],
        substrings: vec!["NEEDLE".to_owned()],
        patterns: vec!["ref-[0-9]+x?".to_owned()],
        ..Options::default()
    };
    let labels = Options { label: true, ..options.clone() };
    let plain_labels = Options { label: true, ..Options::default() };
    let known = Options { secrets: options.secrets.clone(), ..Options::default() };
    [Options::default(), options, labels, plain_labels, known]
        .into_iter()
        .map(|options| Redactor::new(options).expect("valid options"))
        .collect()
}

pub(crate) fn whole(redactor: &Redactor, text: &[u8]) -> Vec<u8> {
    redactor.redact(text).unwrap_or_else(|| text.to_vec())
}

/// Pieces that stand around arguments, in calls, templates and lines with one blank.
const ARGUMENTS: &[&str] = &[
    "\"password\", \"",
    "define('TOKEN', '",
    "setPassword(",
    "md5('",
    ") || \"",
    "x1y2!z",
    "process.env.SECRET ?? ",
    "ENV TOKEN ",
    "\n  password ",
    "&a ",
    "!!str ",
    "{{ x | default \"",
    "}}",
    "_pw=",
    "otp: 1234",
    "form-data; name=\"",
    "\r\n\r\n",
    "variable \"",
    "\" {\n",
    "default = \"",
    "vault login ",
    "{name: PASSWORD, value: ",
    "- name: PASSWORD\n",
    "  # value: ",
    "<name>password</name>\n",
    "<value>",
    "</value>\n",
    "> form-data; name=password\n>\n> ",
    "output password { value = \"",
    " => \"",
    "&lt;password&gt;",
    "&lt;/password&gt;",
    "\\u003ctoken\\u003e",
    "\", \"b\": true, \"value\": \"",
    "<entry b=\"c\" key=\"password\">",
    "\n- name: DB_PASSWORD\n",
    "\n  value: ",
    "  Value: \"",
    "echo ",
    "printf '%s' ",
    " | sudo -",
    "S x",
    "|docker login --password-stdin ",
    "| chpasswd <<< ",
    " -password ",
    "INSERT INTO a (b, password) VALUES (",
    "), ('",
    "'b', '",
    " += ",
    "reset_token=",
    "x1Yz2Wv3",
    " [None]: ",
    "Password for joe: ",
    "**Token:** ",
    "{:password \"",
    "\n    [password] => ",
    "root:",
    "@tcp(",
];

/// Pieces of which fixtures are made; some are harmless, some are secrets or parts of one.
pub(crate) fn pieces() -> Vec<String> {
    let key = |kind: &str| format!("-----{kind} RSA {} KEY-----", "PRIVATE");
    let mut pieces: Vec<String> = [
        "\x1b[31m",
        "\x1b[0m",
        "\\u001b[1m",
        "\x1b[",
        "password=",
        "hunter2",
        "'Value': '",
        "name=\"password\" ",
        " value=\"",
        " IDENTIFIED BY ",
        "x1y2 temp",
        "orary",
        "\n",
        "\r\n",
        " ",
        "\"",
        "'",
        "\\n",
        "token: ",
        "the lexer ",
        "{\"api_key\": \"",
        "\"}",
        "Authorization: Bearer ",
        "https://u:",
        "p4ss",
        "@host/",
        "?token=",
        "&x=1",
        "Cookie: a=b; ",
        "--password ",
        "eyJ",
        ".",
        "correct-",
        "horse",
        "-battery",
        "NEEDLE",
        "NEED",
        "ref-12",
        "x",
        "[REDACTED]",
        "[REDACTED:token]",
        "[",
        "]",
        "=",
        ":",
        ",",
        ";",
        "\\\"",
        "secret",
        "key",
        "é",
        "sk-",
        "ghp_",
        "://",
        "-u a:",
        "/",
        "-",
        "<",
        ">",
        "()",
        "${X}",
        "password: |\n",
        "  token: >-\n    ",
        "    hunter2",
        "  The words of it.",
        "\t",
        "password",
        "\\\\\\\"",
        "&quot;",
        "%22",
        "mysql ",
        "-p",
        "sshpass -p ",
        "unexpected ",
        "include",
        "pass: ",
        "it's",
        "`",
        "PWD=",
        "secrets\": [\"",
        "\", \"",
        "name=\"",
        "\" value=\"",
        "value=\"",
        "\" name=\"",
        "{'Value': '",
        "', 'Key': '",
        "h:5432:d:u:",
        "*:*:*:u:",
        "Private-Lines: 2\n",
        "<b>",
        "</b>",
        "Y29ycmVjdC1ob3Jz",
        "ZQ==",
    ]
    .map(str::to_owned)
    .to_vec();
    pieces.extend(ARGUMENTS.iter().map(|&piece| piece.to_owned()));
    pieces.extend([
        key("BEGIN"),
        key("END"),
        letters(64),
        letters(24),
        letters(36),
        hex(40),
        format!("{}\n", letters(64)),
    ]);
    pieces
}

/// Texts that are each read whole.
pub(crate) const FIXTURES: &[&str] = &[
    "password=hunter2\nnext line\n",
    "DB_PASSWORD=Sup3r's3cret 'password=x1y2' it's password=a\"b`c\n",
    "\"secrets\": [\"x1y2\", \"db\"] <add key='password' value='x1y2'/> h:5432:d:u:x1y2\n",
    "data:Y29ycmVjdC1ob3JzZQ== xY29ycmVjdC1ob3JzZS1iYXR0ZXJ5\n",
    "PuTTY-User-Key-File-3: x\nPrivate-Lines: 1\na7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg=\nPrivate-MAC: 3f\n",
    "a correct-horse-battery b NEEDLE ref-12x\n",
    "{\"password\": \"hunter2\", \"n\": {\"token\": \"abc\\\"d\"}}",
    "GET https://u:p4ss@host/x?token=abc&y=1 HTTP/1.1\r\nAuthorization: Basic dXNlcjpw\r\nCookie: a=b; c=d\r\n\r\n",
    "token: the lexer emits\npassword: string\nMAX_TOKENS=100\n",
    "é password='a b' ü token=[REDACTED] [REDACTED:token]\n",
    "{'Value': '&quot;x1y2\n', 'Key': 'password'}\n{\"value\": \"x1y2z3\",\n \"name\": \"password\"}\n",
    "CREATE USER bob IDENTIFIED BY x1y2z3 DEFAULT TABLESPACE users;\n",
    "no newline at the end password=x1y2",
    "a secret=`x1y2- \n | of a line\n",
    "a:\n  password: |-\n    hunter2\n\n    correct-horse\n  token: >\n    The text of it.\n    x1y2z3\nend\n",
    "define('DB_PASSWORD', 'hunter2'); os.getenv(\"API_KEY\") or \"x1y2!z\" password = md5('x1y2')\n",
    "a; name=\"x\"\r\nb: form-data; name=\"password\"\r\n\r\nx1y2\r\n--\r\nvariable \"token\" {\n  default = \"x1y2\"\n}\n",
    "machine x\n  password hunter2\nENV TOKEN x1y2\npassword: &a !!str x1y2 # z\npw: {{ a | default \"x1y2\" }}\n",
    "sshpass -p hunter2 mysql -px1y2 && curl -su u:p4ss https://host | x\npassword\thunter2\n",
    "{\\\\\\\"password\\\\\\\": \\\\\\\"hun\\\\\\\\\\\\\\\"ter2\\\\\\\"} &quot;token&quot;: &quot;x1y2&quot;\n",
];

/// The fixtures, and those with a private key.
pub(crate) fn fixtures() -> Vec<String> {
    let mut fixtures: Vec<String> = FIXTURES.iter().map(|&text| text.to_owned()).collect();
    let key = |kind: &str| format!("-----{kind} {} KEY-----", "PRIVATE");
    let body = format!("{}\n{}\n{}=\n", letters(64), letters(64), letters(20));
    fixtures.push(format!("x\n{}\n{body}{}\nafter password=abc\n", key("BEGIN"), key("END")));
    fixtures.push(format!(
        "\"{}\\n{}\\n{}\\n\" password=abc\n",
        key("BEGIN"),
        letters(40),
        key("END")
    ));
    fixtures.push(format!("{}\n{body}plain\n", key("BEGIN")));
    fixtures
}
