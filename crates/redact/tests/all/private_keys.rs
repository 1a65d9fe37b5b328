//! Private key blocks in the places where they turn up.

use crate::support::{hex, letters, pauses_show_nothing, redact, redact_with, unchanged};

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

/// How a line of a block is written: what stands before the marker and before the others, and behind the marker and them.
const WRITINGS: &[[&str; 4]] = &[
    ["KEY = b\"", "      b\"", "\\n\" \\", "\\n\" \\"],
    ["key = f\"", "  f\"", "\\n\"", "\\n\""],
    ["k = \"", "  \"", "\" & vbCrLf & _", "\" & vbCrLf & _"],
    ["$k = '", "  '", "' . PHP_EOL .", "' . PHP_EOL ."],
    ["k = \"", "  \"", "\" + System.lineSeparator() +", "\" + System.lineSeparator() +"],
    ["k = '", "  '", "' || chr(10) ||", "' || chr(10) ||"],
    ["const k = [ '", "  '", "', // start", "',"],
    ["echo \"", "echo \"", "\" > k", "\" >> k"],
    ["{\"log\":\"", "{\"log\":\"", "\\n\",\"stream\":\"stdout\"}", "\\n\",\"stream\":\"stdout\"}"],
    ["<p>", "<p>", "</p>", "</p>"],
    ["", "", "<br>", "<br>"],
];

#[test]
fn literals_with_more_behind_them() {
    let (full, last) = (letters(64), letters(20));
    for [first, before, opened, after] in WRITINGS {
        let write = |at: usize, text: &str| {
            if at == 0 { [first, text, opened].concat() } else { [before, text, after].concat() }
        };
        let text = block(&[&full, &full, &last], write);
        becomes(&text, &text.replace(&full, "[REDACTED]").replace(&last, "[REDACTED]"));
    }
    // The body begins with the marker's literal, and what follows a literal is text.
    let begin = begin("RSA ");
    let joined = format!("x = \"{begin}\\n{}\" +\n  \"@@\" +\n  \"@@\";\n\"Next\"\n", letters(30));
    let expected = joined.replace(&format!("\\n{}", letters(30)), "[REDACTED]");
    becomes(&joined.replace("@@", &full), &expected.replace("@@", "[REDACTED]"));
    let text = format!("f(\"{begin}\", password=\"@@\")\n\"{full}\", password=\"@@\"\n");
    let expected = text.replace(&full, "[REDACTED]");
    becomes(&text.replace("@@", "x1y2z3"), &expected.replace("@@", "[REDACTED]"));
}

/// As a terminal or a difference colours each line.
#[test]
fn colours_around_each_line() {
    let (full, last) = (letters(64), letters(20));
    for (before, after) in [
        ("\u{1b}[32m", "\u{1b}[0m"),
        ("\u{1b}[32m+\u{1b}[m\u{1b}[32m", "\u{1b}[m"),
        ("\u{1b}[31m-", "\u{1b}[m"),
        ("", " \u{1b}[K"),
        ("\u{1b}[36mweb-1 |\u{1b}[0m ", "\u{1b}[0m"),
    ] {
        let write = |_: usize, text: &str| [before, text, after].concat();
        let text = block(&[&full, &full, &last], write);
        let shown = redact(&text);
        assert!(!shown.contains(&full) && !shown.contains(&last), "{shown}");
        assert_eq!(shown.lines().count(), 3, "{shown}");
        becomes(&text, &shown);
    }
}

