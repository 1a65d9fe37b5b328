//! Private keys: whatever their lines look like, and whatever stands before and behind them.

use handrail_redact::{Options, Redactor};

use crate::support::{hex, letters, pauses_show_nothing, redact, redact_with, stream, unchanged};

fn begin(kind: &str) -> String {
    format!("-----BEGIN {kind}{} KEY-----", "PRIVATE")
}

fn end(kind: &str) -> String {
    format!("-----END {kind}{} KEY-----", "PRIVATE")
}

/// How lines are written: the first, the others, and the last; `@` is the line, `%` its number from 8 on.
/// All get one mask, or each its own.
const WRITINGS: &[(&str, [&str; 3], bool)] = &[
    ("plain", ["@"; 3], false),
    ("indented", ["    @"; 3], false),
    ("quoted", ["> @"; 3], false),
    ("comment", ["# @"; 3], false),
    ("comment without a blank", ["//@"; 3], false),
    ("patch, added", ["+@"; 3], false),
    ("patch, removed", ["-@"; 3], false),
    ("windows", ["@\r"; 3], false),
    ("blanks behind", ["@  "; 3], false),
    ("service", ["web_1  | @"; 3], false),
    ("time", ["2026-05-01T10:00:%.2%Z worker-%f: @"; 3], false),
    ("syslog", ["May  1 10:00:% host app[12]: @"; 3], false),
    ("numbers", ["   %\t@"; 3], false),
    ("search", ["id_rsa:%:@"; 3], false),
    ("box", ["│ @"; 3], false),
    ("colour", ["\u{1b}[33m@\u{1b}[0m"; 3], false),
    ("patch, coloured", ["\u{1b}[32m+\u{1b}[m\u{1b}[32m@\u{1b}[m"; 3], false),
    ("below its name", ["key: \"@", "  @", "  @"], false),
    ("text before", ["cannot read @", "@", "@"], false),
    ("joined", ["k = \"@\\n\" +", "    \"@\\n\" +", "    \"@\\n\";"], true),
    ("adjacent", ["k = b\"@\\n\" \\", "      b\"@\\n\" \\", "      b\"@\\n\""], true),
    ("list", ["[\"@\",", " \"@\",", " \"@\"]"], true),
    ("calls", ["b.append(\"@\\n\");"; 3], true),
    ("shell", ["echo \"@\" >> k"; 3], true),
    ("json log", ["{\"log\":\"@\\n\",\"stream\":\"stdout\"}"; 3], true),
    ("breaks", ["@<br>"; 3], true),
    ("table", ["| @ |"; 3], true),
    ("continued", ["@\\"; 3], true),
];

fn write(writing: &[&str; 3], lines: &[String]) -> String {
    let line = |(at, line): (usize, &String)| {
        let place = if at == 0 { 0 } else { 1 + usize::from(at + 1 == lines.len()) };
        writing[place].replace('%', &(at + 8).to_string()).replace('@', line) + "\n"
    };
    lines.iter().enumerate().map(line).collect()
}

/// The body of a key as lines of these lengths by turns.
fn body(widths: &[usize]) -> Vec<String> {
    let text = format!("MIIE{}==", letters(300).replace('P', "+"));
    let mut lines = Vec::new();
    let mut rest = text.as_str();
    for width in widths.iter().cycle() {
        let (line, more) = rest.split_at(rest.len().min(*width));
        lines.push(line.to_owned());
        rest = more;
        if rest.is_empty() {
            return lines;
        }
    }
    unreachable!()
}

const WIDTHS: &[&[usize]] = &[
    &[64],
    &[20],
    &[40],
    &[40, 24],
    &[50, 14],
    &[60, 4],
    &[63, 1],
    &[60, 10],
    &[30, 100],
    &[50, 64, 64],
    &[64, 64, 20],
    &[400],
];

