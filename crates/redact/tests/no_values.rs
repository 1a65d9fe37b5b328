//! What stands where a value could and is none: prompts, messages, rules of forms, names of what is kept elsewhere.

mod support;

use support::{masked, pauses_show_nothing, unchanged};

/// `@@` is the secret.
const MASKED: &[&str] = &[
    // Behind a quote that opens.
    "password: \"@@\"",
    "{\"password\":\"@@\"}",
    "5\" disk, password: \"@@\"",
    "echo \"x\" password: \"@@\"",
    "print('it is', \"password: @@\")",
    "curl -d \"password: @@\" x",
    "read -p \"Password: \" x; password=\"@@\"",
    // Behind a colon of a shell.
    "echo {password:@@}",
    // Rules and values.
    "'password' => '@@',",
    "'password' => ['required', '@@'],",
    // Properties.
    "error.password=@@",
    "db.password=@@ extra",
    "\"password\": \"@@\"",
    // Variables of statements.
    "UPDATE users SET password = '@@' WHERE id = :id",
    "UPDATE users SET password = @@ WHERE id = :id",
    "PASSWORD=@@",
    // Digests and entries.
    "PASSWORD_HASH=@@",
    "api_token_hash: @@",
    "tool --secret=@@",
    "tool --secret @@",
    "tool --client-secret=@@",
    "gcloud run deploy --set-secrets=@@",
    "DB_PASS=@@",
    "{{resolve:ssm:x}} password:@@",
    "const TOKEN_KEY = \"@@\";",
    // Tokens of a grammar.
    "parser: token=@@",
    "token-bucket: @@",
];

/// Each begins, or goes on, like what is no value.
const MASKED_ALONE: &[(&str, &str)] = &[
    ("DB_PASSWORD=${DB_PASSWORD:-hunter2x}", "DB_PASSWORD=${DB_PASSWORD:[REDACTED]}"),
    ("echo \"Password: \" hunter2x", "echo \"Password: \"[REDACTED]"),
    ("echo \"Password: \"  hunter2x", "echo \"Password: \"[REDACTED]"),
    ("curl --data=password=tiger-pony:42", "curl --data=password=[REDACTED]"),
    ("5\" disk, password: \" hunter2\"", "5\" disk, password: \"[REDACTED]\""),
    ("'password' => 'required|hunter2',", "'password' => '[REDACTED]',"),
    ("'password' => ['required','hunter2'],", "'password' => ['required','[REDACTED]'],"),
    ("'password' => ['string','min:8x2'],", "'password' => ['[REDACTED]','[REDACTED]'],"),
    ("password: \"required,min=Tr0ub4x\"", "password: \"[REDACTED]\""),
    ("db.password=Correct horse battery", "db.password=[REDACTED] horse battery"),
    ("password=Too short", "password=[REDACTED] short"),
    ("db.password=New York", "db.password=[REDACTED] York"),
    ("db.password=Too short2go", "db.password=[REDACTED] short2go"),
    ("db.password=Too", "db.password=[REDACTED]"),
    ("\"password\": \"Wachtwoord1\"", "\"password\": \"[REDACTED]\""),
    ("\"password\": \"wachtwoord\"", "\"password\": \"[REDACTED]\""),
    ("SET password = :hunter2x WHERE", "SET password = [REDACTED] WHERE"),
    ("SET password = @hunterx WHERE", "SET password = [REDACTED] WHERE"),
    ("PASSWORD=:password", "PASSWORD=[REDACTED]"),
    ("password_hash: sha256:0123456789abcdef", "password_hash: [REDACTED]"),
    ("--client-token-hash sha256:0123xyz98", "--client-token-hash [REDACTED]"),
    ("--secret source=a7Kq2,a7Kq2Zx9", "--secret [REDACTED]"),
    ("--set-secrets=DB_PASS=a7Kq2Zx9", "--set-secrets=[REDACTED]"),
    ("--password=my-db-password1", "--password=[REDACTED]"),
    ("password: 100/s", "password: [REDACTED]"),
    ("token=Identifier2", "token=[REDACTED]"),
    ("API_TOKEN=identifier", "API_TOKEN=[REDACTED]"),
    ("it's password: '.aB3dE6fG'", "it's password: '[REDACTED]'"),
    ("it's password: ')aB3dE6fG'", "it's password: '[REDACTED]'"),
    ("Cookie: sid=abc; a=b", "Cookie: sid=[REDACTED]; a=[REDACTED]"),
    ("Cookie: sid=tiger; seen=dark", "Cookie: sid=[REDACTED]; seen=[REDACTED]"),
    ("\"passwd\": \"VALUE_SPECIFIED\"", "\"passwd\": \"[REDACTED]\""),
];

