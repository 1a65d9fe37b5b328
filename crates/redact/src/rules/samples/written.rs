//! Samples written by hand, for rules that are known by what stands around the secret.

/// Rule, place with `@@` for the secret, secret. `~n` in a secret stands for `n` letters.
pub(super) const POSITIVE: &[(&str, &str, &str)] = &[
    ("private-key", "-----BEGIN PRIV_ KEY-----\n@@\n-----END PRIV_ KEY-----", "~64"),
    ("jwt", "jwt @@ end", "eyJ~20.eyJ~40.~43"),
    ("jwk", "{\"kty\":\"EC\",\"d\":\"@@\"}", "~43"),
    ("authorization-header", "Authorization: Basic @@", "~16"),
    ("authorization-header", "{\"authorization\": \"token @@\"}", "~20"),
    ("authorization-header", "curl -H 'Authorization: SSWS @@' h", "~42"),
    ("bearer-token", "sent Bearer @@ to it", "~12"),
    ("cookie", "Cookie: sid=@@; theme=@@", "~12"),
    ("cookie", "set-cookie: sid=@@; Path=/; Secure", "~12"),
    ("url-password", "postgres://alice:@@@db:5432/x", "p4ss-w"),
    ("url-password", "mysql+pymysql://alice:@@@db/x?ssl=1", "~12"),
    ("url-password", "mongodb+srv://alice:@@@a.b/c", "~12"),
    ("url-password", "rediss://:@@@h:6379/0", "~12"),
    ("url-password", "amqps://alice:@@@h/v", "~12"),
    ("url-password", "git clone https://alice:@@@host/x.git", "~12"),
    ("url-password", r#"{"url": "redis:\/\/joe:@@@h\/0"}"#, "~12"),
    ("network-password", "\"root:@@@tcp(127.0.0.1:3306)/shop\"", "~12"),
    ("network-password", "DSN=app:@@@unix(/run/mysqld.sock)/shop", "p4ss-w"),
    ("oracle-password", "url=jdbc:oracle:thin:scott/@@@//db:1521/shop", "t1ger!"),
    ("oracle-password", "jdbc:oracle:oci:app_owner/@@@shop", "~12"),
    ("user-flag", "wget --user alice:@@ h", "hunter2"),
    ("pgpass", "db.host:5432:shop:alice:@@", "hunter2"),
    ("sql-password", "CREATE USER x IDENTIFIED BY '@@';", "~16"),
    ("sql-password", "SET PASSWORD FOR 'bob'@'%' = PASSWORD('@@')", "hunter2"),
    ("command-flag", "mysql -u root -p@@ shop", "~9"),
    ("command-flag", "sshpass -p @@ ssh h", "~9"),
    ("command-argument", "vault login @@", "s.~24"),
    ("piped-password", "echo '@@' | sudo -S true", "~12"),
    ("piped-password", "echo bob:@@ | chpasswd", "~12"),
    ("call-password", "requests.get(url, auth=HTTPBasicAuth('joe', '@@'))", "hunter2"),
    ("call-password", "$db = new PDO('mysql:host=h', \"joe\", \"@@\");", "hunter2"),
    ("command-argument", "ConvertTo-SecureString '@@' -Force", "~12"),
    ("password", "DB_PASSWORD=@@", "hunter2"),
    ("password", "{\"password\": \"@@\"}", "hunter2"),
    ("password", "password: @@ # old", "hunter2"),
    ("password", "Server=db;User Id=sa;Password=@@;Encrypt=no", "hunter2!"),
    ("password", "Driver={x};Uid=sa;Pwd=@@;", "hunter2!"),
    ("password", "jdbc:postgresql://h/db?user=u&password=@@&ssl=1", "hunter2"),
    ("secret", "client_secret: '@@'", "~12"),
    ("token", "--token @@ run", "~12"),
    ("token", "PHPSESSID=@@", "~26"),
    ("token", "GET /x?access_token=@@&x=1", "~12"),
    ("api-key", "X-Api-Key: @@", "~12"),
    ("api-key", "DefaultEndpointsProtocol=https;AccountKey=@@;EndpointSuffix=x", "~20"),
    ("credential", "credentials=@@", "~12"),
    ("auth", "_auth=@@", "~24"),
    ("signature", "?sv=1&sig=@@&se=2", "~44"),
];

/// Rule and a text that stays as it is.
pub(super) const NEGATIVE: &[(&str, &str)] = &[
    ("private-key", "-----BEGIN PUBLIC KEY-----\n~64\n-----END PUBLIC KEY-----"),
    ("private-key", "expected PRIV_ KEY----- here"),
    ("jwt", "eyJ~20 and eyJ.~40"),
    ("jwk", "{\"d\": \"M10 20L30 40\", \"k\": \"key\"}"),
    ("authorization-header", "Authorization: required"),
    ("authorization-header", "Authorization: Bearer ${TOKEN}"),
    ("bearer-token", "uses bearer authentication for all"),
    ("cookie", "cookie: a small text"),
    ("url-password", "https://example.org/a:b@c and http://host:8080/x@y"),
    ("url-password", "postgres://user:${PASSWORD}@db/x"),
    ("network-password", "%s:%s@tcp(%s)/%s and user:password@tcp(host)/name and joe@tcp(host)/x"),
    ("network-password", "{}:{}@tcp({}) and ${USER}:${PASS}@unix(/run/x) and %[1]s:%[2]s@tcp(x)"),
    (
        "oracle-password",
        "jdbc:oracle:thin:@//db:1521/shop and jdbc:oracle:thin:${USER}/${PASSWORD}@db:1521:x",
    ),
    (
        "oracle-password",
        "jdbc:oracle:thin:scott/${password}@db and jdbc:oracle:thin:scott/<password>@db",
    ),
    ("user-flag", "docker run -u 1000:1000 image"),
    ("pgpass", "127.0.0.1:5432:up:healthy:3d"),
    ("sql-password", "a row is identified by 'name' and identified by id; set password for all"),
    ("command-flag", "mysql -p shop; mysql -P 3306; mkdir -p a/b"),
    (
        "piped-password",
        "echo $PASS | sudo -S true; cat a | sudo -u bob tee b; echo \"$T\" | gh auth login --with-token",
    ),
    (
        "call-password",
        "x.login(user, password); HTTPBasicAuth(name, $p); api.login(\"joe\", \"next\")",
    ),
    ("command-argument", "vault login -method=github; ConvertTo-SecureString $p"),
    ("password", "password: string; password=${PW}; password=; PWD=/home/user"),
    ("secret", "secret=true; secretary: alice; secret_name: x"),
    ("token", "MAX_TOKENS=100 next_page_token=~40 token: <token>"),
    ("api-key", "key: 123e4567-e89b-12d3-a456-426614174000"),
    ("api-key", "cache_key=~40 public_key=~40 api_key: null"),
    ("credential", "credentials: include; credential.helper=store"),
    ("auth", "auth: basic; author=alice"),
    ("signature", "signature: (a, b) -> c; sig=short"),
];

/// Writes out the letters, and words that would make a scanner of repositories complain.
pub(super) fn expand(text: &str) -> String {
    let mut parts = text.split('~');
    let first = parts.next().unwrap_or_default().to_owned();
    let expanded = parts.fold(first, |expanded, part| {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let length = part[..digits].parse().unwrap_or(0);
        let letters = "a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg".chars().cycle().take(length);
        expanded + &letters.collect::<String>() + &part[digits..]
    });
    expanded.replace("PRIV_", "PRIVATE")
}
