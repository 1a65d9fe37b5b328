//! From raw bytes to bounded text: decode, resolve controls, redact, bound. Always in this order.

use std::path::Path;

use handrail_redact::{LastWord, RedactStream, Redactor};
use handrail_text::{Bounds, Cleaner, Cut, Cutter, Excerpt, Excerpts, Unit};

use crate::linux::interleave::Interleaver;
use crate::linux::spill::{Budget, Spill};
use crate::linux::streamed_text::StreamedText;
use crate::options::OutputLimits;
use crate::outcome::{Spilled, Stream};

/// Hardly any text has shorter tokens. So a text of less than this times the excerpt's tokens fits the excerpt whole and
/// needs no spill file.
const MIN_BYTES_PER_TOKEN: usize = 2;

/// Records both outputs of one run.
pub(crate) struct Recorder {
    redactor: Redactor,
    /// The generation of `redactor` when the run began. When it has grown by the end, a secret was added meanwhile, and all
    /// that was recorded is masked once more.
    first_generation: u64,
    channels: [Channel; 2],
    joined_output: JoinedOutput,
    /// Most characters of the joined output.
    max_joined_chars: Option<usize>,
    /// The excerpt of both outputs, and its budget in tokens.
    excerpts: Option<(Excerpts, usize)>,
    spill: Spill,
    interleaver: Interleaver,
}

/// Both outputs as one text. While only one of them has been read from, what is kept of that one serves as both: counting and
/// copying the same text twice would be a tenth of the cost of a large output.
enum JoinedOutput {
    Nothing,
    Alone(Stream),
    Both(Box<Cutter>),
}

impl JoinedOutput {
    /// Notes that something was read from this output.
    fn note_stream(&mut self, stream: Stream, channels: &[Channel; 2]) {
        match self {
            JoinedOutput::Nothing => *self = JoinedOutput::Alone(stream),
            JoinedOutput::Alone(first) if *first != stream => {
                *self = JoinedOutput::Both(Box::new(channels[*first as usize].cutter.clone()));
            }
            JoinedOutput::Alone(_) | JoinedOutput::Both(_) => {}
        }
    }

    /// Appends masked text of either output.
    fn push(&mut self, text: &[u8]) {
        if let JoinedOutput::Both(cutter) = self {
            cutter.push(text);
        }
    }
}

/// The steps that one output goes through.
struct Channel {
    cleaner: Cleaner,
    /// Passes everything while the redactor has nothing to search for; a secret can be added at any time.
    redaction: RedactStream,
    cutter: Cutter,
    raw_bytes: u64,
    /// The text for a caller who gets the output piece by piece.
    streamed: Option<StreamedText>,
}

/// What is recorded next of an output.
#[derive(Clone, Copy)]
enum Read<'a> {
    Bytes(&'a [u8]),
    End { is_cut: bool },
}

/// The record of a run's outputs.
#[derive(Default)]
pub(crate) struct Recorded {
    pub(crate) stdout: Cut,
    pub(crate) stderr: Cut,
    /// Both in the order read; `None` where one of them is all of it.
    pub(crate) joined: Option<Cut>,
    /// Present when it was asked for and not everything fits its budget.
    pub(crate) excerpt: Option<Excerpt>,
    pub(crate) raw_bytes: [u64; 2],
    pub(crate) redactions: u64,
    pub(crate) spill: Option<Spilled>,
}

impl Channel {
    fn new(redactor: &Redactor, limits: OutputLimits, is_streaming: bool) -> Channel {
        Channel {
            cleaner: Cleaner::new(),
            redaction: redactor.stream(),
            cutter: Cutter::new(Bounds::new(Unit::Bytes, limits.head_bytes, limits.tail_bytes)),
            raw_bytes: 0,
            streamed: is_streaming.then(StreamedText::default),
        }
    }
}

impl Recorder {
    pub(crate) fn new(
        redactor: Redactor,
        limits: OutputLimits,
        is_streaming: bool,
        spill_directory: &Path,
        run: u64,
        spill_budget: &Budget,
    ) -> Recorder {
        let kept_bytes = limits.head_bytes + limits.tail_bytes;
        let spill_threshold = match limits.excerpt_tokens {
            0 => kept_bytes,
            tokens => kept_bytes.min(tokens.saturating_mul(MIN_BYTES_PER_TOKEN)),
        };
        Recorder {
            channels: [0, 1].map(|_| Channel::new(&redactor, limits, is_streaming)),
            first_generation: redactor.generation(),
            redactor,
            joined_output: JoinedOutput::Nothing,
            max_joined_chars: limits.max_chars,
            excerpts: (limits.excerpt_tokens > 0).then(|| (Excerpts::new(), limits.excerpt_tokens)),
            spill: Spill::new(
                spill_directory,
                format!("run-{run}.txt"),
                spill_threshold,
                limits.spill_bytes,
                spill_budget,
            ),
            interleaver: Interleaver::default(),
        }
    }

    /// Says that the standard output is a secret alone. Has to come before any output.
    pub(crate) fn expect_secret(&mut self) {
        self.channels[0].redaction = self.redactor.stream_of_secret();
    }

    /// Records bytes that were read from this output.
    pub(crate) fn push(&mut self, stream: Stream, raw: &[u8]) {
        self.joined_output.note_stream(stream, &self.channels);
        self.channels[stream as usize].raw_bytes += raw.len() as u64;
        self.process(stream, Read::Bytes(raw));
    }

