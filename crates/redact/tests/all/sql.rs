//! Passwords in statements of SQL, and texts that only sound like one.

use crate::support::{pauses_show_nothing, redact, unchanged};

/// `@@` is the secret.
const MASKED: &[&str] = &[
    "CREATE USER x IDENTIFIED BY '@@';",
    "create user if not exists 'bob'@'%' identified by \"@@\";",
    "GRANT ALL ON shop.* TO 'bob'@'localhost' IDENTIFIED BY '@@' WITH GRANT OPTION;",
    "ALTER USER bob IDENTIFIED WITH mysql_native_password BY '@@';",
    "ALTER USER bob IDENTIFIED WITH 'caching_sha2_password' BY '@@' REPLACE 'x';",
    "CREATE USER bob IDENTIFIED WITH mysql_native_password AS '@@'",
    "CREATE USER bob IDENTIFIED VIA ed25519 USING PASSWORD('@@');",
    "CREATE USER bob IDENTIFIED BY PASSWORD '*@@'",
    "CREATE USER bob IDENTIFIED BY PASSWORD \"*@@\"",
    "ALTER USER scott IDENTIFIED BY VALUES 'S:@@'",
    "  IDENTIFIED BY '@@'",
    "SET PASSWORD FOR 'bob'@'%' = PASSWORD('@@');",
    "SET PASSWORD FOR 'bob'@'%' = PASSWORD(\"@@\");",
    "set password for bob = '@@'",
    "SET PASSWORD = OLD_PASSWORD('@@')",
    "alter user scott identified by @@;",
    "CREATE USER scott IDENTIFIED BY @@ DEFAULT TABLESPACE users",
    "CREATE DATABASE LINK a CONNECT TO scott IDENTIFIED BY @@ USING 'b'",
    "identified by '@@'",
    "mysql -e \"CREATE USER x IDENTIFIED BY '@@'\"",
    "{\"sql\":\"CREATE USER x IDENTIFIED BY '@@'\"}",
    "{\"sql\":\"CREATE USER x IDENTIFIED BY \\\"@@\\\"\"}",
    // Rows.
    "INSERT INTO users (name, password) VALUES ('bob', '@@');",
    "insert into public.users(password, name) values('@@','bob'), ('@@', NULL)",
    "INSERT INTO `users` (`id`, `name`, `api_key`) VALUES (1, 'it''s (bob), 3', '@@');",
    "INSERT INTO \"users\" (\"at\", \"password\") VALUES (now(), '@@') RETURNING id",
    "REPLACE INTO users (client_secret) VALUES (\"@@\")",
    "{\"sql\":\"INSERT INTO users (name, password) VALUES ('bob', '@@')\"}",
    "db.execute(\"INSERT INTO users (name, password) VALUES ('bob', '@@')\")",
    "INSERT INTO users (name, password) VALUES (N'bob', N'@@'), (E'bob', U&'@@')",
    "INSERT INTO users (name, password) VALUES (_utf8'bob', _utf8mb4'@@');",
    "INSERT INTO users (name, password) VALUE ('bob', '@@')",
    "INSERT INTO users (name, password) OUTPUT inserted.id VALUES ('bob', '@@')",
    "INSERT INTO users (name, password) OVERRIDING SYSTEM VALUE VALUES ('bob', '@@')",
    "INSERT INTO users PARTITION (p0) (name, password) VALUES ('bob', '@@')",
    "INSERT INTO users (name, password) VALUES ('bob', MD5('@@'))",
    "INSERT INTO users (name, password, a) VALUES ('bob', SHA2('@@', 256), 'x')",
    "INSERT INTO users (name, password, a) VALUES ('bob', crypt('@@', gen_salt('bf')), 'x')",
    "{\"sql\":\"INSERT INTO users (name, password) VALUES (\\\"bob\\\", \\\"@@\\\")\"}",
    "db.exec('INSERT INTO users (name, password) VALUES (\\'bob\\', \\'@@\\')')",
    "x('GRANT ALL ON a TO b IDENTIFIED BY \\'@@\\'')",
];

