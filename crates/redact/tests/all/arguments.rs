//! Values that are arguments, literals in calls, behind a blank or some lines below their name, and texts that only look so.

use crate::support::{masked, redact, unchanged};

/// `@@` is the secret.
const MASKED: &[&str] = &[
    // A name and a value.
    "define('DB_PASSWORD', '@@');",
    "password += \"@@\"",
    "$password .= '@@';",
    "define( \"DB_PASSWORD\",\"@@\" );",
    "p.setProperty(\"db.password\", \"@@\")",
    "os.Setenv(\"DB_PASSWORD\", \"@@\")",
    "connect(\"password\", \"@@\")",
    "env('DB_PASSWORD', '@@')",
    "os.environ.get(\"DB_PASSWORD\", \"@@\")",
    "ENV.fetch(\"DB_PASSWORD\", \"@@\")",
    "ENV.fetch('DB_PASSWORD') { '@@' }",
    "{\"code\": \"os.Setenv(\\\"DB_PASSWORD\\\", \\\"@@\\\")\"}",
    "Map(\"password\" -> \"@@\")",
    "mapOf(\"password\" to \"@@\")",
    "ENTRYPOINT [\"app\", \"--password\",\"@@\"]",
    "ENTRYPOINT [\"app\", \"--password\", \"@@\", \"-v\"]",
    "SetEnvironmentVariable(\"DB_PASSWORD\", \"@@\")",
    "os.environ.setdefault(\"DB_PASSWORD\", \"@@\")",
    "vi.stubEnv('DB_PASSWORD', '@@')",
    // A header.
    "set(\"Authorization\", \"Basic @@\")",
    "h.set(HttpHeaders.AUTHORIZATION, \"Basic @@\")",
    "[\"authorization\",\"Token @@\"]",
    "\"Authorization\" to \"Bearer @@\"",
    "x(b\"Authorization\", b\"Basic @@\")",
    "headers={'Authorization': b'Basic @@'}",
    "{'Cookie': b'sid=@@'}",
    "send: b'GET / HTTP/1.1\\r\\nAuthorization: Basic @@\\r\\n'",
    "\"headers\":\"Host: x\\nAuthorization: Basic @@\"",
    "\"a\\nCookie: sid=@@\"",
    "{\"x\":\"set(\\\"Authorization\\\", \\\"Basic @@\\\")\"}",
    "{\"name\":\"Authorization\",\"value\":\"Basic @@\"}",
    "{\n  \"name\": \"Authorization\",\n  \"value\": \"@@\"\n}",
    "proxy_set_header Authorization \"Basic @@\";",
    "http-request set-header Authorization \"Token @@\"",
    "Authorization: Bearer \"@@\"",
    "{\"Authorization\":\"@@\"}",
    // What stands in for a value.
    "getenv(\"API_KEY\") || \"@@\"",
    "process.env.DB_PASSWORD || \"@@\"",
    "process.env.DB_PASSWORD||\"@@\"",
    "process.env.DB_PASSWORD ?? '@@'",
    "process.env[\"DB_PASSWORD\"] || '@@'",
    "os.getenv(\"DB_PASSWORD\") or \"@@\"",
    "$x = getenv('DB_PASSWORD') ?: '@@';",
    "password ||= \"@@\"",
    "password ??= '@@'",
    "ENV[\"DB_PASSWORD\"] ||= \"@@\"",
    "password = x || \"@@\"",
    "password: config.x?.y ?? '@@',",
    "password = f(1) or \"@@\"",
    "password = c ? y : \"@@\";",
    "password = (\"@@\")",
    "env.get(\"DB_PASSWORD\").orElse(\"@@\")",
    "env::var(\"DB_PASSWORD\").unwrap_or(\"@@\".into())",
    // A type before the operator.
    "PASSWORD: Final[str] = \"@@\"",
    "password: Optional[str] = '@@',",
    "let password: String? = \"@@\"",
    "const PASSWORD: &'static str = \"@@\";",
    "const PASSWORD: &[u8] = b\"@@\";",
    "static PASSWORD: [u8; 14] = *b\"@@\";",
    "password: string | undefined = '@@';",
    "const APIKey string = \"@@\"",
    "var password   string = `@@`",
    "const char password[] = \"@@\";",
    "static char api_key[64]=\"@@\";",
    "public string Password { get; set; } = \"@@\";",
    "string ApiKey { get; private set; } = \"@@\";",
    "storePassword(\"@@\")",
    // A call with the name of its argument.
    "builder.password(\"@@\")",
    "x.setPassword('@@');",
    ".withPassword(\"@@\")",
    ".with_api_key(\"@@\")",
    "setPassword(b\"@@\")",
    "new NetworkCredential(\"bob\", \"@@\")",
    "requests.get(url, auth=('bob', '@@'))",
    "auth = (\"bob\", \"@@\")",
    "HTTPBasicAuth(username, '@@')",
    "smtp.PlainAuth(\"\", from, \"@@\", host)",
    "new PasswordAuthentication(\"bob\", \"@@\".toCharArray());",
    "new PDO('mysql:host=h;dbname=x', 'bob', '@@', $options)",
    "$m = new mysqli(\"h\", $user, \"@@\", 'db');",
    "DriverManager.getConnection(url, \"bob\", \"@@\")",
    "req.SetBasicAuth(\"bob\", \"@@\")",
    ".basic_auth(\"bob\", Some(\"@@\"))",
    "ftp_login($c, 'bob', '@@');",
    "$p = ConvertTo-SecureString \"@@\" -AsPlainText -Force",
    "convertto-securestring -String '@@' -asplaintext",
    // A literal in a call.
    "Password: []byte(\"@@\"),",
    "Password: aws.String(\"@@\"),",
    "UPDATE users SET password = MD5('@@') WHERE id = 1;",
    "UPDATE users SET password = SHA1('@@');",
    "UPDATE users SET password=SHA2('@@', 256);",
    "password = hashlib.sha256(b\"@@\").hexdigest()",
    "password = base64encode(\"@@\")",
    "DB_PASSWORD=base64(\"@@\")",
    "password = crypt('@@', gen_salt('bf'))",
    "password = str(\"@@\")",
    "password = hash('sha256', '@@')",
    "password = hash(\"sha3-256\", b\"@@\")",
    "password = hash_hmac(\\\"sha256\\\", \\\"@@\\\")",
    "password = x.unwrap_or(\"@@\")",
    "password = Buffer.from(\"@@\", \"utf8\")",
    "password = hashlib.new(\"sha256\", b\"@@\")",
    "password = bcrypt.hashpw(\"@@\".encode(), salt)",
    "password = base64(bytes(\"@@\"))",
    "password: SecretString::from(\"@@\"),",
    "let password = String::from(\"@@\");",
    "password = new String(\"@@\");",
    "password = b\"@@\"",
    "Authorization: password='@@' other",
    // A blank.
    "machine x\n  login bob\n  password @@\n",
    "FROM x\nENV DB_PASSWORD @@\n",
    "ENV DB_PASSWORD \"@@\"\n",
    "SetEnv DB_PASSWORD @@\n",
    "setenv DB_PASSWORD @@\n",
    "set -gx DB_PASSWORD @@\n",
    "Step 3/5 : ENV DB_PASSWORD @@\n",
    "#5 [2/3] ENV DB_PASSWORD @@\n",
    "#12 [builder  2/13] ENV DB_PASSWORD @@\n",
    "ONBUILD ENV DB_PASSWORD @@\n",
    "Step 3/5 : ONBUILD ENV DB_PASSWORD @@\n",
    "++ setenv DB_PASSWORD @@\n",
    "> set -gx DB_PASSWORD @@\n",
    "setx DB_PASSWORD @@ /M\n",
    "machine h password @@ login bob\n",
    "machine h password @@\n",
    "    fastcgi_param DB_PASSWORD @@;\n",
    "proxy_set_header X-Api-Key \"@@\";\n",
    "http-request set-header X-Api-Key @@\n",
    "set -g -x DB_PASSWORD @@; x\n",
    "aws configure set aws_secret_access_key @@ --profile x\n",
    "npm config set //registry.example/:_authToken @@\n",
    "npm config set _authToken @@\n",
    "requirepass @@\n",
    "masterauth @@\r\n",
    "CONFIG SET requirepass @@\n",
    "vault login @@\n",
    "storePassword \"@@\"\n",
    "A temporary password is generated for root@localhost: @@\n",
    // Tags, anchors and templates.
    "password: !!str @@\n",
    "password: !Sub '@@'\n",
    "password: &anchor @@\n",
    "password: &anchor !!str \"@@\"\n",
    "password: {{ .Values.pw | default \"@@\" }}\n",
    "password: {{ default \"@@\" .Values.pw | quote }}\n",
    "password: \"{{ pw | default('@@') }}\"\n",
    // Names.
    "DB_PW=@@",
    "db_pw: @@",
    "psk=@@",
    "\tpsk=\"@@\"",
    "WIFI_PSK=@@",
    // Some lines below.
];

