//! What the text at hand is part of, and how a line is read in it.

use crate::block::{Block, Line};
use crate::engine::Engine;
use crate::output::Output;
use crate::pem::PrivateKey;
use crate::span::{Span, Swallow};
use crate::verify::{Region, Stop};

#[derive(Clone)]
pub(super) enum Mode {
    Text,
    /// Inside a private key block.
    PrivateKey(PrivateKey),
    /// Inside the lines of a block scalar, or behind the name of a pair.
    Block(Block),
    /// Inside a value too long to hold; its mask is written.
    Swallow(Swallow),
}

impl Mode {
    /// What comes after a scan that stopped behind `line`.
    pub(super) fn after(engine: &Engine, stop: Stop, line: &[u8]) -> Self {
        match stop.region {
            Region::PrivateKey => {
                Self::PrivateKey(PrivateKey::new(engine.private_key_rule(), line))
            }
            Region::Block(block) => Self::Block(block),
        }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text)
    }

    /// True when a second pass that takes a line for this finds in it, and in all that follow, what the first does that takes
    /// it for `first`: neither changes a line in which that one finds nothing, and both are alike behind it.
    pub(super) fn follows(&self, first: &Self) -> bool {
        match (self, first) {
            (Self::Text, Self::Text) => true,
            (Self::Block(block), Self::Block(first)) => block == first,
            _ => false,
        }
    }

    /// Inside the lines of a block scalar.
    pub(super) fn is_block(&self) -> bool {
        matches!(self, Self::Block(Block::Scalar(_)))
    }

    /// Emits a line, or what is left of one. The first `from` bytes are out already.
    pub(super) fn line(
        &mut self,
        engine: &Engine,
        mut line: &[u8],
        mut from: usize,
        spans: &mut Vec<Span>,
        output: &mut impl Output,
    ) {
        while from < line.len() {
            if let Self::PrivateKey(key) = self {
                let (used, ended) =
                    key.line(line, output, |text, output| prefix(engine, text, spans, output));
                if ended {
                    *self = Self::Text;
                }
                line = &line[used..];
                continue;
            }
            if let Self::Block(block) = self {
                match block.line(line, output) {
                    Line::Taken => return,
                    Line::Last => return *self = Self::Text,
                    Line::Text => {}
                    Line::Outside => *self = Self::Text,
                }
            }
            spans.clear();
            let stop = engine.scan(line, from, true, spans, None);
            let end = stop.as_ref().map_or(line.len(), |stop| stop.end);
            emit(&line[..end], from, spans, output);
            if let Some(stop) = stop {
                *self = Self::after(engine, stop, &line[..end]);
            }
            line = &line[end..];
            from = 0;
        }
    }
}

/// Emits what stands in a line before a part of a private key: text in which nothing begins.
fn prefix(engine: &Engine, mut text: &[u8], spans: &mut Vec<Span>, output: &mut impl Output) {
    while !text.is_empty() {
        spans.clear();
        let stop = engine.scan(text, 0, true, spans, None);
        let end = stop.map_or(text.len(), |stop| stop.end);
        emit(&text[..end], 0, spans, output);
        text = &text[end..];
    }
}

/// Emits `text[from..]`, with a mask for each span.
pub(super) fn emit(text: &[u8], from: usize, spans: &[Span], output: &mut impl Output) {
    let mut at = from;
    for span in spans {
        let start = span.start.max(at);
        let end = span.end.min(text.len());
        if start < end {
            output.keep(&text[at..start]);
            output.mask(span.rule, end - start, span.quoted);
            at = end;
        }
    }
    output.keep(&text[at..]);
}
