//! From raw bytes to bounded text: decode, resolve controls, redact, bound. Always in this order.

use std::path::Path;

use handrail_redact::{Cut, RedactStream, Redactor};
use handrail_text::{Capture, Captured, Cleaner, Excerpt, Excerpts, Place};

use crate::ahead::Piece;
use crate::options::OutputLimits;
use crate::order::Order;
use crate::outcome::{Spilled, Stream};
use crate::spill::{Budget, Spill};
use crate::told::Told;

/// Hardly a text has shorter tokens than this: what is shorter fits an excerpt whole and needs no spill file.
const LEAST_TOKEN_BYTES: usize = 2;

/// Records both outputs of one run.
pub(crate) struct Recorder {
    redactor: Redactor,
    /// Of `redactor` when the run began: what was recorded before a secret joined is looked at again.
    generation: u64,
    streams: [Channel; 2],
    together: Together,
    /// Of both outputs, and its budget in tokens.
    excerpts: Option<(Excerpts, usize)>,
    spill: Spill,
    order: Order,
}

/// Both outputs as one text. While only one of them was heard, that is what is kept of it: counting and copying the same
/// twice is a tenth of what a large output costs.
enum Together {
    Silence,
    Alone(Stream),
    Both(Box<Capture>),
}

impl Together {
    /// Something came from this output.
    fn hear(&mut self, stream: Stream, streams: &[Channel; 2]) {
        match self {
            Together::Silence => *self = Together::Alone(stream),
            Together::Alone(first) if *first != stream => {
                *self = Together::Both(Box::new(streams[*first as usize].capture.clone()));
            }
            Together::Alone(_) | Together::Both(_) => {}
        }
    }

    /// Takes text of any output in its place.
    fn push(&mut self, text: &[u8]) {
        if let Together::Both(capture) = self {
            capture.push(text);
        }
    }

    fn finish(self, streams: &[Channel; 2]) -> Captured {
        let capture = match self {
            Together::Silence => streams[0].capture.clone(),
            Together::Alone(stream) => streams[stream as usize].capture.clone(),
            Together::Both(capture) => *capture,
        };
        capture.finish()
    }
}

struct Channel {
    cleaner: Cleaner,
    /// Passes everything while there is nothing to look for; a secret can join at any time.
    redaction: RedactStream,
    capture: Capture,
    raw_bytes: u64,
    /// When the run asked for it.
    live: Option<Told>,
}