/// As YAML folds a text with line breaks.
#[test]
fn lines_with_empty_ones_between() {
    let (begin, end, full, last) = (begin("RSA "), end("RSA "), letters(64), letters(20));
    for quote in ["'", "\""] {
        let text = [&begin, &full, &full, &last, &end].map(String::as_str).join("\n\n  ");
        let text = format!("key: {quote}{text}\n\n  {quote}\nnext: 1\n");
        let shown =
            format!("key: {quote}{begin}\n\n  [REDACTED]\n\n\n\n  {end}\n\n  {quote}\nnext: 1\n");
        becomes(&text, &shown);
    }
    let text = format!(
        "key: \"{begin}\\n{full}\\n\\\n  {full}\\n{full}\\n\\\n  {last}\\n\\\n  {end}\\n\"\n"
    );
    let shown = redact(&text);
    assert!(!shown.contains(&full) && !shown.contains(&last), "{shown}");
    // Without an end nothing but base64 follows an empty line.
    let text = format!("{begin}\n\n{full}\n\nShutdown\n");
    becomes(&text, &format!("{begin}\n\n[REDACTED]\n\nShutdown\n"));
}

/// In attributes and bodies of forms.
#[test]
fn encoded_line_breaks() {
    for (gap, sign) in [("&#10;", "+"), ("&#xA;", "/"), ("%0A", "%2B"), ("%0D%0A", "%2f")] {
        for blank in [" ", "%20", "+"] {
            let (begin, end) = (begin("RSA ").replace(' ', blank), end("RSA ").replace(' ', blank));
            let line = letters(30) + sign + &letters(33);
            let text = format!("k=\"{begin}{gap}{line}{gap}{line}{gap}{end}\" x\n");
            becomes(&text, &format!("k=\"{begin}[REDACTED]{end}\" x\n"));
        }
    }
    let text = format!(
        "x {}{}",
        begin("").replace(' ', "%20"),
        format!("%0A{}", letters(64)).repeat(3000)
    );
    assert_eq!(redact(&text), format!("x {}[REDACTED]", begin("").replace(' ', "%20")));
}

/// A key that is cut takes no line with it that is no base64.
#[test]
fn a_block_without_an_end_takes_no_words() {
    let (begin, full) = (begin("RSA "), letters(64));
    for word in [
        "Shutdown",
        "Listening",
        "OK",
        "usr/local/lib",
        "my-service",
        "ListenAndServe",
        "a=b",
        "200",
    ] {
        let text = format!("svc | {begin}\nsvc | {full}\nsvc | {word}\nsvc | Next\n");
        becomes(&text, &text.replace(&full, "[REDACTED]"));
    }
    let text = format!("svc | {begin}\nsvc | {full}\nsvc | password=@@\n");
    becomes(
        &text.replace("@@", "tiger9x"),
        &text.replace("@@", "[REDACTED]").replace(&full, "[REDACTED]"),
    );
    let text = format!("k = \"{begin}\\n\" +\n \"{full}\";\n \"{}\"\n", letters(20));
    becomes(&text, &text.replace(&full, "[REDACTED]"));
    // Short lines behind a prefix begin as keys do.
    let short = format!("MIIE{}", letters(28));
    let text = format!("svc | {begin}\nsvc | {short}\nsvc | {short}\n");
    becomes(&text, &format!("svc | {begin}\nsvc | [REDACTED]\n"));
}

/// Base64 that looks like words is part of the key all the same.
#[test]
fn a_short_last_line_is_masked() {
    let (begin, end, full) = (begin("RSA "), end("RSA "), letters(64));
    for last in ["abcd", "Abcd", "TEST", "2048", "ab12Cdef", "USRlocal", "SHUTdown2048", "Ab=="] {
        for tail in [format!("\n{end}\n"), "\n".to_owned(), String::new()] {
            let text = format!("{begin}\n{full}\n{last}{tail}");
            assert!(!redact(&text).contains(last), "{text}");
        }
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
        format!("markers = [\"{begin}\",\n \"DEK-Info: x\"\n]\n"),
        format!("markers = [\"{begin}\",\n \"MD5WithRSAEncryption\"\n]\n"),
        format!("<code>{begin}</code>\n<p>MIMETypeIs2</p>\n"),
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
            String::from_utf8(crate::support::stream(&redactor, &pieces)).unwrap(),
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
        String::from_utf8(crate::support::stream(&redactor, &[text.as_bytes()])).unwrap(),
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
