//! Private key blocks: everything between the markers becomes one mask, however long it is and even without an end. Where
//! each line is a literal of its own, as in source text and in lists, each gets its own mask.

mod prefix;

use std::ops::Range;

use memchr::memmem;

use prefix::Prefix;

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

/// Shortest first line of a body behind a prefix or in a literal of its own, where other words may stand as well.
const SURE_LINE_BYTES: usize = 40;

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

/// True when the rest of a marker's line lets a body follow: nothing but the end of a literal, or a body or the end is on it.
fn opens_line(rest: &[u8]) -> bool {
    is_blank(rest)
        || trim_end(rest).is_empty()
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
    /// What stands before the marker.
    prefix: Prefix,
    lines: Lines,
}

/// What the lines of a block are to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// One text: a mask stands for all of the body.
    Text,
    /// Each is a literal of its own, as the marker is one that ends with its line.
    Literals,
}

/// What a line of a block is.
enum Line {
    /// Part of the secret, which stands here without its indentation and what ends a literal.
    Body(Range<usize>),
    /// Shown as it is, still inside the block.
    Shown,
    /// The mask that stands for the whole body of a block redacted before.
    Masked,
    /// Not part of the block.
    Outside,
}

impl PrivateKey {
    /// The state right behind a marker, with its line up to there.
    pub(crate) fn new(rule: RuleId, line: &[u8]) -> Self {
        let prefix = Prefix::of(line);
        let lines = Lines::Text;
        Self { rule, masked: false, inside: true, width: 0, complete: false, prefix, lines }
    }

    fn is_literals(&self) -> bool {
        self.lines == Lines::Literals
    }

    /// Takes one line. Gives how much of it is dealt with and whether the block is over. What stands before the block in
    /// the line is text, which `text` writes.
    pub(crate) fn line<O: Output>(
        &mut self,
        line: &[u8],
        output: &mut O,
        text: impl FnOnce(&[u8], &mut O),
    ) -> (usize, bool) {
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
            let prefix = self.prefix.length(&content[..end]);
            let start = prefix + indentation(&content[prefix..end]);
            let before = trim_end(&content[start..end]);
            if self.is_literals() && !self.masked && Class::Base64.run(before) < before.len() {
                return (0, true);
            }
            text(&content[..prefix], output);
            output.keep(&content[prefix..start]);
            self.hide(end - start, output);
            return (end, true);
        }
        let (prefix, kind) = self.classify(content);
        match kind {
            Line::Outside => return (0, true),
            Line::Masked => {
                text(&content[..prefix], output);
                output.keep(&line[prefix..]);
                return (line.len(), true);
            }
            Line::Shown => {
                text(&content[..prefix], output);
                output.keep(&line[prefix..]);
            }
            Line::Body(_) if self.masked && !self.is_literals() => output.remove(line.len()),
            Line::Body(body) => {
                text(&content[..prefix], output);
                output.keep(&content[prefix..body.start]);
                let end = if self.is_literals() { body.end } else { content.len() };
                output.mask(self.rule, end - body.start, false);
                self.masked = true;
                output.keep(&line[end..]);
            }
        }
        (line.len(), false)
    }

    /// Takes a piece of a line that is too long to hold. Only an ended block leaves anything undone.
    pub(crate) fn window(&mut self, text: &[u8], output: &mut impl Output) -> (usize, bool) {
        if !self.inside {
            match self.classify(&text[..body_run(text)]) {
                (_, Line::Body(_)) => self.inside = true,
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
            let is_short = text.len() <= OPENING_BYTES;
            if is_blank(text) || (is_short && trim_end(text).is_empty()) {
                if !is_blank(text) {
                    self.lines = Lines::Literals;
                }
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

    /// What a line is, and the length of its prefix.
    fn classify(&mut self, content: &[u8]) -> (usize, Line) {
        let prefix = self.prefix.length(content);
        if prefix > 0 {
            let kind = self.classify_from(content, prefix, true);
            if !matches!(kind, Line::Outside) {
                return (prefix, kind);
            }
        }
        (0, self.classify_from(content, 0, self.is_literals()))
    }

    /// The same of what follows the first bytes. A body that has to be `sure` begins with a line like nothing else.
    fn classify_from(&mut self, content: &[u8], from: usize, sure: bool) -> Line {
        let start = from + indentation(&content[from..]);
        let body = trim_end(&content[start..]);
        let place = start..start + body.len();
        if body.is_empty() {
            return match (self.masked, self.width) {
                (true, 0) if !self.is_literals() => Line::Body(place),
                (true, 1..) => Line::Outside,
                _ => Line::Shown,
            };
        }
        let masks = mask::lengths(&content[start..]);
        if masks > 0 && !self.masked && trim_end(&content[start + masks..]).is_empty() {
            return Line::Masked;
        }
        // A literal that ends before its line does is another one.
        let is_whole = !self.is_literals() || memchr::memchr3(b'"', b'\'', b'`', body).is_none();
        if self.width == 0 && is_whole && is_header(body) {
            return Line::Body(place);
        }
        let checksum = self.complete && body.len() == 5 && body[0] == b'=';
        if Class::Base64.run(body) < body.len() || (self.complete && !checksum) {
            return Line::Outside;
        }
        if self.width == 0 {
            if body.len() < FIRST_LINE_BYTES || (sure && !is_sure(body)) {
                return Line::Outside;
            }
            self.width = body.len();
        } else if body.len() > self.width {
            return Line::Outside;
        }
        self.complete = body.len() < self.width;
        Line::Body(place)
    }
}

/// True for base64 that is no word, path or name: long, with letters of both cases, digits and no dashes.
fn is_sure(body: &[u8]) -> bool {
    let has = |belongs: fn(&u8) -> bool| body.iter().any(belongs);
    body.len() >= SURE_LINE_BYTES
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && !has(|byte| matches!(byte, b'-' | b'_'))
}

/// Length of the indentation, quoting, comment or sign that joins texts before a line of a block.
fn indentation(content: &[u8]) -> usize {
    let belongs = |at: usize| match content[at] {
        b'+' | b'.' | b'&' => content.get(at + 1).is_some_and(|byte| b" \"'".contains(byte)),
        byte => b" \t>|#*\"'`-".contains(&byte),
    };
    (0..content.len()).find(|&at| !belongs(at)).unwrap_or(content.len())
}

/// A line without the punctuation of the source or document it stands in.
fn trim_end(mut line: &[u8]) -> &[u8] {
    loop {
        line = match line {
            // `"…" +`, which is no end of base64.
            [rest @ .., b' ' | b'"' | b'\'', b'+' | b'.' | b'&'] => &line[..=rest.len()],
            [rest @ .., b'\\', b'n' | b'r'] | [rest @ .., b'.', b'.'] => rest,
            [rest @ .., last] if b" \t\r\"'`,;\\)]}".contains(last) => rest,
            _ => return line,
        };
    }
}

/// True when there is nothing but blanks.
fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace)
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
