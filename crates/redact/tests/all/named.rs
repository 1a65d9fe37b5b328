//! Names that say more than a name: questions, hints of prompts, blanks between words, and what languages write behind them.

use crate::support::{masked, pauses_show_nothing, unchanged};

/// Values that are made up, with letters of both cases.
const VALUES: &[&str] = &["Zx9Lm4Wt6Rb8Yc1N", "q7Kz2XLm4Wt6rB8y"];

const MASKED: &[&str] = &[
    // Names that begin with a word that counts, asks or marks.
    "https://x.example/reset?reset_token=@@",
    "{\"resetToken\": \"@@\"}",
    "reset_password_token: @@",
    "public_token=@@&x=1",
    "validate_token=@@",
    "show_password=@@",
    "x --use-token @@ y",
    "{\"value\": \"@@\", \"name\": \"RESET_TOKEN\"}",
    "enable_password: @@",
    "change_password=@@",
    "enable secret @@",
    "enable password @@",
    // Hints of prompts.
    "Unseal Key 1: @@",
    "Recovery Key 2: @@",
    "Password 2: @@",
    "Enter PEM pass phrase: @@",
    // Tables.
    "| password | @@ |",
    "| joe      | API token   | @@  |",
    "│ Password │ @@ │",
    "AWS Secret Access Key [None]: @@",
    "AWS Secret Access Key [****************zEYq]: @@",
    "Password (hidden): @@",
    "Enter password (again): @@",
    "Password for user postgres: @@",
    "Password for 'https://joe@git.example': @@",
    "[sudo] password for joe: @@",
    "Enter your API token (optional): @@",
    // Keys named with a blank.
    "API key: @@",
    "your secret key: @@ next",
    "Access Key: @@",
    "{\"API Key\": \"@@\"}",
    "Api Key=@@",
    // Markdown.
    "**Password:** @@",
    "- **Database password**: `@@`",
    "* **API token:** `@@` (old)",
    "__Password:__ @@",
    // Anchors.
    "password: &pw @@",
    "POSTGRES_PASSWORD: &pgpw @@ # old",
    // Declarations.
    "#define WIFI_PASSWORD \"@@\"",
    "#define WIFI_PASSWORD    \"@@\"",
    "password <- \"@@\"",
    "db.password <- '@@'",
    "{:password \"@@\"}",
    "{:user \"joe\" :password \"@@\"}",
    "$config{password} = '@@';",
    "$config{'password'} = '@@';",
    "Dim password As String = \"@@\"",
    "std::string password{\"@@\"};",
    "    [password] => @@\n    [x] => y\n",
    "array(1) { [\"password\"]=> string(16) \"@@\" }",
    "const char password[] PROGMEM = \"@@\";",
    "static const uint8_t password[] = \"@@\";",
    "char password[MAX_LENGTH] = \"@@\";",
    "TCHAR password[] = _T(\"@@\");",
    "#  define  WIFI_PASSWORD\t\"@@\"",
    "password!: string = \"@@\";",
    "let password: String = String::from(\"@@\");",
    "let password: Option<String> = Some(\"@@\".into());",
    // Arguments behind a text.
    "print(\"Password: \", \"@@\")",
    "logger.info('password=', '@@')",
    "console.log(\"token:\", \"@@\");",
    // Addresses.
    "app:@@@udp(db:3306)/x",
    "app:@@@tcp6([::1]:3306)/x",
    "app:@@@cloudsql(project:region:db)/x",
    "sql.Open(\"mysql\", \"root:@@@tcp(127.0.0.1:3306)/shop\")",
    "DSN=root:@@@tcp(db:3306)/app",
    "{\"url\": \"postgres:\\/\\/joe:@@@h\\/x\"}",
];

