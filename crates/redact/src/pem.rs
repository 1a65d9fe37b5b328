//! Private key blocks. The body between BEGIN and END becomes one mask, whatever its lines look like.
//!
//! The text is a stream, so each line is decided about as it arrives, and no END is needed. After a marker nothing is
//! masked until a line begins a body: Base64 of both cases that does not read like words. The text before the body on
//! that line (a log's time, a comment, a quote) is the prefix, which later lines share except for numbers. From then on
//! a line belongs to the body if its prefix is followed by Base64 and nothing else up to the end of the line, of a
//! literal or of an element. Padding ends the body. A line that reads like words also ends it, unless the line is as
//! short as the rest of a folded line, or as long as one of the two lines before it. Headers and empty lines stay. A
//! line with a quote or a tag gets a mask of its own, so that source code remains valid.

mod body;
mod prefix;

use std::ops::Range;

use memchr::memmem;

use crate::output::Output;
use crate::span::RuleId;
use body::{
    TextAfterPiece, is_blank, is_header, is_words, longest_run_start, may_begin_body, may_end_body,
    may_follow_marker,
};
use prefix::{Prefix, lead};

/// The line before the body of a `PuTTY` key. The number of the body's lines follows it.
pub(crate) const PRIVATE_LINES: &str = "Private-Lines: ";

/// How every other marker begins, and how each of them also ends.
pub(crate) const BEGIN: &[u8] = b"-----BEGIN";
const DASHES: &[u8] = b"-----";

/// The longest text between `-----BEGIN` and the trigger.
const MAX_KIND_BYTES: usize = 48;

/// The longest word that may be the rest of a folded line.
const MAX_FOLDED_REST_BYTES: usize = 7;

/// The end of the marker `-----BEGIN … PRIVATE KEY-----` whose last part is at `start..end`. `None` if that is no
/// marker.
pub(crate) fn marker(text: &[u8], start: usize, end: usize) -> Option<usize> {
    if &text[start..end] == PRIVATE_LINES.as_bytes() {
        let digits = text[end..].iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
        return (1..5).contains(&digits).then_some(end + digits);
    }
    let before = &text[start.saturating_sub(MAX_KIND_BYTES)..start];
    let kind = &before[memmem::rfind(before, BEGIN)? + BEGIN.len()..];
    let gap = |byte: &u8| b" +%".contains(byte);
    let belongs = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || gap(byte);
    (kind.first().is_some_and(gap) && kind.iter().all(belongs)).then_some(end)
}

/// The state inside a block. Its size is limited.
#[derive(Clone)]
pub(crate) struct PrivateKey {
    rule: RuleId,
    position: Position,
    /// Whether a mask is written that replaces all lines without quotes of their own.
    masked: bool,
    ended_with_padding: bool,
    /// Whether the line before was empty or read like words.
    follows_words: bool,
    /// The lengths of the two lines before; 0 before the body.
    previous_lengths: [usize; 2],
    /// The text before the marker, and later the text before the body.
    prefix: Prefix,
    /// The number of bytes read.
    steps: u64,
}

/// What the next bytes continue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Marker,
    /// A body on one line, with its line breaks written as escapes.
    Run,
    Line,
}

impl PrivateKey {
    /// The state directly after a marker. `line` is its line up to there.
    pub(crate) fn new(rule: RuleId, line: &[u8]) -> Self {
        let marker = memmem::rfind(line, BEGIN).or(memmem::rfind(line, PRIVATE_LINES.as_bytes()));
        let prefix = Prefix::of(&line[..marker.unwrap_or(0)]);
        let (masked, ended_with_padding, follows_words) = (false, false, false);
        Self {
            rule,
            position: Position::Marker,
            masked,
            ended_with_padding,
            follows_words,
            previous_lengths: [0; 2],
            prefix,
            steps: 0,
        }
    }

    /// The number of bytes read since the last call.
    pub(crate) fn take_count(&mut self) -> u64 {
        std::mem::take(&mut self.steps)
    }

    /// Reads one line. Returns how much of it was used, and whether the block is over. `text` writes the text around
    /// the body.
    pub(crate) fn line<O: Output>(
        &mut self,
        line: &[u8],
        output: &mut O,
        mut text: impl FnMut(&[u8], &mut O),
    ) -> (usize, bool) {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let limit = memmem::find(content, DASHES).unwrap_or(content.len());
        self.steps += limit as u64;
        let is_line = self.position == Position::Line;
        let mut at = if is_line { 0 } else { self.run(&content[..limit], output) };
        self.position = Position::Line;
        if at > 0 {
            self.prefix = Prefix::default();
            self.previous_lengths[1] = if at == content.len() { at } else { 0 };
            if !self.has_begun_body()
                && !matches!(TextAfterPiece::of(&content[at..limit]), Some(TextAfterPiece::Joined))
            {
                return (at, true);
            }
        }
        while let Some((body, after, has_own_mask)) =
            self.piece(&content[at..limit], is_line && at == 0)
        {
            if is_line && at == 0 && self.masked && !has_own_mask && limit == content.len() {
                output.remove(line.len());
                return (line.len(), false);
            }
            text(&content[at..at + body.start], output);
            self.masked &= !has_own_mask;
            self.hide(body.len(), output);
            at += body.end;
            if matches!(after, TextAfterPiece::Ends) && !self.prefix.is_known() {
                return (at, true);
            }
        }
        if is_line && at == 0 && !self.may_stand_in_block(&content[..limit]) {
            return (0, true);
        }
        text(&content[at..limit], output);
        if limit < content.len() {
            return (limit, true);
        }
        output.keep(&line[content.len()..]);
        (line.len(), false)
    }

