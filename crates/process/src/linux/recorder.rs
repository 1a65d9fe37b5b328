//! From raw bytes to bounded text: decode, resolve controls, redact, bound. Always in this order.

use std::path::Path;

use handrail_redact::{RedactStream, Redactor};
use handrail_text::{Bounds, Cleaner, Cut, Cutter, Excerpt, Excerpts, Unit};

use crate::linux::ahead::Piece;
use crate::linux::interleave::Order;
use crate::linux::spill::{Budget, Spill};
use crate::linux::streamed_text::StreamedText;
use crate::options::OutputLimits;
use crate::outcome::{Spilled, Stream};

/// Hardly a text has shorter tokens than this: what is shorter fits an excerpt whole and needs no spill file.
const LEAST_TOKEN_BYTES: usize = 2;

/// Records both outputs of one run.
pub(crate) struct Recorder {
    redactor: Redactor,
    /// Of `redactor` when the run began: what was recorded before a secret joined is looked at again.
    generation: u64,
    streams: [Channel; 2],
    joined: Joined,
    /// Characters of `joined` for its reader.
    max_chars: Option<usize>,
    /// Of both outputs, and its budget in tokens.
    excerpts: Option<(Excerpts, usize)>,
    spill: Spill,
    order: Order,
}

/// Both outputs as one text. While only one of them was read from, that is what is kept of it: counting and copying the same
/// twice is a tenth of what a large output costs.
enum Joined {
    Nothing,
    Alone(Stream),
    Both(Box<Cutter>),
}

impl Joined {
    /// Something was read from this output.
    fn add(&mut self, stream: Stream, streams: &[Channel; 2]) {
        match self {
            Joined::Nothing => *self = Joined::Alone(stream),
            Joined::Alone(first) if *first != stream => {
                *self = Joined::Both(Box::new(streams[*first as usize].cutter.clone()));
            }
            Joined::Alone(_) | Joined::Both(_) => {}
        }
    }

    /// Takes masked text of any output in its place.
    fn push(&mut self, text: &[u8]) {
        if let Joined::Both(cutter) = self {
            cutter.push(text);
        }
    }
}

struct Channel {
    cleaner: Cleaner,
    /// Passes everything while there is nothing to look for; a secret can join at any time.
    redaction: RedactStream,
    cutter: Cutter,
    raw_bytes: u64,
    /// When the run asked for it.
    live: Option<StreamedText>,
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
    pub(crate) stdout: Cut,
    pub(crate) stderr: Cut,
    /// Both in the order read; `None` where one of them is all of it.
    pub(crate) joined: Option<Cut>,
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
            cutter: Cutter::new(Bounds::new(Unit::Bytes, limits.head_bytes, limits.tail_bytes)),
            raw_bytes: 0,
            live: stream.then(StreamedText::default),
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
            joined: Joined::Nothing,
            max_chars: limits.max_chars,
            excerpts: (limits.excerpt_tokens > 0).then(|| (Excerpts::new(), limits.excerpt_tokens)),
            spill: Spill::new(directory, run, threshold, limits.spill_bytes, budget),
            order: Order::default(),
        }
    }

    pub(crate) fn push(&mut self, stream: Stream, raw: &[u8]) {
        self.joined.add(stream, &self.streams);
        self.streams[stream as usize].raw_bytes += raw.len() as u64;
        self.process(stream, Input::Raw(raw));
    }

    /// The same for what was cleaned already, by [`Self::cleaner`].
    pub(crate) fn push_cleaned(&mut self, stream: Stream, piece: &Piece) {
        self.joined.add(stream, &self.streams);
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
        let Recorder { streams, joined, excerpts, spill, order, .. } = self;
        let Channel { cleaner, redaction, cutter, live, .. } = &mut streams[stream as usize];
        let mut turn = order.turn(stream);
        let mut keep_both = |text: &[u8]| {
            joined.push(text);
            if let Some((excerpts, _)) = excerpts.as_mut() {
                excerpts.push(text);
            }
            spill.push(text);
        };
        let mut keep = |text: &[u8]| {
            cutter.push(text);
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
        let Recorder { redactor, generation, streams, joined, max_chars, mut spill, .. } = self;
        let mut redactions = streams.iter().map(|channel| channel.redaction.findings()).sum();
        let raw_bytes = streams.each_ref().map(|channel| channel.raw_bytes);
        let [mut stdout, mut stderr] = streams.map(|channel| channel.cutter.finish());
        let late = redactor.generation() != generation;
        if late {
            mask_again(&redactor, &mut stdout, true);
            mask_again(&redactor, &mut stderr, true);
            spill.mask_again(&redactor);
        }
        let (mut joined, alone) = match joined {
            Joined::Both(cutter) => (Some(cutter.finish()), None),
            Joined::Alone(Stream::Stderr) => (None, Some(&stderr)),
            Joined::Alone(Stream::Stdout) | Joined::Nothing => (None, Some(&stdout)),
        };
        // Half of a secret on one output and half on the other may be whole where they meet. It need not be: what
        // lies between its halves hides it.
        let has_halves = joined.as_mut().is_some_and(|cut| mask_again(&redactor, cut, late));
        redactions += u64::from(has_halves);
        let is_cut = joined.as_ref().or(alone).is_some_and(Cut::is_truncated);
        let excerpt = self.excerpts.and_then(|(excerpts, tokens)| {
            let mut excerpt = excerpts.finish(tokens);
            if (late || joined.is_some())
                && let Some(masked) = redactor.redact(excerpt.text.as_bytes())
            {
                excerpt.text = String::from_utf8_lossy(&masked).into_owned();
            }
            (excerpt.truncated || is_cut).then_some(excerpt)
        });
        if let Some(max_chars) = max_chars {
            let cut = joined.or_else(|| alone.cloned()).map(|cut| cut.within(max_chars));
            joined = cut.filter(|cut| alone != Some(cut));
        }
        Recorded { raw_bytes, stdout, stderr, joined, excerpt, redactions, spill: spill.finish() }
    }
}

/// Masks what was recorded. `late`: a secret joined since; the cut between head and tail may have divided it.
fn mask_again(redactor: &Redactor, cut: &mut Cut, late: bool) -> bool {
    cut.redact_again(|text, start, end| {
        let cut = handrail_redact::Cut { start: start && late, end: end && late };
        let masked = redactor.redact_cut(text.as_bytes(), cut)?;
        Some(String::from_utf8_lossy(&masked).into_owned())
    })
}

#[cfg(test)]
mod tests;