const KEPT: &[&str] = &[
    "max_tokens=4096",
    "max_tokens: 128k",
    "\"max_tokens\": 4096,",
    "has_password: true",
    "show_password=yes1",
    "reset_password: sha256",
    "pad_token=\"<|endoftext|>\"",
    "unk_token: \"[UNK0]\"",
    "use_auth_token=HF_TOKEN_2",
    "num_tokens = count_tokens_v2(text)",
    "expected_token: identifier2",
    "require_password: x25519mlkem768",
    "n_tokens=tokens_of_all_the_sentences_2",
    "public_token: TLS_AES_128_GCM_SHA256",
    "\"reset_token\": \"your token\"",
    "\"resetTokens\": [\"Zx9Lm4Wt6Rb8Yc1N\"]",
    "token (string): The access token",
    "password (str): base64-encoded password",
    "password (optional): OAuth2 password of the user",
    "token (default): TLS_AES_128_GCM_SHA256",
    "the password for user joe: see section4",
    "Password for joe and two others: Zx9Lm4Wt6Rb8Yc1N",
    "the API key: utf8mb4",
    "Access key: ctrl-shift-p",
    "host key: ecdsa-sha2-nistp256",
    "Session key: AES128-GCM-SHA256",
    "Host key: x25519mlkem768",
    "the next key: Zx9Lm4Wt6Rb8Yc1N",
    "**Password:** the password of the user",
    "- **Token**: OAuth2 token",
    "fn f(token: &mut Token2, password: &str)",
    "f(password: &dyn Pass2, x)",
    "#define TOKEN_NAME \"token2\"",
    "#define PASSWORD_PROMPT \"Password: \"",
    "#define TOKEN \"token\"",
    "token <- \"text\"",
    "token <- readToken(x1y2z3a4)",
    "x = token < -\"a1B2c3D4e5\"",
    "{:password \"secret\"}",
    "{:token \"string\" :x 1}",
    "if ${token} = \"none\"",
    "Dim password As String = Nothing",
    "struct Token{\"name\"};",
    "[Token] => next,",
    "x[password] => parse(x)",
    "[\"password\"]=> string(0) \"\"",
    "\"%s:%s@tcp(%s:%d)/%s\"",
    "user:password@tcp(localhost:5555)/shop",
    "joe@tcp(db)",
    "user:YOUR_PASSWORD@tcp(db)/x",
    "user:mypassword@tcp(db)/x",
    "user:pw@tcp(db)/x",
    "user:%s@tcp(db)/x",
    "enable_password: true",
    "change_password: step2",
    "enable_password = password2",
    "expected_password = hash2word(x)",
    "f(expected_password=input22)",
    "no_password: sha256",
    "enable secret sauce today",
    "enable password sha256 hashes",
    "enable password protection",
    "secret for app: app-secret-7d9f8b6c5d-x2x9k",
    "token for job: 0190a1b2c3d4",
    "password for account: 6f1c2d3e-1a2b-4c5d-8e9f-001122334455",
    "secret (kubernetes.io/tls): tls1a2B3c4",
    "**Password:** PBKDF2WithHmacSHA256",
    "**Token:** Ed25519PublicKeyV1",
    "Step 1 key 2: utf8mb4",
    "Password 1: the first",
    "Enter pass phrase: again",
    "| password | the password of the user |",
    "| token | string |",
    "| password | sha256 |",
    "x = token | Zx9Lm4Wt6Rb8Yc1N | y",
    "static const uint8_t password[] = { 1, 2 };",
    "char token[MAX_LENGTH] = \"\";",
    "token[KEY_A1] = \"a\";",
    "password!: string;",
    "let password: String = String::new();",
    "let token: String = String::from(\"token\");",
    "print(\"Password: \", \"text\")",
    "print(\"Password: \", \"utf8mb4\")",
    "print(\"Password: \", password2)",
    "tr(\"Password:\", \"field12\")",
    "#define CMD_PASS \"PASS\"",
    "#define ARG_PASSWORD \"--password\"",
    "#define XML_PASSWORD \"passwd\"",
    "#define MSG_PASSWORD \"Enter a password\"",
    "#define HASH_PASSWD \"sha256\"",
    "if (${password} = \"winter\")",
    "Dim password As String = \"\"",
];

