//! Inputs made to be slow: one short piece again and again, without a line break unless it has one.

use std::hint::black_box;
use std::io::{self, Write};

use crate::{clock, default_redactor};

/// Less would be a way to stop whoever redacts.
pub(crate) const LEAST_SPEED: f64 = 50.0;

/// Twice the input may take this much more time; the rest is noise.
const MOST_GROWTH: f64 = 2.4;

/// Runs of each.
const RUNS: usize = 3;

#[rustfmt::skip]
const PIECES: &[&[u8]] = &[
    b"a-", b"eyJ", b"-eyJ", b"eyJ-eyJ.", b"key=", b"password=", b"password='", b"password=\\\"", b"password: a ",
    b"\"", b"\\\"", b"'\"", b"[{\"a\":\"", b"token", b"token-", b"_token", b"sk-", b"-sk-", b"sk-a.", b"://", b"://a:",
    b"://a:b/", b"authorization: ", b"bearer ", b"cookie:a=", b"cookie: a=b;", b"-u a:", b"[REDACTED]", b"[REDACTED:",
    b"\xff", b"\xff=token", b"\xf0\x9f", b"ghp_", b":AA", b"1:AA", b"auth.key=a.", b"secret=(", b"secret=$(", b"key=aB3",
    b"\n", b"pass\n", b"password: |\n", b"password: |\n  a\n", b"password: |\n  The text.\n", b"password: | #",
    b"token: >\n\n", b"password\t", b"password\tx\t", b"\t\tpassword", b"token:&quot;", b"&quot;token&#34;:&#39;",
    b"token%22%3A%22", b"password:\\\\\\\"", b"password:\\\\\\\"\\", b"password:\\\"[REDACTED]\\\\\\\"", b"mysql ",
    b"mysql -p ", b"mysql -p'", b"mysql -p\"a ", b"sshpass -p ", b"docker login -p ", b"\"mysql\",", b"curl -u a ",
    b"unexpected token: a ", b"auth=", b"a_key=", b"key=value\n", b"key=value ", b"{\"key\":\"value\"}\n",
    b"{\"key\":123,\"value\":\"x\"}\n", b"\"key\":\"", b"key='", b"key=<", b"key=a&", b"key=aB3dE5gH7jK9mN1pQ3sT5v\n",
    b"key=aB3dE5gH7jK9mN1pQ3sT5v[", b"auth: a ", b"sig=a", b"signature=0", b"token=a' ", b"password=a'b\"",
    b"password=-'a ", b"password='a'\\''b'", b"password='''", b"password=\"\"a", b"password='${A}'", b"password='a'\"",
    b"token=a.b\\ ", b"token=\\ ", b"\\ ", b"password.c:1:", b"/token:1:1:1: ", b"'password=", b"<token>'a",
    b"<token>a'", b"token:a<", b"token=a.b(", b"token: A<b ", b"pass: a\n", b"passwords\": [", b"\"passwords\": [\"a\", ",
    b"\"passwords\": [\"\\", b"<add key=\"password\" value=\"", b"name=\"password\" ", b"=\"password\" a=\"\"",
    b"a:*:b:c:", b"\"a:*:b:c:", b"a:*:b:c:d' ", b"Private-Lines: 1\n", b"-----BEGIN ", b"-----BEGIN PRIVATE",
    b"webhook.office.com/webhookb2/", b"passtokensecret", b"PASSWORD:p\",", b"secret = ", b"pwd = datadog", b"pwd=aB3\n",
    b"tokense-secret-keypwd : ", b"a", b"key=aB3dE5gH7jK9mN1pQ3sT5vaB3dE5gH7jK9mN1pQ3sT5v\n",
    b"tumblr-secret=`aB3dE5gH7jK9mN1pQ3sT5vaB3dE5gH7jK\n", b"token: aB3dE5gH7jK9mN1pQ3sT5vaB3dE5gH7jK\n",
    b"aB3 token: aB3dE5gH7jK9mN1pQ3sT5vaB3dE5gH7jK\n",
    b"name: password\nvalue: x\n", b"name: password\nvalue: aB3x9\n", b"password: |\n  x1y2\n", b"token: |\n  x1y2\n\n",
    b"aB3 token: aB3dE5gH7jK\n", b"a=b token=aB3\n", b"password=aB3\nusage of token\n",
];

/// Measures those whose piece holds `name`. Fails when one is too slow or its time grows faster than its size.
pub(crate) fn measure(bytes: usize, name: &str, output: &mut impl Write) -> io::Result<()> {
    let marker = [b"-----BEGIN ", &b"PRIVATE KEY-----"[..]].concat();
    let pieces = PIECES.iter().copied().chain([&marker[..]]);
    let named =
        |piece: &&[u8]| piece.windows(name.len().max(1)).any(|part| part == name.as_bytes());
    measure_each(bytes, pieces.filter(|piece| name.is_empty() || named(piece)), output)
}

/// The same with these pieces.
pub(crate) fn measure_each<'p>(
    bytes: usize,
    pieces: impl Iterator<Item = &'p [u8]>,
    output: &mut impl Write,
) -> io::Result<()> {
    let redactor = default_redactor()?;
    let mut breaches = 0;
    for piece in pieces {
        let time = |bytes: usize| {
            let text = filled(piece, bytes);
            clock::median(RUNS, || {
                black_box(redactor.redact(&text));
            })
        };
        let (once, twice) = (time(bytes), time(2 * bytes));
        let speed = clock::speed(2 * bytes, twice);
        let growth = twice.as_secs_f64() / once.as_secs_f64().max(1e-9);
        let breach = speed < LEAST_SPEED || growth > MOST_GROWTH;
        breaches += usize::from(breach);
        let mark = if breach { "  <<<" } else { "" };
        let piece = String::from_utf8_lossy(piece);
        writeln!(output, "{speed:8.0} MB/s  x{growth:.2}  {piece:?}{mark}")?;
    }
    if breaches > 0 {
        return Err(io::Error::other(format!("{breaches} inputs are too slow")));
    }
    Ok(())
}

/// The piece again and again.
pub(crate) fn filled(piece: &[u8], bytes: usize) -> Vec<u8> {
    piece.iter().copied().cycle().take(bytes).collect()
}
