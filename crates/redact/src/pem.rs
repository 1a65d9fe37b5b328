//! Private key blocks: everything between the markers becomes one mask, however long it is and even without an end.

use memchr::memmem;

use crate::class::Class;
use crate::mask;
use crate::output::Output;
use crate::span::RuleId;

/// What stands before the body of a key of `PuTTY`, with the number of its lines.
pub(crate) const PRIVATE_LINES: &str = "Private-Lines: ";

/// How every other marker begins.
pub(crate) const BEGIN: &[u8] = b"-----BEGIN ";

/// What follows the body.
const END: &[u8] = b"-----END";

/// Longest text between `-----BEGIN ` and the trigger.
const KIND_BYTES: usize = 48;

/// What is looked at behind a marker to tell a block from talk about one.
const OPENING_BYTES: usize = 64;

/// Shortest first line of a body; anything shorter is not one.
const FIRST_LINE_BYTES: usize = 16;

/// End of the marker `-----BEGIN … PRIVATE KEY-----` whose last part is at `start..end`, if a body may follow.
/// Unless `complete` the text may go on where it ends.
pub(crate) fn marker(text: &[u8], start: usize, end: usize, complete: bool) -> Option<usize> {
    if &text[start..end] == PRIVATE_LINES.as_bytes() {
        return private_lines(text, end);
    }
    let before = &text[start.saturating_sub(KIND_BYTES)..start];
    let begin = memmem::rfind(before, BEGIN)? + BEGIN.len();
    let kind = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ';
    if !before[begin..].iter().all(kind) {
        return None;
    }
    let rest = &text[end..text.len().min(end + OPENING_BYTES)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let is_cut = !complete && line.len() < OPENING_BYTES && end + line.len() == text.len();
    let may_open = is_cut || opens_line(line);
    may_open.then_some(end)
}

/// End of `Private-Lines: 8`, if a body may follow.
fn private_lines(text: &[u8], end: usize) -> Option<usize> {
    let digits = text[end..].iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &text[end + digits..text.len().min(end + OPENING_BYTES)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    ((1..5).contains(&digits) && opens_line(line)).then_some(end + digits)
}

/// True when the rest of a marker's line lets a body follow: it is blank, or a body or the end is on it.
fn opens_line(rest: &[u8]) -> bool {
    rest.iter().all(u8::is_ascii_whitespace)
        || opens_body(rest)
        || rest[body_run(rest)..].starts_with(END)
}

/// The state inside a block; fixed size.
#[derive(Clone)]
pub(crate) struct PrivateKey {
    rule: RuleId,
    /// The mask is written.
    masked: bool,
    /// What comes next continues a line whose start belongs to the block.
    inside: bool,
    /// Length of the first line of the body, 0 before it.
    width: usize,
    /// A shorter line has been seen: the body is complete.
    complete: bool,
}

/// What a line of a block is.
enum Line {
    /// Part of the secret, after this many bytes of indentation.
    Body(usize),
    /// Shown as it is, still inside the block.
    Shown,
    /// The mask that stands for the whole body of a block redacted before.
    Masked,
    /// Not part of the block.
    Outside,
}

impl PrivateKey {
    /// The state right behind a marker.
    pub(crate) fn new(rule: RuleId) -> Self {
        Self { rule, masked: false, inside: true, width: 0, complete: false }
    }

    /// Takes one line. Gives how much of it is dealt with and whether the block is over.
    pub(crate) fn line(&mut self, line: &[u8], output: &mut impl Output) -> (usize, bool) {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        if self.inside {
            let (used, ended) = self.rest_of_line(content, output);
            if ended {
                return (used, true);
            }
            self.inside = false;
            output.keep(&line[content.len()..]);
            return (line.len(), false);
        }
        if let Some(end) = memmem::find(content, END) {
            let indentation = indentation(&content[..end]);
            output.keep(&content[..indentation]);
            self.hide(end - indentation, output);
            return (end, true);
        }
        match self.classify(content) {
            Line::Outside => return (0, true),
            Line::Masked => {
                output.keep(line);
                return (line.len(), true);
            }
            Line::Shown => output.keep(line),
            Line::Body(_) if self.masked => output.remove(line.len()),
            Line::Body(indentation) => {
                output.keep(&content[..indentation]);
                self.hide(content.len() - indentation, output);
                output.keep(&line[content.len()..]);
            }
        }
        (line.len(), false)
    }

    /// Takes a piece of a line that is too long to hold. Only an ended block leaves anything undone.
    pub(crate) fn window(&mut self, text: &[u8], output: &mut impl Output) -> (usize, bool) {
        if !self.inside {
            match self.classify(&text[..body_run(text)]) {
                Line::Body(_) => self.inside = true,
                _ => return (0, true),
            }
        }
        self.rest_of_line(text, output)
    }

    /// Takes what follows on the marker's own line: nothing, or a body with escaped line breaks.
    fn rest_of_line(&mut self, text: &[u8], output: &mut impl Output) -> (usize, bool) {
        if mask::lengths(text) > 0 {
            return (0, true);
        }
        let run = body_run(text);
        if !self.masked && self.width == 0 {
            if text.iter().all(u8::is_ascii_whitespace) {
                output.keep(text);
                return (text.len(), false);
            }
            if !opens_body(text) && !text[run..].starts_with(END) {
                return (0, true);
            }
        }
        self.hide(run, output);
        (run, run < text.len())
    }

    fn hide(&mut self, length: usize, output: &mut impl Output) {
        if self.masked {
            output.remove(length);
        } else if length > 0 {
            output.mask(self.rule, length, false);
            self.masked = true;
        }
    }

    fn classify(&mut self, content: &[u8]) -> Line {
        let start = indentation(content);
        let body = trim_end(&content[start..]);
        if body.is_empty() {
            return match (self.masked, self.width) {
                (false, _) => Line::Shown,
                (true, 0) => Line::Body(start),
                (true, _) => Line::Outside,
            };
        }
        if mask::lengths(body) == body.len() && !self.masked {
            return Line::Masked;
        }
        if self.width == 0 && is_header(body) {
            return Line::Body(start);
        }
        let checksum = self.complete && body.len() == 5 && body[0] == b'=';
        if Class::Base64.run(body) < body.len() || (self.complete && !checksum) {
            return Line::Outside;
        }
        if self.width == 0 {
            if body.len() < FIRST_LINE_BYTES {
                return Line::Outside;
            }
            self.width = body.len();
        } else if body.len() > self.width {
            return Line::Outside;
        }
        self.complete = body.len() < self.width;
        Line::Body(start)
    }
}

/// Length of the indentation, quoting or comment before a line of a block.
fn indentation(content: &[u8]) -> usize {
    content.iter().position(|byte| !b" \t>|#*\"'-".contains(byte)).unwrap_or(content.len())
}

/// A line without the punctuation of the source or document it stands in.
fn trim_end(mut line: &[u8]) -> &[u8] {
    loop {
        line = match line {
            [rest @ .., b'\\', b'n' | b'r']
            | [rest @ .., b' ' | b'\t' | b'\r' | b'"' | b'\'' | b',' | b';' | b'\\'] => rest,
            _ => return line,
        };
    }
}

/// `Proc-Type: 4,ENCRYPTED`
fn is_header(body: &[u8]) -> bool {
    let names =
        [&b"Proc-Type"[..], b"DEK-Info", b"Version", b"Comment", b"Hash", b"Charset", b"MessageID"];
    names.iter().any(|name| body.strip_prefix(*name).is_some_and(|rest| rest.starts_with(b": ")))
}

/// Length of the run of bytes that a body written on one line has. It stops before the end marker.
fn body_run(text: &[u8]) -> usize {
    let belongs = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=\\ \t\r:,".contains(&byte);
    text.iter().position(|&byte| !belongs(byte)).unwrap_or(text.len())
}

/// True when text after a marker begins a body: escaped line breaks or blanks, then base64 or a header.
fn opens_body(text: &[u8]) -> bool {
    let mut rest = text;
    while let [b'\\', b'n' | b'r' | b'\\', after @ ..] | [b' ' | b'\t' | b'n', after @ ..] = rest {
        rest = after;
    }
    let base64 = Class::Base64.run(&rest[..rest.len().min(FIRST_LINE_BYTES)]);
    base64 == FIRST_LINE_BYTES
        || is_header(&rest[..rest.len().min(24)])
        || (rest.len() < text.len() && base64 == rest.len())
}