#[test]
fn values_of_names_in_every_writing_are_masked() {
    masked(MASKED, VALUES);
}

#[test]
fn hexadecimal_digits_and_short_passwords_are_masked() {
    masked(&["API key: @@", "validate_token=@@", "API token (old): @@"], &["0123456789abcdef"]);
    masked(
        &[
            "show_password=@@",
            "Password (hidden): @@",
            "password: &pw @@",
            "[sudo] password for joe: @@",
        ],
        &["Zx9Lm4Wt6"],
    );
}

/// Words, and made-up ones with signs, where nothing else stands.
const WORDS: &[(&str, &str)] = &[
    ("enable_password: hunter2", "enable_password: [REDACTED]"),
    ("ENABLE_PASSWORD=cisco123", "ENABLE_PASSWORD=[REDACTED]"),
    ("enable secret hunter2", "enable secret [REDACTED]"),
    ("expected_password = \"tiger9\"", "expected_password = \"[REDACTED]\""),
    ("#define MQTT_PASSWORD \"secret123\"", "#define MQTT_PASSWORD \"[REDACTED]\""),
    ("$ENV{DB_PASSWORD} = 'hunter2';", "$ENV{DB_PASSWORD} = '[REDACTED]';"),
    ("$self->{password} = \"winterlake\";", "$self->{password} = \"[REDACTED]\";"),
    ("Dim password As String = \"winter lake\"", "Dim password As String = \"[REDACTED]\""),
    (
        "let password: String = String::from(\"tiger9x\");",
        "let password: String = String::from(\"[REDACTED]\");",
    ),
    ("Password (again): q&9kq;Lw/aB3", "Password (again): [REDACTED]"),
    ("**Password:** aB3!dE5gH7jK", "**Password:** [REDACTED]"),
    ("reset_password=aB3!dE5gH7jK", "reset_password=[REDACTED]"),
    (
        "password is generated for root@localhost: q&9kq;Lw/aB3",
        "password is generated for root@localhost: [REDACTED]",
    ),
    ("{\"dsn\": \"app:hun'ter2@tcp(db)/x\"}", "{\"dsn\": \"app:[REDACTED]@tcp(db)/x\"}"),
    ("{\"dsn\": \"app:hun\\\"ter2@tcp(db)/x\"}", "{\"dsn\": \"app:[REDACTED]@tcp(db)/x\"}"),
    ("app:%s3cr3t@tcp(db:3306)/x", "app:[REDACTED]@tcp(db:3306)/x"),
    ("[REDACTED],app:hunter2@tcp(db)/x", "[REDACTED],app:[REDACTED]@tcp(db)/x"),
    ("::add-mask::tiger9x", "::add-mask::[REDACTED]"),
    (
        "{\"auths\":{\"ghcr.io\":{\"auth\":\"Ym9iOmh1bnRlcjI=\"}}}",
        "{\"auths\":{\"ghcr.io\":{\"auth\":\"[REDACTED]\"}}}",
    ),
];

#[test]
fn words_are_masked_where_nothing_else_stands() {
    let redacted: Vec<_> = WORDS.iter().map(|(text, _)| crate::support::redact(text)).collect();
    let expected: Vec<_> = WORDS.iter().map(|(_, masked)| *masked).collect();
    assert_eq!(redacted, expected);
}

#[test]
fn what_may_stand_there_as_well_is_kept() {
    for text in KEPT {
        unchanged(text);
    }
}

#[test]
fn pauses_show_nothing_of_the_value() {
    // A value before its name is shown at a pause.
    for text in MASKED.iter().filter(|text| !text.starts_with("{\"value")) {
        pauses_show_nothing(&text.replace("@@", VALUES[0]));
    }
    for text in KEPT {
        pauses_show_nothing(text);
    }
    for (text, _) in WORDS {
        pauses_show_nothing(text);
    }
}
