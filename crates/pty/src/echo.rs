//! The echo: the input as the terminal shows it again.

use handrail_redact::Redactor;
use handrail_text::Cleaner;

/// Who echoes the input on a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// Nobody does.
    #[default]
    No,
    /// The terminal itself does.
    ByTerminal,
    /// The program does, because it edits lines. It also ends the line of an input that it does not show.
    ByProgram,
}

/// The lines of an input that was sent, in the forms that may begin its answer.
#[derive(Default)]
pub(crate) struct Echo {
    /// Each line as it is, and after the prompt that stood before it. Both are masked and end with a newline.
    lines: Vec<[Vec<u8>; 2]>,
    pub(crate) by: Shown,
    /// Whether the program paints the lines, with other blanks and more than once, and has done nothing else so far.
    pub(crate) is_painted: bool,
}

impl Echo {
    pub(crate) fn new(redactor: &Redactor, prompt: &[u8], input: &[u8]) -> Self {
        let mask = |line: Vec<u8>| redactor.redact(&line).unwrap_or(line);
        let input = input.strip_suffix(b"\n").unwrap_or(input);
        let lines = input.split(|&byte| byte == b'\n').map(|line| {
            let line = [cleaned(line).as_slice(), b"\n"].concat();
            let prompted_line = [prompt, &line].concat();
            [mask(line), mask(prompted_line)]
        });
        Self { lines: lines.collect(), by: Shown::No, is_painted: false }
    }

    /// How many bytes at the start of `text` are the echo of the input.
    pub(crate) fn length(&self, text: &[u8]) -> usize {
        if self.by == Shown::No {
            return 0;
        }
        if self.is_painted {
            return self.painted(text).0;
        }
        let mut length = 0;
        for forms in &self.lines {
            let rest = &text[length..];
            let Some(form) = forms.iter().find(|form| rest.starts_with(form)) else { break };
            length += form.len();
        }
        let line_was_ended = self.by == Shown::ByProgram && text.starts_with(b"\n");
        if length == 0 && line_was_ended { 1 } else { length }
    }

    /// Whether `text` is the beginning of the echo, and its rest may follow.
    pub(crate) fn may_continue(&self, text: &[u8]) -> bool {
        if self.by == Shown::No {
            return false;
        }
        if self.is_painted {
            return self.painted(text).1;
        }
        let mut rest = text;
        for forms in &self.lines {
            match forms.iter().find(|form| rest.starts_with(form)) {
                Some(form) => rest = &rest[form.len()..],
                None => return forms.iter().any(|form| form.starts_with(rest)),
            }
        }
        false
    }

    /// How many bytes at the start of `text` are lines that were painted, and whether the rest is the beginning of one.
    fn painted(&self, text: &[u8]) -> (usize, bool) {
        let lines: Vec<_> = self.lines.iter().map(|[line, _]| without_blanks(line)).collect();
        let (mut length, mut at) = (0, 0);
        let mut begun = Vec::new();
        for row in text.split_inclusive(|&byte| byte == b'\n') {
            at += row.len();
            begun.extend(without_blanks(row));
            if !lines.iter().any(|line| line.starts_with(&begun)) {
                return (length, false);
            }
            if row.ends_with(b"\n") && (begun.is_empty() || lines.contains(&begun)) {
                length = at;
                begun.clear();
            }
        }
        (length, true)
    }

    /// The largest length of the echo.
    pub(crate) fn max_bytes(&self) -> usize {
        self.lines.iter().map(|[plain, prompted_line]| plain.len().max(prompted_line.len())).sum()
    }
}

fn without_blanks(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// A line as the transcript contains it: without vertical moves.
fn cleaned(line: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(line.len());
    let mut cleaner = Cleaner::with_columns(usize::MAX);
    cleaner.push(line, &mut |piece| text.extend_from_slice(piece));
    cleaner.finish(&mut |piece| text.extend_from_slice(piece));
    text
}