const KEPT: &[&str] = &[
    "-- a row is identified by 'name'",
    "# The device that is identified by \"the serial\" of it",
    "each is identified by its number; they are identified by id2",
    "identified by the key of the table",
    "identified by uuid4 in the table",
    "CREATE USER x IDENTIFIED BY '${PASSWORD}'",
    "CREATE USER x IDENTIFIED BY '%s'",
    "CREATE USER x IDENTIFIED BY '{password}'",
    "CREATE USER x IDENTIFIED BY :password",
    "CREATE USER x IDENTIFIED BY ?",
    "CREATE USER x IDENTIFIED BY <password>",
    "f(\"CREATE USER x IDENTIFIED BY '\" + a1 + \"'\")",
    "f(\"CREATE USER x IDENTIFIED BY '\".a1.\"'\")",
    "f('CREATE USER x IDENTIFIED BY ' + a1 + ';')",
    "CREATE USER x IDENTIFIED EXTERNALLY",
    "the CREATE USER statement and its IDENTIFIED BY clause",
    "set password for the user = 4",
    "SET PASSWORD FOR bob = PASSWORD(?)",
    "unidentified by 'a1b2c3'",
    "INSERT INTO users (name, password) VALUES ('a1b2c3', $1)",
    "INSERT INTO users (name, password) VALUES ('a1b2c3', ?), ('a1b2c3', %s)",
    "INSERT INTO users (name, password) VALUES ('a1b2c3', :password)",
    "INSERT INTO users (name, password) VALUES ('a1b2c3', '${PASSWORD}')",
    "INSERT INTO users (name, password_id) VALUES ('a1b2c3', 'a1b2c3')",
    "INSERT INTO users (name, email) VALUES ('a1b2c3', 'password')",
    "INSERT INTO users (name, password) SELECT 'a1b2c3', 'a1b2c3'",
    "INSERT INTO users (name, reset_token) VALUES ('bob', 'pending')",
    "INSERT INTO users (name, password) VALUES ('bob', now())",
    "INSERT INTO users (name, password) VALUES ('bob', nextval('a1b2c3'))",
    "INSERT INTO users (name, password) VALUES (\\\"a1b2c3\\\", \\\"?\\\")",
    "INSERT INTO users PARTITION (p0) (name, email) VALUES ('a1b2c3', 'a1b2c3')",
    "we insert into the table (name, password) what values ('a1b2c3') it has",
];

#[test]
fn passwords_in_statements_are_masked() {
    for pattern in MASKED {
        for secret in ["h9cSUIajYDTG8B75", "tiger42x", "Hunter2xyz"] {
            let expected =
                pattern.replace("@@", "[REDACTED]").replace("*[", "[").replace("S:[", "[");
            let redacted = redact(&pattern.replace("@@", secret));
            assert_eq!(redacted, expected);
            assert_eq!(redact(&redacted), redacted);
        }
    }
    assert_eq!(
        redact("ALTER USER a IDENTIFIED BY tiger;"),
        "ALTER USER a IDENTIFIED BY [REDACTED];"
    );
    assert_eq!(
        redact("INSERT INTO a (n, reset_token) VALUES ('b', 'aB3dE5gH7jK9mN1p')"),
        "INSERT INTO a (n, reset_token) VALUES ('b', '[REDACTED]')"
    );
    assert_eq!(redact("identified by tiger42x"), "identified by [REDACTED]");
}

#[test]
fn a_pause_shows_no_row() {
    for pattern in MASKED.iter().filter(|pattern| pattern.contains("INSERT")) {
        pauses_show_nothing(&pattern.replace("@@", "tiger42x"));
    }
    pauses_show_nothing("INSERT INTO a (n, reset_token) VALUES ('b', 'aB3dE5gH7jK9mN1p')");
}

#[test]
fn what_only_sounds_like_a_statement_stays() {
    for text in KEPT {
        unchanged(text);
    }
}