    /// Nothing more will come from this output. `is_cut`: its program may have been ended while it wrote.
    pub(crate) fn end(&mut self, stream: Stream, is_cut: bool) {
        self.process(stream, Read::End { is_cut });
    }

    /// Takes a piece of an output through all steps.
    fn process(&mut self, stream: Stream, read: Read<'_>) {
        let Recorder { channels, joined_output, excerpts, spill, interleaver, .. } = self;
        let Channel { cleaner, redaction, cutter, streamed, .. } = &mut channels[stream as usize];
        let mut piece = interleaver.begin_piece(stream);
        let mut keep_joined = |text: &[u8]| {
            joined_output.push(text);
            if let Some((excerpts, _)) = excerpts.as_mut() {
                excerpts.push(text);
            }
            spill.push(text);
        };
        let mut keep = |text: &[u8]| {
            cutter.push(text);
            interleaver.push(&mut piece, text, &mut keep_joined);
            if let Some(streamed) = streamed.as_mut() {
                streamed.push(text);
            }
        };
        match read {
            Read::Bytes(raw) => {
                cleaner.push(raw, &mut |text: &[u8]| redaction.push(text, &mut keep));
            }
            Read::End { is_cut } => {
                cleaner.finish(&mut |text: &[u8]| redaction.push(text, &mut keep));
                if is_cut {
                    redaction.finish_cut(&mut keep);
                } else {
                    redaction.finish(&mut keep);
                }
            }
        }
        let is_holding = cleaner.is_holding() || redaction.is_holding();
        interleaver.end_piece(&piece, is_holding, &mut keep_joined);
    }

    /// Whether the output is streamed, and a part of it waits for more: its last line has not ended, or ends in a secret that
    /// may go on.
    pub(crate) fn is_unfinished(&self, stream: Stream) -> bool {
        let Channel { cleaner, redaction, streamed, .. } = &self.channels[stream as usize];
        streamed.is_some() && (!cleaner.unfinished().is_empty() || redaction.is_holding())
    }

    /// Streams the part of such text that can be shown already. The record stays as it is.
    pub(crate) fn stream_unfinished_line(&mut self, stream: Stream) {
        let Channel { cleaner, redaction, streamed, .. } = &mut self.channels[stream as usize];
        if let Some(streamed) = streamed {
            streamed.push_unfinished(&redaction.paused(cleaner.unfinished(), LastWord::IfPlain));
        }
    }

    /// The text that is ready to be streamed.
    pub(crate) fn take_streamed(&mut self, stream: Stream) -> Option<String> {
        self.channels[stream as usize].streamed.as_mut()?.take()
    }

    /// The outputs, masked once more where a secret was added while they were recorded.
    pub(crate) fn finish(self) -> Recorded {
        let Recorder { redactor, first_generation, channels, joined_output, mut spill, .. } = self;
        let mut redactions = channels.iter().map(|channel| channel.redaction.findings()).sum();
        let raw_bytes = channels.each_ref().map(|channel| channel.raw_bytes);
        let [mut stdout, mut stderr] = channels.map(|channel| channel.cutter.finish());
        let is_late = redactor.generation() != first_generation;
        if is_late {
            mask_again(&redactor, &mut stdout, true);
            mask_again(&redactor, &mut stderr, true);
            spill.mask_again(&redactor);
        }
        let (mut joined, alone) = match joined_output {
            JoinedOutput::Both(cutter) => (Some(cutter.finish()), None),
            JoinedOutput::Alone(Stream::Stderr) => (None, Some(&stderr)),
            JoinedOutput::Alone(Stream::Stdout) | JoinedOutput::Nothing => (None, Some(&stdout)),
        };
        // Two halves of a secret, one on each output, form the whole secret where they meet in the joined text. Where other
        // text lies between them, they do not.
        let has_halves = joined.as_mut().is_some_and(|cut| mask_again(&redactor, cut, is_late));
        redactions += u64::from(has_halves);
        let is_cut = joined.as_ref().or(alone).is_some_and(Cut::is_truncated);
        let excerpt = self.excerpts.and_then(|(excerpts, tokens)| {
            let mut excerpt = excerpts.finish(tokens);
            if (is_late || joined.is_some())
                && let Some(masked) = redactor.redact_cut(
                    excerpt.text.as_bytes(),
                    handrail_redact::Cut { start: false, end: is_late },
                )
            {
                excerpt.text = String::from_utf8_lossy(&masked).into_owned();
            }
            (excerpt.truncated || is_cut).then_some(excerpt)
        });
        if let Some(max_chars) = self.max_joined_chars {
            let cut = joined.or_else(|| alone.cloned()).map(|cut| cut.within(max_chars));
            joined = cut.filter(|cut| alone != Some(cut));
        }
        Recorded { raw_bytes, stdout, stderr, joined, excerpt, redactions, spill: spill.finish() }
    }
}

/// Masks a recorded text once more. `is_late`: a secret was added since, and the gap between head and tail or the end of the
/// output may divide it.
fn mask_again(redactor: &Redactor, cut: &mut Cut, is_late: bool) -> bool {
    cut.redact_again(|text, start| {
        let cut = handrail_redact::Cut { start: start && is_late, end: is_late };
        let masked = redactor.redact_cut(text.as_bytes(), cut)?;
        Some(String::from_utf8_lossy(&masked).into_owned())
    })
}

#[cfg(test)]
mod tests;
