//! awk: `system(…)`, pipes, and what gawk loads. Strings and patterns are skipped; where a `/`
//! could be a division or a pattern, the text counts as unclear.

use super::{Finding, bracket};

/// The last thing before a `/`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing, an operator, an opening bracket, a line break: a pattern follows.
    Start,
    /// A value: a division follows.
    Value,
    /// Either.
    Either,
}

/// Words after which a pattern follows.
const KEYWORDS: [&str; 9] =
    ["print", "printf", "return", "in", "case", "else", "do", "BEGIN", "exit"];
/// Words that are a value alone and may take one as well.
const OPTIONAL: [&str; 3] = ["getline", "length", "END"];

pub(crate) fn read(text: &str) -> Finding {
    if text.contains("system") || loads(text) {
        return Finding::Runs;
    }
    let bytes = text.as_bytes();
    let mut before = Before::Start;
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b' ' | b'\t' | b'\r' => at += 1,
            b'\\' if bytes.get(at + 1) == Some(&b'\n') => at += 2,
            b'#' => at += text[at..].find('\n').unwrap_or(text.len() - at),
            b'"' => match skip(text, at, '"') {
                Some(end) => {
                    at = end;
                    before = Before::Value;
                }
                None => return Finding::Unclear,
            },
            b'/' => match before {
                Before::Value => {
                    at += 1;
                    before = Before::Start;
                }
                Before::Start => match skip(text, at, '/') {
                    Some(end) => {
                        at = end;
                        before = Before::Value;
                    }
                    None => return Finding::Unclear,
                },
                Before::Either => return Finding::Unclear,
            },
            b'|' if bytes.get(at + 1) == Some(&b'|') => {
                at += 2;
                before = Before::Start;
            }
            b'|' | b'@' => return Finding::Runs,
            b'+' | b'-' if bytes.get(at + 1) == Some(&byte) => {
                at += 2;
                before = Before::Either;
            }
            b')' => {
                at += 1;
                before = Before::Either;
            }
            b']' => {
                at += 1;
                before = Before::Value;
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'0'..=b'9' | b'.' => {
                let length = text[at..]
                    .bytes()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
                    .count();
                let name = &text[at..at + length];
                before = if KEYWORDS.contains(&name) {
                    Before::Start
                } else if OPTIONAL.contains(&name) {
                    Before::Either
                } else {
                    Before::Value
                };
                at += length;
            }
            byte if !byte.is_ascii() => return Finding::Unclear,
            _ => {
                at += 1;
                before = Before::Start;
            }
        }
    }
    Finding::Quiet
}

/// `@load`, `@include` and calls through a variable, outside of what looks like an address.
fn loads(text: &str) -> bool {
    text.contains("@load") || text.contains("@include") || text.contains("@namespace")
}

/// The offset behind the closing mark; none where readers could disagree about it.
fn skip(text: &str, open: usize, mark: char) -> Option<usize> {
    let mut at = open + 1;
    let mut characters = text[at..].chars().peekable();
    loop {
        let next = characters.next()?;
        at += next.len_utf8();
        match next {
            '\\' => at += characters.next()?.len_utf8(),
            '\n' => return None,
            '[' if mark == '/' => {
                let (length, marked) = bracket::skip(&mut characters, mark).ok()?;
                at += Some(length).filter(|_| !marked)?;
            }
            _ if next == mark => return Some(at),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sees_what_starts_commands() {
        let cases = [
            ("{print $1}", Finding::Quiet),
            ("$1 > 3 {print}", Finding::Quiet),
            ("/kill/{print $1}", Finding::Quiet),
            ("/a|b/ {n++} END {print n}", Finding::Quiet),
            ("{print \"a|b\"}", Finding::Quiet),
            ("$1 ~ /a|b/ || $2 == 1", Finding::Quiet),
            ("{print $1/2, $2}", Finding::Quiet),
            ("NR==1 # a|b", Finding::Quiet),
            ("BEGIN{system(\"id\")}", Finding::Runs),
            ("BEGIN{\"id\"|getline}", Finding::Runs),
            ("BEGIN{print \"x\"|\"id\"}", Finding::Runs),
            ("BEGIN{print \"x\"|&\"id\"}", Finding::Runs),
            ("BEGIN{f=\"sys\" \"tem\"; @f(\"id\")}", Finding::Runs),
            ("@load \"x\"", Finding::Runs),
            ("{print $1/\"x\"|\"id\"}", Finding::Runs),
            ("{x++ / \"id\"|getline / 2}", Finding::Unclear),
            ("{if (1) /\"/ ; \"id\"|getline #\"}", Finding::Unclear),
            ("/[/]/{print}", Finding::Unclear),
            ("/[]/]/{print}", Finding::Unclear),
            ("/[[:alpha:]_]|[^a-z]/{print}", Finding::Quiet),
            ("BEGIN{print \"x", Finding::Unclear),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
