//! Names and their values: what is masked, what stays.

mod support;

use support::redact;

const MASKED: &[(&str, &str)] = &[
    // A1: the value goes, the name stays.
    ("password=hunter2", "password=[REDACTED]"),
    ("GITHUB_TOKEN=abc", "GITHUB_TOKEN=[REDACTED]"),
    (
        "Command 'TOKEN=abc123 curl x' is not allowed",
        "Command 'TOKEN=[REDACTED] curl x' is not allowed",
    ),
    // A2
    (r#"{"password": "hunter2"}"#, r#"{"password": "[REDACTED]"}"#),
    ("apikey=abc", "apikey=[REDACTED]"),
    ("api-key: abc", "api-key: [REDACTED]"),
    ("api_key: abc", "api_key: [REDACTED]"),
    ("passwd=abc", "passwd=[REDACTED]"),
    ("client_secret=s3cr3tvalue", "client_secret=[REDACTED]"),
    ("aws_secret_access_key = a1B2c3D4e5F6g7H8", "aws_secret_access_key = [REDACTED]"),
    ("DB_PASSWORD=hunter", "DB_PASSWORD=[REDACTED]"),
    ("export DB_PASS='hunter two'", "export DB_PASS='[REDACTED]'"),
    ("PGPASSWORD=x1 psql", "PGPASSWORD=[REDACTED] psql"),
    ("ACCESS_TOKEN = \"abcd\"", "ACCESS_TOKEN = \"[REDACTED]\""),
    ("dbPassword: hunter", "dbPassword: [REDACTED]"),
    ("  password: hunter2  # the old one", "  password: [REDACTED]  # the old one"),
    ("private_key => 'abcdef'", "private_key => '[REDACTED]'"),
    ("secret := \"abcdef\"", "secret := \"[REDACTED]\""),
    ("config[\"password\"] = \"abc\"", "config[\"password\"] = \"[REDACTED]\""),
    ("let password: &str = \"abcd\";", "let password: &str = \"[REDACTED]\";"),
    ("password: str = 'abcd'", "password: str = '[REDACTED]'"),
    ("if token == \"abcd\" {", "if token == \"[REDACTED]\" {"),
    ("credentials=abc:def", "credentials=[REDACTED]"),
    ("auth_token: 0f1e2d3c", "auth_token: [REDACTED]"),
    ("token=0123456789abcdef0123456789abcdef01234567", "token=[REDACTED]"),
    ("--password hunter2 --user root", "--password [REDACTED] --user root"),
    ("--token=abc run", "--token=[REDACTED] run"),
    ("tool --api-key abc123", "tool --api-key [REDACTED]"),
    ("GET /x?token=abc&x=1 HTTP/1.1", "GET /x?token=[REDACTED]&x=1 HTTP/1.1"),
    ("/cb?access_token=abc&amp;x=1", "/cb?access_token=[REDACTED]&amp;x=1"),
    (
        "Server=db;User Id=sa;Password=abc!1;Encrypt=no",
        "Server=db;User Id=sa;Password=[REDACTED];Encrypt=no",
    ),
    ("connect(user=u, password='p,w', x=1)", "connect(user=u, password='[REDACTED]', x=1)"),
    ("connect(password=hunter2)", "connect(password=[REDACTED])"),
    ("<password>hunter2</password>", "<password>[REDACTED]</password>"),
    ("machine h login u password hunter2", "machine h login u password [REDACTED]"),
    ("ALTER USER u PASSWORD 'abc'", "ALTER USER u PASSWORD '[REDACTED]'"),
    (r#"{"password": 123456, "n": 1}"#, r#"{"password": "[REDACTED]", "n": 1}"#),
    (r#"{"password": "a\"b,c"}"#, r#"{"password": "[REDACTED]"}"#),
    (r#""{\"password\":\"hunter2\",\"a\":1}""#, r#""{\"password\":\"[REDACTED]\",\"a\":1}""#),
    ("password=hunter2\\nuser=root", "password=[REDACTED]\\nuser=root"),
    ("password=\"open", "password=\"[REDACTED]"),
    ("X-Api-Key: abcd1234", "X-Api-Key: [REDACTED]"),
    ("PRIVATE-TOKEN: abcd", "PRIVATE-TOKEN: [REDACTED]"),
    ("AccountKey=abcd+/==;EndpointSuffix=x", "AccountKey=[REDACTED];EndpointSuffix=x"),
    ("passphrase: correct-h0rse", "passphrase: [REDACTED]"),
    ("SECRET_KEY_BASE=abc", "SECRET_KEY_BASE=[REDACTED]"),
    ("//registry/:_authToken=abcd", "//registry/:_authToken=[REDACTED]"),
    ("//registry/:_auth=dXNlcjpw", "//registry/:_auth=[REDACTED]"),
    ("PASSWORD=P4ss(w0rd;x", "PASSWORD=[REDACTED]"),
    ("api_key: a and password: b2c3", "api_key: a and password: [REDACTED]"),
    ("aB.cD.eF.gH.iJ.kL.mN.oP.token=abc", "aB.cD.eF.gH.iJ.kL.mN.oP.token=[REDACTED]"),
    ("key=aB3dE5gH7jK9mN1pQ3sT5v", "key=[REDACTED]"),
    ("url?X-Amz-Signature=0123456789abcdef0123456789abcdef", "url?X-Amz-Signature=[REDACTED]"),
];

const KEPT: &[&str] = &[
    // A3
    "task-management-framework",
    "risk-assessment-2024",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "d41d8cd98f00b204e9800998ecf8427e  file",
    "pkg_module.terminal_tools.function_tools",
    "/home/User1/projects/some-Very-long-path/with2/File",
    "token: the lexer emits",
    "key: 123e4567-e89b-12d3-a456-426614174000",
    "\"integrity\": \"sha512-aB3dE5gH7jK9mN1pQ3sT5vaB3dE5gH7jK9mN1pQ3sT5v==\"",
    // No value.
    "password=",
    "password: ",
    "password=\"\"",
    "\"password\": null,",
    "token: none",
    "secret=true",
    "PASSWORD=undefined",
    "password=${DB_PASSWORD}",
    "password=$DB_PASSWORD",
    "set password=%DB_PASSWORD%",
    "password: {{ vault.password }}",
    "--token <token>",
    "token: <token>",
    "password=***",
    "password: ********",
    "password=[REDACTED]",
    "token: \"[REDACTED:token]\"",
    "password: %s",
    "Enter password: ",
    "api_key: your-api-key-here",
    // Types, code and prose.
    "password: string",
    "password: string;",
    "fn login(password: &str, token: Option<String>)",
    "token: SyntaxToken,",
    "let token = lexer.next_token();",
    "token = next;",
    "password = config.password",
    "const token = process.env.GITHUB_TOKEN;",
    "getToken()",
    "password = getPassword();",
    "password = os.environ[\"DB_PASSWORD\"]",
    "login(user, password=password)",
    "Token::new(secret::Key)",
    "if token == other {",
    "the password is stored in the vault",
    "password: Enter your new one",
    "\"password\": \"Password\"",
    "\"token\": \"The token that is used to log in.\"",
    "--password string   the password to use",
    "--token TOKEN",
    // Names that only speak about a secret.
    "MAX_TOKENS=100",
    "max_token=100",
    "tokens: 1234",
    "token: 1234",
    "token_count=12 prompt_tokens=9",
    "password_file=/run/secrets/db",
    "secret_name: my-app-secret",
    "access_key_id=abc",
    "token_type: bearer",
    "tokenizer=bert-base",
    "secretary: alice",
    "keyboard=german",
    "cache_key=abcdef123456",
    "public_key=abcdef123456",
    "PWD=/home/user",
    "author=alice",
    "pass=3 fail=0",
    "bypass: enabled",
    "compass=north",
    "secret: /run/secrets/db",
    "password_hint=blue",
    "is_secret=yes_it_is",
    "assign key=value",
    "monkey=banana",
];

#[test]
fn values_are_masked_and_names_stay() {
    let wrong: Vec<_> =
        MASKED.iter().filter(|(input, expected)| redact(input) != *expected).collect();
    for (input, expected) in &wrong {
        assert_eq!(redact(input), *expected, "{wrong:#?}");
    }
}

#[test]
fn what_is_no_secret_stays() {
    let wrong: Vec<_> = KEPT.iter().filter(|input| redact(input) != **input).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