const KEPT: &[&str] = &[
    "(\"password\", \"text\")",
    "t(\"password\", \"Your password\")",
    "t('ENTER_PASSWORD', 'Enter the password')",
    "addField(\"password\", \"PasswordField\")",
    "get(\"token\", \"id\")",
    "Map.of(\"key\", \"value\") Map.of(\"key\", \"aB3dE5gH7jK9mN1pQ3sT5v\")",
    "assertEquals(\"password\", \"admin\")",
    "form.add(\"password\", \"type2\")",
    "[\"username\", \"password\", \"email\"]",
    "[\"token\", \"key_2\", \"oauth2_token\"]",
    "(\"password\", \"password1_field\") (\"secret\", \"/run/a1b2\")",
    "(\"password\", \"#loginForm2Password\") (\"token\", \"/api/V1/Token2\") (\"secret\", \"/Users/bob1/a\")",
    "(\"password\", \"#aB12cD34eF\") (\"password\", \"%s:%D1\") (\"password\", \"^[A-Za-z0-9]{8,}$\")",
    "(\"token\", \"getToken(A1bcdefgh)\") (\"password\", \"users[0].Password1\") (\"token\", \"{Token12345}\")",
    "d.setdefault(\"password\", \"text\") env.set(name, \"password\")",
    "[\"Authorization\", \"Content-Type\", \"X-Api-Key2\"] (\"authorization\", \"bearer\")",
    "t(\"Authorization\", \"Bearer token required\") allow(\"Authorization\", \"Basic auth\")",
    "set(\"Authorization\", \"Bearer \" + token1) set(\"Authorization\", `Bearer ${token1}`)",
    "the Authorization \"Basic\" header and Authorization, \"Bearer tokens\"",
    "'Authorization: Bearer '+token1+' x'",
    "WWW-Authenticate: Bearer realm=\"x1y2z3\"",
    "hash(\"password\", \"sha256\")",
    "match(\"password\", \"[a-z0-9]{8}\") test(\"token\", \"^a1+$\")",
    "env('DB_PASSWORD', '')  env('DB_PASSWORD', '${X}')",
    "env('DB_PASSWORD', null)",
    "define('DB_PASSWORD', $password);",
    "getPassword(\"prod1\") validateToken(\"abc\") findByToken(\"a1\")",
    "password(\"Enter your password\")",
    "password = input(\"Enter password: \")",
    "password = getpass.getpass(\"Password: \")",
    "token = localStorage.getItem(\"token1\")",
    "password = str(password); password = md5($password)",
    "password = password.encode(\"utf-8\")",
    "password = user.password.encode('ISO-8859-1')",
    "secret = secret.encode('ascii'); token = str(\"utf-8\"); password = bytes(\"utf-16le\")",
    "secret = hash.update(x).digest(\"hex\"); token = hash.digest(\"base64\"); secret = digest(\"sha256\")",
    "password = hash(\\\"sha256\"",
    "password = hash(\\\"sha256\", x",
    "new NetworkCredential(\\\"bob\"",
    "headers[\"authorization\"] = 'WSSE profile=\"UsernameToken\"'",
    "password = hash(\"sha256\", password); secret = hash_hmac('sha512', $data, $key)",
    "const password = string(\"password\"); password = secret(\"db-password\")",
    "x.setPassword(\"utf8\"); connect(\"password\", \"aes-256-gcm\")",
    "'password=md5('+password+')'",
    "password || \"none\"; token || ''; process.env.DB_PASSWORD || ''",
    "cat password || echo 'x1y2z3'",
    "password ||= config; token ??= next(); password ||= ''",
    "password = x || \"none\"; token = f() or \"name\"; password = c ? \"text\" : \"password\"",
    "type = showPassword ? \"text\" : \"password\"; token = a.b(c) || `x`; password = a.b || 'type2'",
    "password = (\"Enter your password: \"); password = (a + b); token = (await f())",
    "password: Optional[str] = None; password: string | undefined = undefined; token: &[u8] = b\"\";",
    "password: Final[str] = \"\"; token: Map<string, Token> = x; password: str | None = get(\"a1b2c3\")",
    "password string; var token string = f(); password string `json:\"password\"`; the token string is",
    "char password[64]; char token[] = {0}; password[0] = \"x1y2\"; tokens[1] == \"x1y2z3\"",
    "string Password { get; set; } string Token { get; set; } = \"\"; Password { get; } = null;",
    "env.get(\"DB_PASSWORD\").orElse(null) get(\"password\").orElse(\"none\") token.or(\"x1y2z3\")",
    "keyPassword(\"alias\") updateToken(\"next\")",
    "# use ENV PASSWORD to set it\nStep 3/5 : ENV PASSWORD_FILE /run/secrets/pw\n",
    "Step 3/5 : ENV TOKEN $X\n#5 [2/3] RUN echo password is x1\nsee: ENV TOKEN x1y2\n",
    "proxy_set_header X-Api-Key $http_x_api_key;\nproxy_set_header X-Auth-Token \"\";\nadd_header X-Token on;\n",
    "the machine password is x1y2\nmachine h password of it\n",
    "password mismatch",
    "  password required\n",
    "  password reset2 is done\n",
    "the env password must be set\nENV TOKEN is x\n",
    "ENV PASSWORD_FILE /run/secrets/pw\n",
    "set -x password x\n",
    "psk: bool; otp: true, otp: 'required'; footprint: 12345",
    "password: !secret wifi_password\n",
    "password: !Ref DbPassword\n",
    "    password: &str,\n    token: &mut Parser,\n    password: &Password\n",
    "password: {{ .Values.password }}\n",
    "password: {{ .Values.password | default \"\" }}\n",
    "password: {{ .Values.pw | default .Values.other | quote }}\n",
    "# requirepass is a directive\nrequirepass is a directive\n",
    "requirepass <password>\nmasterauth $X\n",
    "A temporary password is generated for you: check the log",
    "JSESSIONID: null JSESSIONID=([^;]+)",
    "PHPSESSID=short",
    "new NetworkCredential(user, password)",
    "ConvertTo-SecureString $password -AsPlainText",
    "ConvertTo-SecureString -String $p -AsPlainText",
    "vault login -method=github\nvault login with a token\n",
];