#[test]
fn lines_of_any_length_are_masked_in_any_writing() {
    let mask = "[REDACTED]".to_owned();
    for (name, writing, own) in WRITINGS {
        for widths in WIDTHS {
            let lines = body(widths);
            let whole = [vec![begin("RSA ")], lines.clone(), vec![end("RSA ")]].concat();
            let text = write(writing, &whole) + "after\n";
            let shown = redact(&text);
            let written = write(writing, &whole);
            let kept: Vec<_> = written.lines().collect();
            if *own {
                let masks =
                    [vec![begin("RSA ")], vec![mask.clone(); lines.len()], vec![end("RSA ")]];
                assert_eq!(shown, write(writing, &masks.concat()) + "after\n", "{name} {widths:?}");
            } else {
                let first = kept[1].replace(&lines[0], &mask);
                let first = first.trim_end().trim_end_matches("\u{1b}[0m");
                assert!(shown.lines().nth(1).unwrap().starts_with(first), "{name}\n{shown}");
                assert_eq!(shown.lines().count(), 4, "{name} {widths:?}\n{shown}");
            }
            assert!(shown.ends_with("after\n"), "{name} {widths:?}\n{shown}");
            assert_eq!(redact(&shown), shown, "{name} {widths:?}");
            // No end is needed.
            let cut: String = text.split_inclusive('\n').take(lines.len()).collect();
            let shown = redact(&cut);
            assert!(lines.iter().all(|line| line.len() < 8 || !shown.contains(line)), "{shown}");
        }
    }
}

/// What is written, what it becomes (nothing: it stays) and why. `«`, `»`, `‹` and `›` are markers, `@` is a line of a body.
const TABLE: &[(&str, &str, &str)] = &[
    ("«\nProc-Type: 4,ENCRYPTED\n\n@\n»\n", "«\nProc-Type: 4,ENCRYPTED\n\n#\n»\n", "headers stay"),
    (
        "a | «\na | DEK-Info: x\na |\na | @\na | »\n",
        "a | «\na | DEK-Info: x\na |\na | #\na | »\n",
        "prefix",
    ),
    ("«\n@\n\n\n@\n»\n", "«\n#\n\n\n»\n", "empty lines between"),
    ("{\"k\": \"«\\n@\\n@\\n»\\n\", \"a\": 1}\n", "{\"k\": \"«#»\\n\", \"a\": 1}\n", "one line"),
    ("{\"k\": \"« \\n@ \\n@ \\n» \\n\"}\n", "{\"k\": \"«#» \\n\"}\n", "blanks before breaks"),
    (
        "{\"k\": \"«\\n@\\n@\", \"a\": 1}\n",
        "{\"k\": \"«#\", \"a\": 1}\n",
        "one line without an end",
    ),
    (
        "\"{\\\"k\\\":\\\"«\\\\n@\\\"}\"\n",
        "\"{\\\"k\\\":\\\"«#\\\"}\"\n",
        "the backslash of a quote stays",
    ),
    ("k='« @ @ »'\n", "k='«#»'\n", "blanks for breaks"),
    ("k=«%0A@%0D%0A@%2B»&a=1\n", "k=«#»&a=1\n", "percent-encoded"),
    ("<k v=\"«&#10;@&#xA;»\"/>\n", "<k v=\"«#»\"/>\n", "entities"),
    ("[\"«\", \"@\", \"x7Kq\", \"»\"]\n", "[\"«\", \"#\", \"#\", \"»\"]\n", "a list on one line"),
    ("«\n@\n$ ls -l\ntotal 0\n", "«\n#\n$ ls -l\ntotal 0\n", "text ends it"),
    ("«\n@==\ndone\n", "«\n#\ndone\n", "padding ends it"),
    ("«\n@\n\nShutdown\n", "«\n#\n\nShutdown\n", "a word ends it"),
    ("«\n@=\n=\n»\n", "«\n#\n»\n", "padding that is folded"),
    (
        "Private-Lines: 2\n@\n@\nPrivate-MAC: 3f\n",
        "Private-Lines: 2\n#\nPrivate-MAC: 3f\n",
        "PuTTY",
    ),
    ("‹\nVersion: x\n\n@\n=8xQN\n›\n", "‹\nVersion: x\n\n#\n›\n", "PGP with its checksum"),
    (
        "f(\"«\", password=\"x1y2z3\")\n",
        "f(\"«\", password=\"#\")\n",
        "what follows a literal is text",
    ),
    ("«\n#\n@\n", "", "a mask stands for a body"),
    ("if line.startswith(\"«\"):\n    return parse(line)\n", "", "code about markers"),
    ("grep '«' *.pem\nREADME\nsrc\n", "", "a command about markers"),
    ("START = \"«\"\nEND = \"»\"\n", "", "markers as constants"),
    (
        "[\"«\",\n \"BeginCertificateRequest2\",\n \"MD5WithRSAEncryption\"]\n",
        "",
        "words in a list",
    ),
    ("It begins with « and so on.\nThen the text goes on.\n", "", "prose"),
    ("«\nThis is a document.\n»\n", "", "no body"),
    ("«\nanything\n»\n", "", "a word for a body"),
    ("a: \"«\\n...\\n»\"\n", "", "an ellipsis for a body"),
    ("«»\n", "", "nothing between"),
    ("Private-Lines: many\n", "", "no number"),
    ("»\n@\n", "", "an end alone"),
];

