//! Private key blocks in the places where they turn up.

mod support;

use support::{hex, letters, pauses_show_nothing, redact, redact_with, unchanged};

/// The markers, built from pieces.
fn begin(kind: &str) -> String {
    format!("-----BEGIN {kind}{} KEY-----", "PRIVATE")
}

fn end(kind: &str) -> String {
    format!("-----END {kind}{} KEY-----", "PRIVATE")
}

/// A body of full lines and a shorter last one, each line after `prefix`.
fn body(lines: usize, prefix: &str) -> String {
    let line = format!("{prefix}{}\n", letters(64));
    line.repeat(lines) + &format!("{prefix}{}==\n", letters(30))
}

#[test]
fn a_block_becomes_one_mask() {
    for kind in ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "] {
        let (begin, end) = (begin(kind), end(kind));
        let block = format!("before\n{begin}\n{}{end}\nafter\n", body(20, ""));
        assert_eq!(redact(&block), format!("before\n{begin}\n[REDACTED]\n{end}\nafter\n"));
    }
}

#[test]
fn no_end_is_needed() {
    let begin = begin("RSA ");
    let cut = format!("{begin}\n{}", body(3, ""));
    assert_eq!(redact(&cut), format!("{begin}\n[REDACTED]\n"));
    assert_eq!(
        redact(&format!("{cut}$ ls -l\ntotal 0\n")),
        format!("{begin}\n[REDACTED]\n$ ls -l\ntotal 0\n")
    );
    // The last line of the body is shorter than the others: what follows it is not part of it.
    assert_eq!(redact(&format!("{cut}done\n")), format!("{begin}\n[REDACTED]\ndone\n"));
    let middle = format!("{begin}\n{}\n{}", letters(64), letters(20));
    assert_eq!(redact(&middle), format!("{begin}\n[REDACTED]\n"));
}

#[test]
fn headers_belong_to_the_body() {
    let (begin, end) = (begin("RSA "), end("RSA "));
    let block = format!(
        "{begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n{}{end}\n",
        body(4, "")
    );
    assert_eq!(redact(&block), format!("{begin}\n[REDACTED]\n{end}\n"));
}

#[test]
fn indented_quoted_and_commented_blocks() {
    for prefix in ["    ", "\t", "> ", "# ", " * ", "| "] {
        let (begin, end) = (begin("EC "), end("EC "));
        let block = format!("key: |\n{prefix}{begin}\n{}{prefix}{end}\nnext: 1\n", body(3, prefix));
        let expected =
            format!("key: |\n{prefix}{begin}\n{prefix}[REDACTED]\n{prefix}{end}\nnext: 1\n");
        assert_eq!(redact(&block), expected, "{prefix:?}");
    }
}

/// What is written before each line, of which there are seven: `%` counts them from 8 on.
const PREFIXES: &[&str] = &[
    "web_1  | ",
    "[web] ",
    "[pod/x/app] ",
    "2026-05-01T10:00:%.2%Z ",
    "10:00:% ",
    "build\tDeploy\t2026-05-01T10:00:00.%Z ",
    "#12 0.% ",
    "id_rsa:%:",
    "   %\t",
    "% | ",
    "// ",
    "//",
    "+",
    "remote: ",
    "stdout: ",
    "│ ",
    "May  1 10:00:% host app[12]: ",
    "INFO  [main] c.e.App - ",
    "\u{1b}[33mweb_1  |\u{1b}[0m ",
];

/// The lines of a block, each as `line` writes it.
fn block(lines: &[&str], line: impl Fn(usize, &str) -> String) -> String {
    let (begin, end) = (begin("RSA "), end("RSA "));
    let lines = [&[begin.as_str()], lines, &[end.as_str()]].concat();
    lines.iter().enumerate().map(|(at, text)| line(at, text) + "\n").collect()
}

/// Redacted once and again, and with a pause anywhere, `text` becomes `expected`.
#[track_caller]
fn becomes(text: &str, expected: &str) {
    assert_eq!(redact(text), expected);
    assert_eq!(redact(expected), expected);
    pauses_show_nothing(text);
}

