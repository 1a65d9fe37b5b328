//! Values that look like words, names, paths or code, in places where nothing of that sort can stand.

use crate::support::{redact, unchanged};

/// Each line with its secret between angles.
#[track_caller]
fn masked(lines: &[&str]) {
    let mut shown = Vec::new();
    for line in lines {
        let (before, rest) = line.split_once('«').expect("a secret in angles");
        let (secret, after) = rest.split_once('»').expect("a secret in angles");
        let text = format!("{before}{secret}{after}\n");
        let redacted = redact(&text);
        if redacted != format!("{before}[REDACTED]{after}\n") {
            shown.push(format!("{} => {}", text.trim_end(), redacted.trim_end()));
        }
    }
    assert!(shown.is_empty(), "{shown:#?}");
}

#[test]
fn a_password_is_one_whatever_it_looks_like() {
    masked(&[
        "mysqldump --password=«SUMMER» db",
        "tool --password=«BATTERYFOREST»",
        "tool --password=«LETMEIN»",
        "tool --password «LETMEIN»",
        "DB_PASSWORD=«MB/s»",
        "DB_PASSWORD=«a:2»",
        "DB_PASSWORD=«s/x/y/»",
        "DB_PASSWORD=«1*word»",
        "DB_PASSWORD=«%s%d»",
        "DB_PASSWORD=«~yKr9gz9ofu7nr»",
        "{\"password\":\"«MB/s»\"}",
        "{\"password\":\"«%s%d»\"}",
        "{\"password\":\"«/hunter2xyz9»\"}",
        "{\"password\":\"«env:hunter2xyz9»\"}",
        "{\"password\":\"«aa://hunter2xyz9»\"}",
        "{\"password\":\"«Correct horse battery staple»\"}",
        "DB_PASSWORD='«Summer Garden Dragon»'",
        "tool --password=\"«Summer Dragon»\" run",
        "{\"password\":\"«пароль123»\"}",
        "DB_PASSWORD=«enter-sandman-1991»",
        "{\"password\":\"«replace-42xY9»\"}",
        "{\"client_secret\":\"«your-aB3dEf6hIj-k9»\"}",
        "{\"password\":\"«^aB3dEf6hIj$»\"}",
        "DB_PASSWORD=«=aB3dEf6hIj»",
        "tool --password=«=aB3dEf6hIj» run",
        "Server=db;Password=«=aB3dEf6hIj»;Encrypt=1",
        "export PASSWORD=\"«aB3dEf6hIj»\" | tee log",
        "$password = \"«hunter2xyz»\" | ConvertTo-SecureString -AsPlainText -Force",
    ]);
}

#[test]
fn code_stands_in_no_address_header_or_element() {
    masked(&[
        "X-Api-Key: «copperHorse»",
        "X-Api-Key: «ESAOvNmSOFSwoxZp»",
        "X-Api-Key: «+x/B2mBxBhK9M»",
        "GET /x?access_token=«ORANGE_PEPPER»&a=1",
        "postgres://app:«[^xo3*txls[W]»@db/x",
        "postgres://app:«o'Brien42»@db/x",
        "Server=db;User Id=sa;Password=«blue.horse.staple»;Encrypt=1",
        "Server=db;User Id=sa;Password=«river(123)»;Encrypt=1",
        "<password>«tiger.orange.river»</password>",
        "password: «tiger[42]»",
        "password: «kQx(9vLp!2mZr»",
        "spring.datasource.password=«purple.monkey.dishwasher»",
        "app.mail-password=«purple.monkey.dishwasher»",
    ]);
}

#[test]
fn noise_is_no_name_no_word_and_no_path() {
    masked(&[
        "client_secret: «PepperGardenBridge»",
        "password: «PepperGarden»",
        "if (apiToken === \"«kacymflb»\") {",
        "tool --token «qHdLHygpjobf» run",
        "tool --api-key «qHdLHygpjobf» run",
        "tool --secret «qHdLHygpjobf» run",
        "SECRET_KEY=«/MgRefXU50C6B5/El2MgtikT/z7OG717Q8oZQX3x»",
        "API_KEY=\"«/MgRefXU50C6B5/El2MgtikT/z7OG717Q8oZQX3x»\"",
    ]);
}

#[test]
fn both_values_of_a_change_are_masked() {
    assert_eq!(
        redact("  ~ password      = \"aB3dEf6hIj\" -> \"zY9xWv8uT\"\n"),
        "  ~ password      = \"[REDACTED]\" -> \"[REDACTED]\"\n"
    );
    masked(&[
        "  ~ secret_string = (sensitive value) -> \"«zY9xWv8uT»\"",
        "  ~ password = null -> \"«zY9xWv8uT»\"",
    ]);
    unchanged("  ~ password = (sensitive value) -> (known after apply)");
    unchanged("  + password = (sensitive value)");
}

#[test]
fn what_stands_for_a_secret_stays() {
    for line in [
        "tool --password=PASSWORD run",
        "tool --password=YOUR_PASSWORD",
        "tool --password STRING",
        "tool --token=TOKEN",
        "use --password instead of it",
        "docker build --secret id=npmrc,src=.npmrc .",
        "{\"password\":\"Enter your password\"}",
        "{\"password\":\"Your new password\"}",
        "{\"errors\":{\"password\":\"is too short\"}}",
        "{\"password\":\"Mot de passe\"}",
        "password: \"text\" | \"password\";",
        "token: \"one\" | null,",
        "token: \"one\" | SomeType;",
        "if (TOKEN==IDENT) return;",
        "    srcToken?: FlowScalar & {",
        "if PASSWORD==x:",
        "apiKey: process.env.API_KEY!,",
        "password = $1",
        "last_password_change=1767225600",
        "cmd.Env = append(env, \"PWD=\"+dir)",
        "password = auth[2]",
        "{\"password\":\"^[a-z]+$\"}",
        "{\"password\":\"your-password-1\"}",
        "--token parameter expected here",
        "DB_PASSWORD=/run/secrets/db_password",
        "DB_PASSWORD=${OTHER}",
        "{\"password\":\"{user}:{pass}\"}",
        "{\"password\":\"env:DB_PASSWORD\"}",
        "{\"password\":\"vault://kv/data/app#pw2\"}",
        "X-Api-Key: ${KEY}",
        "GET /x?access_token=ACCESS_TOKEN&a=1",
        "GET /x?access_token=YOUR_ACCESS_TOKEN",
        "postgres://app:[^@]+@db",
        "http.get('http://a:b'+c+'@host')",
        "<password>${db.password}</password>",
        "password: passwords[0]",
        "token: messageId",
        "progressToken: messageId",
        "client_secret: clientSecretValue",
        "if (token === \"else\") {",
        "if (token.type === \"identifier\" || token === \"whitespace\") {",
        "$password =~ /x2y/",
        "if ($password=~m/^a9$/)",
        "SECRET_KEY=/usr/local/lib/python3.11/site-packages",
        "SECRET_KEY=/home/jDoe2/projects/fooBar2/keys",
    ] {
        unchanged(line);
    }
}