    /// Reads a piece of a line that is too long to hold. Returns how much of it was used, and whether the block is
    /// over. If the block goes on, all of the piece was used.
    pub(crate) fn window(&mut self, text: &[u8], output: &mut impl Output) -> (usize, bool) {
        if self.position == Position::Line {
            let body = body::length(text);
            if !may_begin_body(&text[..body]) {
                return (0, true);
            }
            self.position = Position::Run;
        }
        let used = self.run(text, output);
        (used, used < text.len() && !body::is_cut(&text[used..]))
    }

    /// Masks a body on one line that begins or continues here. Returns its length.
    fn run(&mut self, text: &[u8], output: &mut impl Output) -> usize {
        if self.position == Position::Marker && !may_follow_marker(text) {
            return 0;
        }
        let length = body::run(text);
        self.steps += length as u64;
        self.position = Position::Run;
        self.ended_with_padding = text[..length].trim_ascii_end().ends_with(b"=");
        self.hide(length, output);
        length
    }

    /// Whether a line of the body was found.
    fn has_begun_body(&self) -> bool {
        self.previous_lengths[1] > 0
    }

    fn hide(&mut self, length: usize, output: &mut impl Output) {
        if self.masked {
            output.remove(length);
        } else if length > 0 {
            output.mask(self.rule, length, false);
            self.masked = true;
        }
    }

    /// Whether a line may stand in the block without being part of the body.
    fn may_stand_in_block(&mut self, content: &[u8]) -> bool {
        let start = self.prefix.length(content).unwrap_or(0);
        self.follows_words = true;
        let lead = start + lead(&content[start..]);
        let closes = || {
            TextAfterPiece::of(&content[start..]).or(TextAfterPiece::of(&content[lead..])).is_some()
        };
        is_blank(&content[lead..]) || !self.has_begun_body() && (is_header(content) || closes())
    }

    /// Where the next piece of the body is, what follows it, and whether it gets a mask of its own.
    fn piece(
        &mut self,
        text: &[u8],
        is_line: bool,
    ) -> Option<(Range<usize>, TextAfterPiece, bool)> {
        let read = |start: usize| {
            let start = start + lead(&text[start..]);
            let body = start..start + body::length(&text[start..]);
            let after = TextAfterPiece::of(&text[body.end..])?;
            let opened = matches!(text[..start].last(), Some(b'"' | b'\''));
            let has_own_mask = opened || !matches!(after, TextAfterPiece::Nothing);
            let alone = is_line || opened && !is_words(&text[body.clone()]);
            (alone && !body.is_empty()).then_some((body, after, has_own_mask))
        };
        let after_prefix = if is_line { self.prefix.length(text) } else { Some(0) }.and_then(read);
        let body_piece = if self.has_begun_body() {
            after_prefix.filter(|(body, ..)| self.continues_body(&text[body.clone()]))?
        } else {
            let begins_body = |(body, ..): &(Range<usize>, TextAfterPiece, bool)| {
                may_begin_body(&text[body.clone()])
            };
            let body_piece =
                after_prefix.filter(begins_body).or_else(|| read(0).filter(begins_body)).or_else(
                    || read(longest_run_start(text).filter(|_| is_line)?).filter(begins_body),
                )?;
            let before = if is_line { &text[..body_piece.0.start] } else { b"" };
            self.prefix = Prefix::of(before);
            body_piece
        };
        let body = &text[body_piece.0.clone()];
        (self.ended_with_padding, self.follows_words) = (body.ends_with(b"="), is_words(body));
        self.previous_lengths = [self.previous_lengths[1], body.len()];
        Some(body_piece)
    }

    /// Whether `body` continues the body that has begun.
    fn continues_body(&self, body: &[u8]) -> bool {
        let digits = body.trim_ascii_end();
        let digits =
            &digits[..digits.iter().rposition(|&byte| byte != b'=').map_or(0, |at| at + 1)];
        let is_whole = !digits.contains(&b'=') || body.contains(&b'\\');
        let folded = self.previous_lengths.contains(&body.len());
        let is_text =
            is_words(body) && !folded && (self.follows_words || body.len() > MAX_FOLDED_REST_BYTES);
        may_end_body(body) || is_whole && !self.ended_with_padding && !is_text
    }
}