fn written(text: &str) -> String {
    let blank = if text.contains("&a=1") { "%20" } else { " " };
    let block = |marker: String| marker.replace("KEY-", "KEY BLOCK-");
    text.replace('@', &letters(64))
        .replace('#', "[REDACTED]")
        .replace("&[REDACTED]", "&#")
        .replace('«', &begin("RSA ").replace(' ', blank))
        .replace('»', &end("RSA ").replace(' ', blank))
        .replace('‹', &block(begin("PGP ")))
        .replace('›', &block(end("PGP ")))
}

#[test]
fn what_stands_around_a_key_stays() {
    let redactor = Redactor::new(Options::default()).unwrap();
    for (text, expected, mechanism) in TABLE {
        let text = written(text);
        let expected = if expected.is_empty() { text.clone() } else { written(expected) };
        assert_eq!(redact(&text), expected, "{mechanism}");
        assert_eq!(redact(&expected), expected, "{mechanism}");
        for at in 0..text.len() {
            let (head, tail) = text.as_bytes().split_at(at);
            let shown = stream(&redactor, &[head, tail]);
            assert_eq!(String::from_utf8_lossy(&shown), expected, "{mechanism} {at}");
        }
        pauses_show_nothing(&text);
    }
}

#[test]
fn every_kind_is_known_and_public_blocks_stay() {
    let label = Redactor::new(Options { label: true, ..Options::default() }).unwrap();
    for kind in ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "] {
        let block = |body: &str| format!("{}\n{body}\n{}\n", begin(kind), end(kind));
        let shown = redact_with(&label, &block(&letters(64)));
        assert_eq!(shown, block("[REDACTED:private-key]"));
        assert_eq!(redact_with(&label, &shown), shown);
    }
    for kind in ["CERTIFICATE", "PUBLIC KEY"] {
        unchanged(&format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n", letters(64)));
    }
    unchanged(&format!("10:00:01 expected {}\n10:00:02 got {}\n", begin("RSA "), hex(64)));
}

#[test]
fn json_stays_json() {
    let key = [vec![begin("")], body(&[40, 24]), vec![end("")]].concat();
    let text = serde_json::json!({ "list": key, "text": key.join("\n") });
    for document in [text.to_string(), serde_json::to_string_pretty(&text).unwrap()] {
        for document in [document.clone(), serde_json::json!({ "a": document }).to_string()] {
            let shown = redact(&document);
            assert!(serde_json::from_str::<serde_json::Value>(&shown).is_ok(), "{shown}");
            assert!(body(&[40, 24]).iter().all(|line| !shown.contains(line)), "{shown}");
        }
    }
}

#[test]
fn a_long_body_on_one_line_takes_no_memory_and_every_split_is_the_same() {
    let begin = begin("");
    let text = format!("x {begin}\\n{}\" rest password=hunter2\nnext\n", letters(300_000));
    let expected = format!("x {begin}[REDACTED]\" rest password=[REDACTED]\nnext\n");
    assert_eq!(redact(&text), expected);
    let redactor = Redactor::new(Options::default()).unwrap();
    for size in [1_000, 4_096, 65_535, 65_536, 65_537] {
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
        let shown = stream(&redactor, &pieces);
        assert_eq!(String::from_utf8(shown).unwrap(), expected, "{size}");
    }
}
