//! Texts to measure on, the same in every run.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Endings of files that count as source.
const SOURCE: [&str; 4] = ["rs", "js", "ts", "mjs"];

/// Longest file taken; longer ones are generated.
const FILE_BYTES: usize = 512 << 10;

/// Lines between two secrets in a log.
const SECRET_EVERY: usize = 1_100;

/// Numbers in a fixed disorder.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 32)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap_or(0) % limit
    }

    fn pick<'p>(&mut self, from: &[&'p str]) -> &'p str {
        from[self.below(from.len())]
    }

    pub(crate) fn letter(&mut self) -> char {
        char::from(b'a' + u8::try_from(self.below(26)).unwrap_or(0))
    }

    fn hex(&mut self, digits: usize) -> String {
        (0..digits).map(|_| char::from(b"0123456789abcdef"[self.below(16)])).collect()
    }

    fn token(&mut self, length: usize) -> String {
        let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        (0..length).map(|_| char::from(letters[self.below(letters.len())])).collect()
    }
}

const LEVELS: &[&str] = &["DEBUG", "INFO", "INFO", "INFO", "WARN", "ERROR"];
const MODULES: &[&str] = &[
    "http.server",
    "db::pool",
    "scheduler",
    "cache",
    "auth.middleware",
    "billing",
    "k8s.watch",
    "storage::s3",
    "queue",
];
const PATHS: &[&str] = &[
    "/api/v1/items",
    "/api/v1/users/me",
    "/health",
    "/static/js/main.8f3c1b.js",
    "/var/lib/app/data.db",
    "/usr/local/lib/node_modules/npm/lib/cli.js",
    "src/components/Button.tsx",
    "crates/core/src/lib.rs",
    "./target/debug/build/openssl-sys",
    "C:\\Users\\dev\\AppData\\Local",
];
const MESSAGES: &[&str] = &[
    "request finished",
    "cache miss, reading from the second level",
    "connection reused",
    "row written",
    "retry scheduled after a timeout of the upstream",
    "token refreshed for session",
    "user authenticated",
    "pulling image layer",
    "compiling module graph",
    "lock acquired by another process, waiting",
    "key not found in cache",
    "Author: someone",
    "passing build to the next stage",
    "no such file or directory",
    "deprecated package, see https://example.org/docs/upgrade for help",
    "signature verified",
];
const PACKAGES: &[&str] = &[
    "serde",
    "tokio",
    "regex-automata",
    "left-pad",
    "typescript",
    "libssl3",
    "python3-pip",
    "lodash",
    "react-dom",
];

/// Writes lines of servers, builds, tests and JSON, at least `bytes` of them.
pub(crate) fn log(bytes: usize, output: &mut impl Write) -> io::Result<()> {
    let mut numbers = Numbers::new(1);
    let mut written = 0;
    let mut count = 0;
    let mut buffer = String::new();
    while written < bytes {
        buffer.clear();
        while buffer.len() < 1 << 16 {
            count += 1;
            if count % SECRET_EVERY == 0 {
                secret(&mut numbers, &mut buffer);
            } else {
                line(&mut numbers, count, &mut buffer);
            }
        }
        output.write_all(buffer.as_bytes())?;
        written += buffer.len();
    }
    Ok(())
}

fn line(numbers: &mut Numbers, count: usize, buffer: &mut String) {
    let (hour, minute, second, milli) =
        (numbers.below(24), numbers.below(60), numbers.below(60), numbers.below(1000));
    let stamp = format!("2026-03-14T{hour:02}:{minute:02}:{second:02}.{milli:03}Z");
    let (level, module, message) =
        (numbers.pick(LEVELS), numbers.pick(MODULES), numbers.pick(MESSAGES));
    let (path, time) = (numbers.pick(PATHS), numbers.below(9_000));
    let line = match numbers.below(12) {
        0..=3 => format!(
            "{stamp} {level:5} [{module}] {message} method=GET path={path} status=200 duration_ms={time} n={count}"
        ),
        4 | 5 => format!(
            "{{\"ts\":\"{stamp}\",\"level\":\"{}\",\"logger\":\"{module}\",\"msg\":\"{message}\",\"trace_id\":\"{}\",\"span\":{time},\"path\":\"{path}\"}}",
            level.to_lowercase(),
            numbers.hex(32),
        ),
        6 => format!(
            "   Compiling {} v1.{}.{}",
            numbers.pick(PACKAGES),
            numbers.below(90),
            numbers.below(20)
        ),
        7 => format!("\x1b[32m✓\x1b[0m {path} > {message} \x1b[2m({time} ms)\x1b[0m"),
        8 => format!(
            "[{:3}%] {} {}/{} MB eta 0:{second:02}\r",
            time % 100,
            "#".repeat(time % 40),
            time,
            9000
        ),
        9 => format!(
            "10.0.{minute}.{second} - - [14/Mar/2026:{hour:02}:{minute:02}:{second:02} +0000] \"GET {path}?page={} HTTP/1.1\" 200 {time} \"https://example.org/\" \"Mozilla/5.0 (X11; Linux x86_64)\"",
            numbers.below(99)
        ),
        10 => format!(
            "commit {} {message} -- {path}:{}:{}",
            numbers.hex(40),
            numbers.below(900),
            numbers.below(80)
        ),
        _ => format!(
            "    at Object.{module} ({path}:{}:{}) {message}",
            numbers.below(900),
            numbers.below(80)
        ),
    };
    buffer.push_str(&line);
    buffer.push('\n');
}

fn secret(numbers: &mut Numbers, buffer: &mut String) {
    let line = match numbers.below(6) {
        0 => format!("export DB_PASSWORD={}", numbers.token(16)),
        1 => format!("remote: using {}{} for fetch", "ghp_", numbers.token(36)),
        2 => format!("Authorization: Bearer {}", numbers.token(40)),
        3 => format!("{{\"api_key\": \"{}\", \"region\": \"eu\"}}", numbers.token(32)),
        4 => format!("postgres://app:{}@db.internal:5432/app", numbers.token(14)),
        _ => format!("curl -u admin:{} https://example.org/api", numbers.token(12)),
    };
    buffer.push_str(&line);
    buffer.push('\n');
}

/// Writes source files of the folders, at least `bytes` of them if there are as many, in an order that only their paths
/// decide.
pub(crate) fn source(bytes: usize, folders: &[&str], output: &mut impl Write) -> io::Result<()> {
    let mut files = Vec::new();
    for folder in folders {
        collect(Path::new(folder), &mut files)?;
    }
    files.sort();
    let mut numbers = Numbers::new(2);
    for last in (1..files.len()).rev() {
        files.swap(last, numbers.below(last + 1));
    }
    let mut written = 0;
    for file in files {
        let text = fs::read(file)?;
        if text.len() > FILE_BYTES {
            continue;
        }
        output.write_all(&text)?;
        written += text.len();
        if written >= bytes {
            break;
        }
    }
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() {
            collect(&path, files)?;
        } else if kind.is_file()
            && path.extension().is_some_and(|ending| SOURCE.iter().any(|known| ending == *known))
        {
            files.push(path);
        }
    }
    Ok(())
}
