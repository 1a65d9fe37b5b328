//! Here-documents: the lines that follow a command.

use std::cell::OnceCell;
use std::rc::Rc;

use super::super::tree::RawWord;
use super::super::unread::Unread;
use super::word::Quote;
use super::{Parsed, Reader};

/// A here-document whose lines have not been reached.
pub(super) struct PendingDocument {
    delimiter: String,
    /// Whether a part of the delimiter is quoted, so that the lines are literal.
    literal: bool,
    /// Whether tabs at the beginning of each line are removed.
    strips: bool,
    body: Rc<OnceCell<RawWord>>,
    at: usize,
}

impl Reader<'_> {
    /// Reads the delimiter of a here-document. Its lines are read at the end of the present line.
    pub(super) fn document(&mut self, strips: bool) -> Parsed<Rc<OnceCell<RawWord>>> {
        let at = self.position;
        let word = self.argument()?;
        let Some(delimiter) = word.literal() else {
            return Err(self.unread(Unread::DocumentEnd, at));
        };
        let body = Rc::new(OnceCell::new());
        let literal = word.quoted;
        self.pending.push(PendingDocument {
            delimiter,
            literal,
            strips,
            body: Rc::clone(&body),
            at,
        });
        Ok(body)
    }

    pub(super) fn no_document_is_pending(&self) -> Parsed<()> {
        match self.pending.first() {
            Some(pending) => Err(self.unread(Unread::DocumentEnd, pending.at)),
            None => Ok(()),
        }
    }

    /// Reads a line feed, and the here-documents that follow it.
    pub(super) fn end_line(&mut self) -> Parsed<()> {
        self.position += 1;
        if self.outer_pending > 0 {
            return Err(self.unread(Unread::DocumentEnd, self.position - 1));
        }
        for pending in std::mem::take(&mut self.pending) {
            let body = self.lines(&pending)?;
            // The body of a here-document is set only here, so this cannot fail.
            let _ = pending.body.set(body);
        }
        Ok(())
    }

    fn lines(&mut self, pending: &PendingDocument) -> Parsed<RawWord> {
        let start = self.position;
        let mut text = String::new();
        let mut offsets = Vec::new();
        loop {
            if self.peek(0).is_none() {
                return Err(self.unread(Unread::DocumentEnd, pending.at));
            }
            let line = text.len();
            self.line(pending, &mut text, &mut offsets);
            let ended = text[line..].strip_suffix('\n');
            if ended.unwrap_or(&text[line..]) == pending.delimiter {
                text.truncate(line);
                offsets.truncate(line);
                break;
            }
            if ended.is_none() {
                return Err(self.unread(Unread::DocumentEnd, pending.at));
            }
        }
        offsets.push(self.offset(self.position));
        let span = self.span(start);
        if pending.literal {
            let mut body = RawWord { span, ..RawWord::default() };
            body.push_quoted(&text);
            return Ok(body);
        }
        let mut body = self.within(&text, &offsets, |reader| {
            let mut body = RawWord::default();
            body.push_quoted("");
            while reader.peek(0).is_some() {
                reader.quoted_piece(&mut body, Quote::Document)?;
            }
            Ok(body)
        })?;
        body.span = span;
        Ok(body)
    }

    /// Reads one line with its line feed. Where lines are not literal, a backslash at the end joins the next line,
    /// before the delimiter is compared.
    fn line(&mut self, pending: &PendingDocument, text: &mut String, offsets: &mut Vec<usize>) {
        if pending.strips {
            let tabs = self.rest().bytes().take_while(|byte| *byte == b'\t').count();
            self.position += tabs;
        }
        loop {
            let at = self.offset(self.position);
            let Some(character) = self.next_character() else { return };
            if character == '\\' && !pending.literal {
                match self.peek(0) {
                    Some(b'\n') => {
                        self.position += 1;
                        continue;
                    }
                    Some(_) => {
                        text.push('\\');
                        offsets.resize(text.len(), at);
                        let at = self.offset(self.position);
                        let next = self.next_character().unwrap_or('\\');
                        text.push(next);
                        offsets.resize(text.len(), at);
                        continue;
                    }
                    None => {}
                }
            }
            text.push(character);
            offsets.resize(text.len(), at);
            if character == '\n' {
                return;
            }
        }
    }
}