const KEPT: &[&str] = &[
    // A quote that was opened before the name closes.
    "let prompt = \"Password: \".to_string();",
    "read -s -p \"Password: \" password",
    "read -s -p 'Enter password: ' password",
    "echo -n \"Password: \" >&2",
    "cout << \"Token: \" << tok;",
    "expect \"password: \" { send \"$pw\\r\" }",
    "if line == \"Password: \" then",
    "\"Password: \".len()",
    "- prompt: \"Password: \" private: yes",
    "whiptail --passwordbox \"Password: \" 8 40",
    "x = getpass(\"Password: \")",
    "printf(\"password = \");",
    "{\"cmd\": \"read -s -p 'Password: ' pw\"}",
    // A message of a shell.
    "DB_PASSWORD=${DB_PASSWORD:?DB_PASSWORD must be set}",
    "DB_PASSWORD=${DB_PASSWORD?DB_PASSWORD must be set}",
    "POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?database password not set}",
    // What a form accepts.
    "'password' => 'required|string|min:8|confirmed',",
    "'token' => 'required|string|exists:users,token',",
    "'password' => ['required', 'string', 'min:8', 'confirmed'],",
    "password: \"required,min=8,max=64\"",
    // Catalogues.
    "error.password.tooShort=Too short",
    "validation.password=The password field is required.",
    "login.password.error = Please enter your password",
    "\"password\": \"Wachtwoord\",",
    "\"password\": \"Hasło\"",
    "\"password\": \"Contraseña\"",
    "passwordLabel: 'Passwort'",
    // Variables of statements.
    "UPDATE users SET password = :password WHERE id = :id",
    "UPDATE users SET password=:new_password WHERE id=:id",
    "UPDATE users SET password = @password WHERE id = @id",
    "SELECT id FROM users WHERE token = :token",
    "ALTER ROLE app WITH PASSWORD :'pw';",
    "SET PASSWORD = @pw",
    // What is public, and what is kept elsewhere.
    "kubeadm join x --discovery-token-ca-cert-hash \
     sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "MasterUserPassword: '{{resolve:secretsmanager:MySecret:SecretString:password}}'",
    "MasterUserPassword: \"{{resolve:secretsmanager:MySecret:SecretString:password}}\"",
    "MasterUserPassword: {{resolve:ssm-secure:MySecret:3}}",
    "gcloud run deploy --set-secrets=DB_PASS=db-pass:latest",
    "gcloud run deploy --set-secrets=DB_PASS=db-pass:latest,API_KEY=api-key:3",
    "podman run --secret source=db_password,target=pw x",
    "podman run --secret=db-password x",
    "docker build --secret id=npmrc,src=.npmrc .",
    "const TOKEN_KEY = \"auth_token\";",
    // What a tool masked.
    "\"passwd\": \"VALUE_SPECIFIED_IN_NO_LOG_PARAMETER\"",
    // Tokens of a grammar and of a limit.
    "parser: token=Identifier",
    "token=IDENT",
    "token-bucket: 100/s",
];

#[test]
fn values_are_masked_where_others_are_none() {
    masked(MASKED, &["a7Kq2Zx9Lm4W"]);
    let redacted: Vec<_> = MASKED_ALONE.iter().map(|(text, _)| support::redact(text)).collect();
    let expected: Vec<_> = MASKED_ALONE.iter().map(|(_, masked)| *masked).collect();
    assert_eq!(redacted, expected);
}

#[test]
fn what_is_no_value_stays() {
    for text in KEPT {
        unchanged(text);
        unchanged(&format!("{text}\n"));
    }
}

#[test]
fn a_pause_shows_no_value() {
    for (text, _) in MASKED_ALONE {
        pauses_show_nothing(text);
    }
    for text in KEPT {
        pauses_show_nothing(text);
    }
    for text in MASKED {
        pauses_show_nothing(&text.replace("@@", "a7Kq2Zx9Lm4W"));
    }
}
