//! Private key blocks: everything between the markers becomes one mask, however long it is and even without an end. Where
//! each line is a literal of its own, as in source text and in lists, each gets its own mask.

mod body;
mod prefix;

use std::ops::Range;

use memchr::memmem;

use body::{
    FIRST_LINE_BYTES, OPENING_BYTES, body_run, closing, ends_elsewhere, ends_list, indentation,
    is_base64, is_blank, is_cut, is_header, is_sure, is_written, opens_body, text_length, trim_end,
};
use prefix::Prefix;

use crate::class::Class;
use crate::mask;
use crate::output::Output;
use crate::span::RuleId;

/// What stands before the body of a key of `PuTTY`, with the number of its lines.
pub(crate) const PRIVATE_LINES: &str = "Private-Lines: ";

/// How every other marker begins.
pub(crate) const BEGIN: &[u8] = b"-----BEGIN";

/// What follows the body.
const END: &[u8] = b"-----END";

/// How any marker begins and ends.
const DASHES: &[u8] = b"-----";

/// Longest text between `-----BEGIN` and the trigger.
const KIND_BYTES: usize = 48;

/// End of the marker `-----BEGIN … PRIVATE KEY-----` whose last part is at `start..end`, if a body may follow.
/// Unless `complete` the text may go on where it ends.
pub(crate) fn marker(text: &[u8], start: usize, end: usize, complete: bool) -> Option<usize> {
    if &text[start..end] == PRIVATE_LINES.as_bytes() {
        return private_lines(text, end);
    }
    let before = &text[start.saturating_sub(KIND_BYTES)..start];
    let begin = memmem::rfind(before, BEGIN)? + BEGIN.len();
    let kind =
        |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b" +%".contains(byte);
    let is_apart = before.get(begin).is_some_and(|byte| b" +%".contains(byte));
    if !is_apart || !before[begin..].iter().all(kind) {
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

/// True when the rest of a marker's line lets a body follow: nothing, the end of a literal, a body or the end.
fn opens_line(rest: &[u8]) -> bool {
    is_blank(rest)
        || trim_end(rest).is_empty()
        || closing(rest).is_some()
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
    /// The same with an empty line behind the marker and behind each other one, as in a folded scalar.
    Spaced,
    /// Each is a literal of its own, as the marker is one that ends with its line.
    Literals,
    /// The same where something ends behind each of them, as a call does.
    Calls,
}

impl Lines {
    /// Of a marker behind whose literal `behind` follows.
    fn literals(behind: &[u8]) -> Self {
        if ends_list(behind) { Self::Calls } else { Self::Literals }
    }
}

/// What a line of a block is.
enum Line {
    /// Part of the secret, which stands here without its indentation and what ends a literal.
    Body(Range<usize>),
    /// Text, still inside the block.
    Shown,
    /// The mask that stands for the whole body of a block redacted before, and ends here.
    Masked(usize),
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
        matches!(self.lines, Lines::Literals | Lines::Calls)
    }

    /// Takes one line. Gives how much of it is dealt with and whether the block is over. What stands before the block in
    /// the line is text, which `text` writes.
    pub(crate) fn line<O: Output>(
        &mut self,
        line: &[u8],
        output: &mut O,
        mut text: impl FnMut(&[u8], &mut O),
    ) -> (usize, bool) {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        if self.inside {
            if let Some(begun) = self.begin_literals(content) {
                output.keep(&content[..begun]);
                return self.leave(line, begun, false, output, text);
            }
            let (used, ended) = self.rest_of_line(content, output);
            if ended {
                if self.is_joined(&content[used..]) {
                    self.lines = Lines::Literals;
                    return self.leave(line, used, false, output, text);
                }
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
            if self.is_literals() && !self.masked && !is_base64(before) {
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
            Line::Masked(end) => {
                text(&content[..prefix], output);
                output.keep(&content[prefix..end]);
                return (end, true);
            }
            Line::Shown => text(content, output),
            Line::Body(_) if self.masked && !self.is_literals() => {
                output.remove(line.len());
                return (line.len(), false);
            }
            Line::Body(body) => {
                text(&content[..prefix], output);
                output.keep(&content[prefix..body.start]);
                output.mask(self.rule, body.len(), false);
                self.masked = true;
                if self.is_literals() {
                    let behind =
                        closing(&content[body.end..]).map_or(body.end, |end| body.end + end);
                    output.keep(&content[body.end..behind]);
                    let ended = self.lines == Lines::Literals && ends_list(&content[behind..]);
                    return self.leave(line, behind, ended, output, text);
                }
                output.keep(&content[body.end..]);
            }
        }
        output.keep(&line[content.len()..]);
        (line.len(), false)
    }

    /// What stands behind a literal that is the marker, with which a body of literals may begin: where that is.
    fn begin_literals(&mut self, content: &[u8]) -> Option<usize> {
        if self.masked || self.width > 0 || trim_end(content).is_empty() {
            return None;
        }
        let behind = closing(content)?;
        self.lines = Lines::literals(&content[behind..]);
        Some(behind)
    }

    /// True when what follows the body on the marker's line ends its literal and joins another one to it.
    fn is_joined(&self, behind: &[u8]) -> bool {
        self.masked
            && self.width == 0
            && trim_end(behind).is_empty()
            && closing(behind).is_some_and(|end| {
                matches!(behind[end..].trim_ascii(), [] | [b'+' | b'.' | b'&' | b'\\', ..])
            })
    }

    /// Leaves a line of literals at `from`: what follows is text. If another marker is there, the block is over.
    fn leave<O: Output>(
        &mut self,
        line: &[u8],
        from: usize,
        ended: bool,
        output: &mut O,
        mut text: impl FnMut(&[u8], &mut O),
    ) -> (usize, bool) {
        self.inside = false;
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        if ended || memmem::find(&content[from..], DASHES).is_some() {
            return (from, true);
        }
        text(&content[from..], output);
        output.keep(&line[content.len()..]);
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
        let (used, ended) = self.rest_of_line(text, output);
        (used, ended && (used == 0 || !is_cut(&text[used..])))
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
                    self.lines = Lines::literals(&text[closing(text).unwrap_or(0)..]);
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
        let body = self.body(&content[start..]);
        let whole =
            if self.is_literals() { body.len() } else { text_length(&content[start..], body) };
        let place = start..start + whole;
        if body.is_empty() {
            return match (self.masked, self.width) {
                (true, 0) if !self.is_literals() => Line::Body(place),
                (true, 1..) if self.lines != Lines::Spaced => Line::Outside,
                (true, _) => Line::Shown,
                (false, _) => {
                    if self.lines == Lines::Text {
                        self.lines = Lines::Spaced;
                    }
                    Line::Shown
                }
            };
        }
        let masks = mask::lengths(&content[start..]);
        let behind = &content[start + masks..];
        if masks > 0 && !self.masked {
            if self.is_literals() && closing(behind).is_some() {
                return Line::Masked(start + masks);
            }
            if trim_end(behind).is_empty() {
                return Line::Masked(content.len());
            }
        }
        // A literal that ends before its line does is another one.
        let is_whole = !self.is_literals() || memchr::memchr3(b'"', b'\'', b'`', body).is_none();
        if self.width == 0 && is_whole && is_header(body) {
            return if self.is_literals() { Line::Shown } else { Line::Body(place) };
        }
        if self.masked && self.width == 0 && !self.is_literals() && is_written(body) {
            return Line::Body(place);
        }
        let checksum = self.width > 0 && body.len() == 5 && body[0] == b'=';
        if !checksum && (self.complete || !is_base64(body)) {
            return Line::Outside;
        }
        if self.width == 0 {
            if body.len() < FIRST_LINE_BYTES || (sure && !is_sure(body)) {
                return Line::Outside;
            }
            self.width = body.len();
        } else if body.len() > self.width || (body.len() < self.width && ends_elsewhere(body)) {
            return Line::Outside;
        }
        self.complete = body.len() < self.width;
        Line::Body(place)
    }

    /// What a line has of the body, without what ends its literal or what stands behind it.
    fn body<'t>(&self, content: &'t [u8]) -> &'t [u8] {
        let run = Class::Base64.run(content);
        if self.is_literals() && run > 0 && closing(&content[run..]).is_some() {
            return &content[..run];
        }
        trim_end(content)
    }
}