#[test]
fn values_of_names_are_masked_wherever_they_stand() {
    masked(MASKED, &["aB3dEf6hIj", "x9!kq2Zw4pLm", "a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg"]);
}

#[test]
fn settings_are_masked_whatever_they_are() {
    for text in [
        "define('DB_PASSWORD', '@@');",
        "env(\"DB_PASSWORD\", \"@@\")",
        "os.environ.get(\"DB_PASSWORD\", \"@@\")",
        "process.env.DB_PASSWORD || \"@@\"",
        "password = MD5('@@')",
        "DB_PW=@@",
        "ENV DB_PASSWORD @@\n",
        "requirepass @@\n",
    ] {
        for secret in ["tiger", "hunter2", "correcthorse"] {
            let masked = redact(&text.replace("@@", secret));
            assert_eq!(masked, text.replace("@@", "[REDACTED]"));
        }
    }
}

#[test]
fn a_value_may_begin_with_any_sign_and_hold_brackets() {
    for secret in [
        "/K29fjQw0dPz/R7xB4mN8vC2kQ",
        "#K29fjQw0dPzR7",
        "%K29fjQw0dPzR7",
        "^K29fjQw0dPzR7",
        "-K29fjQw0dPzR7",
        ".K29fjQw0dPzR7",
        "xK29(fjQw0dPzR7",
        "xK29[fjQ]w0dPzR7",
    ] {
        let text = "params.append('client_secret','@@')";
        assert_eq!(redact(&text.replace("@@", secret)), text.replace("@@", "[REDACTED]"));
    }
}

#[test]
fn numbers_and_ids_are_secrets_behind_their_names() {
    for text in ["otp: @@", "\"otp\": \"@@\"", "Your OTP: @@", "otp=@@&x=1"] {
        assert_eq!(redact(&text.replace("@@", "493021")), text.replace("@@", "[REDACTED]"));
    }
    for text in ["JSESSIONID: @@", "x;jsessionid=@@", "PHPSESSID=@@", "x?PHPSESSID=@@&y=1"] {
        let id = "0AAB6C8DE415E4A1B2C3D4E5F6071829";
        assert_eq!(redact(&text.replace("@@", id)), text.replace("@@", "[REDACTED]"));
    }
}

#[test]
fn texts_that_only_look_so_stay() {
    for text in KEPT {
        unchanged(text);
    }
}