/// What an output gives next.
#[derive(Clone, Copy)]
enum Input<'a> {
    Raw(&'a [u8]),
    Cleaned(&'a Piece),
    End,
}

/// What was recorded.
#[derive(Default)]
pub(crate) struct Recorded {
    pub(crate) stdout: Captured,
    pub(crate) stderr: Captured,
    pub(crate) combined: Captured,
    /// When it was asked for and not everything fits its budget.
    pub(crate) excerpt: Option<Excerpt>,
    pub(crate) raw_bytes: [u64; 2],
    pub(crate) redactions: u64,
    pub(crate) spill: Option<Spilled>,
}

impl Channel {
    fn new(redactor: &Redactor, limits: OutputLimits, stream: bool) -> Channel {
        Channel {
            cleaner: Cleaner::new(),
            redaction: redactor.stream(),
            capture: Capture::new(limits.head_bytes, limits.tail_bytes),
            raw_bytes: 0,
            live: stream.then(Told::default),
        }
    }
}

impl Recorder {
    pub(crate) fn new(
        redactor: Redactor,
        limits: OutputLimits,
        stream: bool,
        directory: &Path,
        run: u64,
        budget: &Budget,
    ) -> Recorder {
        let kept = limits.head_bytes + limits.tail_bytes;
        let threshold = match limits.excerpt_tokens {
            0 => kept,
            tokens => kept.min(tokens.saturating_mul(LEAST_TOKEN_BYTES)),
        };
        Recorder {
            streams: [0, 1].map(|_| Channel::new(&redactor, limits, stream)),
            generation: redactor.generation(),
            redactor,
            together: Together::Silence,
            excerpts: (limits.excerpt_tokens > 0).then(|| (Excerpts::new(), limits.excerpt_tokens)),
            spill: Spill::new(directory, run, threshold, limits.spill_bytes, budget),
            order: Order::default(),
        }
    }

    pub(crate) fn push(&mut self, stream: Stream, raw: &[u8]) {
        self.together.hear(stream, &self.streams);
        self.streams[stream as usize].raw_bytes += raw.len() as u64;
        self.process(stream, Input::Raw(raw));
    }

    /// The same for what was cleaned already, by [`Self::cleaner`].
    pub(crate) fn push_cleaned(&mut self, stream: Stream, piece: &Piece) {
        self.together.hear(stream, &self.streams);
        self.streams[stream as usize].raw_bytes += piece.cleaned_bytes() as u64;
        self.process(stream, Input::Cleaned(piece));
    }

    /// Whether there is anything to look for. Without, nothing takes longer than reading.
    pub(crate) fn is_searching(&self) -> bool {
        !self.redactor.is_passthrough()
    }

    /// What cleans this output: to be lent, and back before the next call.
    pub(crate) fn cleaner(&mut self, stream: Stream) -> &mut Cleaner {
        &mut self.streams[stream as usize].cleaner
    }

    /// Nothing more will come from this stream.
    pub(crate) fn end(&mut self, stream: Stream) {
        self.process(stream, Input::End);
    }

    fn process(&mut self, stream: Stream, input: Input<'_>) {
        let Recorder { streams, together, excerpts, spill, order, .. } = self;
        let Channel { cleaner, redaction, capture, live, .. } = &mut streams[stream as usize];
        let mut turn = order.turn(stream);
        let mut keep_both = |text: &[u8]| {
            together.push(text);
            if let Some((excerpts, _)) = excerpts.as_mut() {
                excerpts.push(text);
            }
            spill.push(text);
        };
        let mut keep = |text: &[u8]| {
            capture.push(text);
            order.pass(&mut turn, text, &mut keep_both);
            if let Some(live) = live.as_mut() {
                live.push(text);
            }
        };
        let holding = match input {
            Input::Raw(raw) => {
                cleaner.push(raw, &mut |text: &[u8]| redaction.push(text, &mut keep));
                cleaner.is_holding() || redaction.is_holding()
            }
            Input::Cleaned(piece) => {
                piece.texts().for_each(|text| redaction.push(text, &mut keep));
                piece.is_holding() || redaction.is_holding()
            }
            Input::End => {
                cleaner.finish(&mut |text: &[u8]| redaction.push(text, &mut keep));
                redaction.finish(&mut keep);
                false
            }
        };
        order.done(&turn, holding, &mut keep_both);
    }

    /// Whether a line has not ended, of which a part could be told.
    pub(crate) fn is_unfinished(&self, stream: Stream) -> bool {
        let channel = &self.streams[stream as usize];
        channel.live.is_some() && !channel.cleaner.unfinished().is_empty()
    }

    /// Nothing came for a while: what can be told of an unfinished line is. The record stays what it is.
    pub(crate) fn pause(&mut self, stream: Stream) {
        let Channel { cleaner, redaction, live, .. } = &mut self.streams[stream as usize];
        if let Some(live) = live {
            let line = cleaner.unfinished();
            live.show(&line[..redaction.showable(line)]);
        }
    }

    /// The text that is ready to be streamed.
    pub(crate) fn take_outgoing(&mut self, stream: Stream) -> Option<String> {
        self.streams[stream as usize].live.as_mut()?.take()
    }

    pub(crate) fn finish(self) -> Recorded {
        let Recorder { redactor, generation, streams, together, excerpts, mut spill, .. } = self;
        let mut combined = together.finish(&streams);
        let [stdout, stderr] = streams;
        let mut redactions = stdout.redaction.findings() + stderr.redaction.findings();
        let raw_bytes = [stdout.raw_bytes, stderr.raw_bytes];
        let [mut stdout, mut stderr] = [stdout, stderr].map(|channel| channel.capture.finish());
        let late = redactor.generation() != generation;
        if late {
            mask_again(&redactor, &mut stdout, true);
            mask_again(&redactor, &mut stderr, true);
            spill.mask_again(&redactor);
        }
        // Half of a secret on one output and half on the other may be whole here. It need not be: what
        // lies between its halves hides it.
        if mask_again(&redactor, &mut combined, late) {
            redactions += 1;
        }
        let excerpt = excerpts.and_then(|(excerpts, tokens)| {
            let mut excerpt = excerpts.finish(tokens);
            if let Some(masked) = redactor.redact(excerpt.text.as_bytes()) {
                excerpt.text = String::from_utf8_lossy(&masked).into_owned();
            }
            (excerpt.truncated || combined.truncated).then_some(excerpt)
        });
        Recorded { raw_bytes, stdout, stderr, combined, excerpt, redactions, spill: spill.finish() }
    }
}

/// Masks what was recorded. `late`: a secret joined since; the cut between head and tail may have divided it.
fn mask_again(redactor: &Redactor, captured: &mut Captured, late: bool) -> bool {
    let is_cut = late && captured.truncated;
    captured.redact_again(|place, text| {
        let cut =
            Cut { start: is_cut && place == Place::Tail, end: is_cut && place == Place::Head };
        let masked = redactor.redact_cut(text.as_bytes(), cut)?;
        Some(String::from_utf8_lossy(&masked).into_owned())
    })
}

#[cfg(test)]
mod tests;
