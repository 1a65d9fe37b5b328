//! Names that say more than a name: questions, hints of prompts, blanks between words, and what languages write behind them.

mod support;

use support::{masked, pauses_show_nothing, unchanged};

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
    // Hints of prompts.
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
    // Addresses.
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

#[test]
fn what_may_stand_there_as_well_is_kept() {
    for text in KEPT {
        unchanged(text);
    }
}

#[test]
fn pauses_show_nothing_of_the_value() {
    for text in MASKED {
        pauses_show_nothing(&text.replace("@@", VALUES[0]));
    }
    for text in KEPT {
        pauses_show_nothing(text);
    }
}
