//! The input as the terminal shows it again.

use handrail_redact::Redactor;
use handrail_text::Cleaner;

/// Who shows what is typed on a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// Nobody.
    #[default]
    No,
    /// The terminal itself.
    ByTerminal,
    /// The program, which edits lines. It ends the line that it takes also where it shows nothing of it.
    ByProgram,
}

/// The lines of an input that was sent, as they may stand at the beginning of its answer.
#[derive(Default)]
pub(crate) struct Echo {
    /// Each as it is, and behind the prompt that stood on the line; with their ends, masked.
    lines: Vec<[Vec<u8>; 2]>,
    pub(crate) by: Shown,
}

impl Echo {
    pub(crate) fn new(redactor: &Redactor, prompt: &[u8], input: &[u8]) -> Self {
        let mask = |line: Vec<u8>| redactor.redact(&line).unwrap_or(line);
        let input = input.strip_suffix(b"\n").unwrap_or(input);
        let lines = input.split(|&byte| byte == b'\n').map(|line| {
            let line = [cleaned(line).as_slice(), b"\n"].concat();
            let prompted = [prompt, &line].concat();
            [mask(line), mask(prompted)]
        });
        Self { lines: lines.collect(), by: Shown::No }
    }

    /// How many bytes at the start of `text` are the input.
    pub(crate) fn length(&self, text: &[u8]) -> usize {
        if self.by == Shown::No {
            return 0;
        }
        let mut length = 0;
        for forms in &self.lines {
            let rest = &text[length..];
            let Some(form) = forms.iter().find(|form| rest.starts_with(form)) else { break };
            length += form.len();
        }
        let ended = self.by == Shown::ByProgram && text.starts_with(b"\n");
        if length == 0 && ended { 1 } else { length }
    }

    /// The most bytes it can be.
    pub(crate) fn max_bytes(&self) -> usize {
        self.lines.iter().map(|[plain, prompted]| plain.len().max(prompted.len())).sum()
    }
}

/// A line as the transcript has it: without vertical moves.
fn cleaned(line: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(line.len());
    let mut cleaner = Cleaner::with_columns(usize::MAX);
    cleaner.push(line, &mut |piece| text.extend_from_slice(piece));
    cleaner.finish(&mut |piece| text.extend_from_slice(piece));
    text
}
