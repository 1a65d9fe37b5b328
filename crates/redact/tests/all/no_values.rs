//! What stands where a value could and is none: prompts, messages, rules of forms, names of what is kept elsewhere.

use crate::support::{masked, pauses_show_nothing, unchanged};

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
    ("DB_PASSWORD=${DB_PASSWORD:-hunter2x}", "DB_PASSWORD=${DB_PASSWORD:-[REDACTED]}"),
    ("DB_PASSWORD=${DB_PASSWORD-hunter2x}", "DB_PASSWORD=${DB_PASSWORD-[REDACTED]}"),
    ("echo \"${DB_PASSWORD:=hunter2x}\"", "echo \"${DB_PASSWORD:=[REDACTED]}\""),
    ("x --token ${API_TOKEN-aB3dE5gH7jK9}", "x --token ${API_TOKEN-[REDACTED]}"),
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
    ("token_hash: sha256:0123456789abcdef", "token_hash: [REDACTED]"),
    ("client_secret_digest=sha1:deadbeefcafe0123", "client_secret_digest=[REDACTED]"),
    ("api_key_fingerprint=sha256:9f86", "api_key_fingerprint=[REDACTED]"),
    ("--client-token-hash sha256:0123xyz98", "--client-token-hash [REDACTED]"),
    ("--secret source=a7Kq2,a7Kq2Zx9", "--secret [REDACTED]"),
    ("--set-secrets=DB_PASS=a7Kq2Zx9", "--set-secrets=[REDACTED]"),
    ("tool --secret=source=Zx81kKq2Pw", "tool --secret=[REDACTED]"),
    ("tool --secret src=tiger", "tool --secret [REDACTED]"),
    ("docker build --secret src=aB3dE5gH7jK9 .", "docker build --secret [REDACTED] ."),
    ("docker build --secret type=tiger .", "docker build --secret [REDACTED] ."),
    ("oauth2 --secret env=aB3dE5gH7jK9mN1p", "oauth2 --secret [REDACTED]"),
    ("app --secret=the-api-token", "app --secret=[REDACTED]"),
    ("app --secret=\"the-api-token\"", "app --secret=\"[REDACTED]\""),
    ("docker build . && app --secret=the-api-token", "docker build . && app --secret=[REDACTED]"),
    ("podman run --secret=hunter-pony-2x x", "podman run --secret=[REDACTED] x"),
    ("gcloud secrets add x --secret=aB3dE5gH7jK9", "gcloud secrets add x --secret=[REDACTED]"),
    ("app --secrets DB=hunter2:latest", "app --secrets [REDACTED]"),
    ("--data=DB_PASS=tiger:latest", "--data=DB_PASS=[REDACTED]"),
    ("--set-secrets=DB_PASS=hunter2:3", "--set-secrets=[REDACTED]"),
    ("--password=my-db-password1", "--password=[REDACTED]"),
    ("password: 100/s", "password: [REDACTED]"),
    ("SECRET=123456/s", "SECRET=[REDACTED]"),
    ("API_KEY=1000/s", "API_KEY=[REDACTED]"),
    // Messages, and words of them in settings.
    ("spring.datasource.password=Secret token", "spring.datasource.password=[REDACTED] token"),
    ("db.password=Change Password", "db.password=[REDACTED] Password"),
    ("smtp.login.password=The password", "smtp.login.password=[REDACTED] password"),
    ("root.password=Please Enter", "root.password=[REDACTED] Enter"),
    ("db.password=Passwort", "db.password=[REDACTED]"),
    ("password: Passwort", "password: [REDACTED]"),
    ("login.password=Passwort extra", "login.password=[REDACTED] extra"),
    ("account.login.password=Secret token", "account.login.password=[REDACTED] token"),
    ("login.password=Passwort1", "login.password=[REDACTED]"),
    ("DB_PASSWORD=\"Kennwort\"", "DB_PASSWORD=\"[REDACTED]\""),
    ("DB_PASSWORD: \"Kennwort\"", "DB_PASSWORD: \"[REDACTED]\""),
    ("password='Passwort'", "password='[REDACTED]'"),
    ("\"db_password\": \"Geslo\"", "\"db_password\": \"[REDACTED]\""),
    // Keys of a storage.
    ("JWT_TOKEN_KEY = \"super_secret_signing_token\"", "JWT_TOKEN_KEY = \"[REDACTED]\""),
    ("TOKEN_KEY = 'correcthorse-token'", "TOKEN_KEY = '[REDACTED]'"),
    ("PASSWORD_KEY = \"hunter@password\"", "PASSWORD_KEY = \"[REDACTED]\""),
    ("TOKEN_KEY = \"auth-token-v2177\"", "TOKEN_KEY = \"[REDACTED]\""),
    ("TOKEN_KEY=auth-token", "TOKEN_KEY=[REDACTED]"),
    // Rules whose arguments may be anything.
    (
        "\"password\": [\"required\", \"max:12345678\"]",
        "\"password\": [\"required\", \"[REDACTED]\"]",
    ),
    ("\"secrets\": [\"bail\", \"min=424242\"]", "\"secrets\": [\"bail\", \"[REDACTED]\"]"),
    (
        "\"passwords\": [\"present\", \"in:tiger\", \"same:pony\"]",
        "\"passwords\": [\"present\", \"[REDACTED]\", \"[REDACTED]\"]",
    ),
    ("password: \"required,max\"", "password: \"[REDACTED]\""),
    ("\"password\": \"same|required\"", "\"password\": \"[REDACTED]\""),
    ("password='required|string'", "password='[REDACTED]'"),
    (
        "INSERT INTO users (name, password) VALUES ('bob', 'required|string')",
        "INSERT INTO users (name, password) VALUES ('bob', '[REDACTED]')",
    ),
    // References without an end, and names behind what is none.
    ("{{resolve:x,password:hunter2", "{{resolve:x,password:[REDACTED]"),
    ("{{resolve:x:password:hunter2}}", "{{resolve:x:password:[REDACTED]}}"),
    (
        "{{resolve:secretsmanager:db:SecretString:password:hunter2",
        "{{resolve:secretsmanager:db:SecretString:[REDACTED]",
    ),
    // What a manual does not write where a value goes.
    ("echo QWERTZUIOP | sudo -S ls", "echo [REDACTED] | sudo -S ls"),
    ("echo \"bob:HUNTER\" | chpasswd", "echo \"bob:[REDACTED]\" | chpasswd"),
    (
        "docker login --password-stdin <<< \"TIGERPONY\"",
        "docker login --password-stdin <<< \"[REDACTED]\"",
    ),
    // Variables with a number.
    ("SET password = @p1234 WHERE", "SET password = [REDACTED] WHERE"),
    ("SET password = :tiger_1 WHERE", "SET password = [REDACTED] WHERE"),
    ("DB_PASSWORD=@p0", "DB_PASSWORD=[REDACTED]"),
    // Keys that are secret.
    ("API key: aB3dE5gH7jK9mN1pQ3sT5v", "API key: [REDACTED]"),
    ("Cache access key: aB3dE5gH7jK9mN1pQ3sT5v", "Cache access key: [REDACTED]"),
    ("Encrypted with key: aB3dE5gH7jK9mN1pQ3sT5v", "Encrypted with key: [REDACTED]"),
    ("public/private key: aB3dE5gH7jK9mN1pQ3sT5v", "public/private key: [REDACTED]"),
    ("public secret key: aB3dE5gH7jK9mN1pQ3sT5v", "public secret key: [REDACTED]"),
    ("signing key: 4aee18f83afdeb23", "signing key: [REDACTED]"),
    ("it's password: '.tiger, pony'", "it's password: '[REDACTED]'"),
    ("it's password: '.tiger9x'", "it's password: '[REDACTED]'"),
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
    "puts \"Password: \".yellow.bold",
    "msg = \"Password: \".length;",
    "ask(\"Password: \".tr, x)",
    // Keys that are public.
    "Cache restored from key: Linux-node-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c",
    "Cache Key: v0-rust-test-Linux-x64-9f86d081-884c7d65",
    "gpg: Signing Key: 4AEE18F83AFDEB23 (Bob)",
    "Public Signing Key: aB3dE5gH7jK9",
    "minisign public key: aB3dE5gH7jK9mN1pQ3sT5vaB3dE5gH7jK9mN1pQ3sT5v",
    "- prompt: \"Password: \" private: yes",
    "whiptail --passwordbox \"Password: \" 8 40",
    "x = getpass(\"Password: \")",
    "printf(\"password = \");",
    "{\"cmd\": \"read -s -p 'Password: ' pw\"}",
    // A message of a shell.
    "DB_PASSWORD=${DB_PASSWORD:?DB_PASSWORD must be set}",
    "DB_PASSWORD=${DB_PASSWORD?DB_PASSWORD must be set}",
    "${TOKEN:+--token \"$TOKEN\"}",
    "${GITHUB_TOKEN:+--secret id=github_token,env=GITHUB_TOKEN}",
    "${PASSWORD:+--password=$PASSWORD}",
    "ARGS=\"${API_KEY:+--api-key $API_KEY}\"",
    "if [ -n \"${API_TOKEN+x}\" ]",
    "x ${DB_PASSWORD:-$OTHER} ${DB_PASSWORD-$OTHER} ${PASSWORD-} ${PASSWORD:-}",
    "POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?database password not set}",
    // What a form accepts.
    "'password' => 'required|string|min:8|confirmed',",
    "'token' => 'required|string|exists:users,token',",
    "'password' => ['required', 'string', 'min:8', 'confirmed'],",
    "'password' => ['required', 'min:8', 'regex:/[0-9]/'],",
    "'password'=>'required|string|min:8|regex:/[a-z]/',",
    "{\"password\":\"required|min:8|different:username1\"}",
    "'token' => 'required|exists:App\\Models\\User,token',",
    "'token' => 'required|string|size:60|starts_with:tok_',",
    "'password' => 'nullable|required_if:type,2|min:8',",
    "password: \"required,min=8,max=64\"",
    // Catalogues.
    "error.password.tooShort=Too short",
    "validation.password=The password field is required.",
    "login.password.error = Please enter your password",
    "\"password\": \"Wachtwoord\",",
    "\"password\": \"Hasło\"",
    "\"password\": \"Contraseña\"",
    "passwordLabel: 'Passwort'",
    "currentPassword: 'Passwort'",
    "\"password\": \"Wachtwoord:\"",
    "login.password=Passwort",
    "login.password=パスワード",
    // Variables of statements.
    "UPDATE users SET password = :password WHERE id = :id",
    "UPDATE users SET password=:new_password WHERE id=:id",
    "UPDATE users SET password = @password WHERE id = @id",
    "SELECT id FROM users WHERE token = :token",
    "ALTER ROLE app WITH PASSWORD :'pw';",
    "SET PASSWORD = @pw",
    "UPDATE users SET password=@p0 WHERE id=@p1",
    "UPDATE users SET password = :password_1 WHERE id = :id_1",
    "UPDATE users SET users.password = @__password_0",
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
    "docker build \\\n  --secret id=npmrc .",
    "docker build --secret id=npmrc,src=.npmrc .",
    "docker build --secret id=npmrc,src=$HOME/.npmrc .",
    "docker build -t \"$TAG\" --secret id=npmrc .",
    "  --secret id=token,env=GITHUB_TOKEN \\",
    "docker service create --secret db_password2 img",
    "gcloud secrets versions access latest --secret=\"db-password\"",
    "gcloud secrets versions access latest --secret=prod-db2",
    "gcloud run deploy --set-secrets 'TOKEN=projects/1/secrets/tok:latest'",
    "gcloud run deploy --set-secrets DB_PASS=db-pass:latest,API_KEY=api-key:3",
    "const TOKEN_KEY = \"auth_token\";",
    "const TOKEN_KEY: string = \"auth_token\"",
    "export const TOKEN_KEY = '@app/auth-token-v2'",
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
    let redacted: Vec<_> =
        MASKED_ALONE.iter().map(|(text, _)| crate::support::redact(text)).collect();
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
    // What a pipe hands to a command is shown at a pause.
    for (text, _) in MASKED_ALONE.iter().filter(|(text, _)| !text.contains(" | ")) {
        pauses_show_nothing(text);
    }
    for text in KEPT {
        pauses_show_nothing(text);
    }
    for text in MASKED {
        pauses_show_nothing(&text.replace("@@", "a7Kq2Zx9Lm4W"));
    }
}