#[test]
fn behind_what_a_log_or_a_pager_writes_before_each_line() {
    let (full, last) = (letters(64), format!("{}==", &letters(60)[32..]));
    for prefix in PREFIXES {
        let write = |at: usize, text: &str| prefix.replace('%', &(at + 8).to_string()) + text;
        let text = block(&[&full, &full, &full, &last], write);
        let kept: Vec<_> = text.lines().map(|line| line.replace(&full, "[REDACTED]")).collect();
        let expected = format!("{}\n{}\n{}\nafter\n", kept[0], kept[1], kept[5]);
        becomes(&(text.clone() + "after\n"), &expected);
        // No end is needed.
        let cut = text.split_inclusive('\n').take(4).collect::<String>();
        becomes(&cut, &format!("{}\n{}\n", kept[0], kept[1]));
    }
    let headers = block(&["Proc-Type: 4,ENCRYPTED", "", &full, &last], |at, text| {
        format!("web_{at}  | {text}").trim_end().to_owned()
    });
    becomes(
        &headers,
        &block(&["[REDACTED]"], |at, text| format!("web_{}  | {text}", [0, 1, 5][at])),
    );
    // A search with context, and a prefix with a secret in it.
    let found = |at: usize, text: &str| {
        if at == 0 { format!("k:1:{text}") } else { format!("k-{at}-{text}") }
    };
    assert_eq!(redact(&block(&[&full], found)), block(&["[REDACTED]"], found));
    let secret = block(&[&full], |_, text| format!("password={} | {text}", letters(9)));
    becomes(&secret, &secret.replace(&full, "[REDACTED]").replace(&letters(9), "[REDACTED]"));
}

#[test]
fn literals_of_one_line_each() {
    let (full, last) = (letters(64), letters(20));
    for (first, before, after) in [
        ("const key = \"", "    \"", "\\n\" +"),
        ("key = \"", "    + \"", "\\n\""),
        ("$key = '", "    . '", "'"),
        ("key = (\"", "    \"", "\\n\""),
        ("key = \"", "", "\\n\\"),
        ("key = '", "'", "\\n' .."),
        ("buffer.append(\"", "buffer.append(\"", "\\n\");"),
        ("[\"", " \"", "\","),
        ("  \"1\": \"", "  \"2\": \"", "\","),
        ("{\"log\":\"", "{\"log\":\"", "\\n\"}"),
    ] {
        let write =
            |at: usize, text: &str| [if at == 0 { first } else { before }, text, after].concat();
        let text = block(&[&full, &full, &last], write);
        becomes(&text, &text.replace(&full, "[REDACTED]").replace(&last, "[REDACTED]"));
    }
}

#[test]
fn a_prefix_takes_no_text_with_it() {
    let (begin, end) = (begin("RSA "), end("RSA "));
    for text in [
        format!("// {begin}\n// base64\n// {end}\n"),
        format!("// `{begin}` begins it.\n// NextLineIsLong\n"),
        format!("10:00:01 expected {begin}\n10:00:02 expected {}\n", hex(64)),
        format!("web_1  | {begin}\nweb_1  | usr/local/share/Extra2/certificates/x\n"),
        format!("web_1  | {begin}\ndb_1  | {}\n", letters(64)),
        format!("START = \"{begin}\"\nEND = \"{end}\"\n"),
        format!("    \"{begin}\",\n    \"BeginCertificateRequest2\",\n    \"{end}\",\n"),
        format!("[\"{begin}\",\n\"Comment: a\", {{\"b\": [\n"),
        format!("if (line == \"{begin}\")\n    parsePrivateKey2(line)\n"),
    ] {
        becomes(&text, &text);
    }
}

#[test]
fn a_block_on_one_line() {
    let (begin, end) = (begin("RSA "), end("RSA "));
    let body = body(3, "").replace('\n', "\\n");
    let document = format!("{{\"pem\": \"{begin}\\n{body}{end}\\n\", \"a\": 1}}\n");
    assert_eq!(
        redact(&document),
        format!("{{\"pem\": \"{begin}[REDACTED]{end}\\n\", \"a\": 1}}\n")
    );
    let cut = format!("{{\"pem\": \"{begin}\\n{body}\", \"a\": 1}}\n");
    assert_eq!(redact(&cut), format!("{{\"pem\": \"{begin}[REDACTED]\", \"a\": 1}}\n"));
    let lines = format!("pem = '{begin} {} {end}'\n", letters(200));
    assert_eq!(redact(&lines), format!("pem = '{begin}[REDACTED]{end}'\n"));
}

#[test]
fn a_long_body_on_one_line_takes_no_memory_and_every_split_is_the_same() {
    let begin = begin("");
    let text = format!("x {begin}\\n{}\" rest password=hunter2\nnext\n", letters(300_000));
    let expected = format!("x {begin}[REDACTED]\" rest password=[REDACTED]\nnext\n");
    assert_eq!(redact(&text), expected);
    let redactor = handrail_redact::Redactor::new(handrail_redact::Options::default()).unwrap();
    for size in [1_000, 4_096, 65_535, 65_536, 65_537] {
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
        assert_eq!(
            String::from_utf8(support::stream(&redactor, &pieces)).unwrap(),
            expected,
            "{size}"
        );
    }
}

#[test]
fn prose_about_keys_and_public_blocks_stay() {
    unchanged(&format!("It begins with {} and so on.\nThen the text goes on.\n", begin("RSA ")));
    unchanged(&format!("{}\nThis is a document.\n", begin("")));
    unchanged(&format!("-----BEGIN CERTIFICATE-----\n{}-----END CERTIFICATE-----\n", body(3, "")));
    unchanged(&format!("-----BEGIN PUBLIC KEY-----\n{}-----END PUBLIC KEY-----\n", body(3, "")));
    unchanged(&format!("{}\n{}\n", end("RSA "), letters(64)));
}

#[test]
fn redacting_twice_changes_nothing() {
    let label = handrail_redact::Options { label: true, ..handrail_redact::Options::default() };
    let label = handrail_redact::Redactor::new(label).unwrap();
    let (begin, end) = (begin("RSA "), end("RSA "));
    for text in [
        format!("{begin}\n{}{end}\nafter\n", body(5, "  ")),
        format!("{begin}\\n{}\\n{end}\"\n", letters(100)),
        format!("{begin}\n{}", body(2, "")),
        format!("{begin}\nProc-Type: 4,ENCRYPTED\n\n{}{end}\n", body(2, "")),
    ] {
        let once = redact(&text);
        assert_eq!(redact(&once), once);
        let once = redact_with(&label, &text);
        assert!(once.contains("[REDACTED:private-key]"));
        assert_eq!(redact_with(&label, &once), once);
    }
}

/// What follows the mask of an earlier pass is text, for a stream as for the whole.
#[test]
fn a_mask_stands_for_the_whole_body() {
    let redactor = handrail_redact::Redactor::new(handrail_redact::Options::default()).unwrap();
    let text = format!("{}\n[REDACTED]\n{}\npassword=abc\n", begin("RSA "), letters(64));
    let expected = text.replace("abc", "[REDACTED]");
    assert_eq!(redact(&text), expected);
    assert_eq!(
        String::from_utf8(support::stream(&redactor, &[text.as_bytes()])).unwrap(),
        expected
    );
}

#[test]
fn keys_of_putty() {
    let file = |body: &str| {
        format!(
            "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPublic-Lines: 1\nAAAAB3NzaC1yc2E=\nPrivate-Lines: 3\n{body}\nPrivate-MAC: 3f9a\nnext\n"
        )
    };
    let body = format!("{}\n{}\n{}", letters(64), letters(64), letters(20));
    assert_eq!(redact(&file(&body)), file("[REDACTED]"));
    assert_eq!(redact(&file("[REDACTED]")), file("[REDACTED]"));
    let joined = format!("\"Private-Lines: 1\\n{}\\nPrivate-MAC: 3f\"", letters(64));
    assert!(!redact(&joined).contains(&letters(16)));
    unchanged("Private-Lines: 1\nshort\n");
    unchanged("Private-Lines: many\n");
}
