//! Writing a whole file.

use std::ops::Range;

use handrail_redact::find_masks;

use crate::linux::answer::WrittenFile;
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, file_id};
use crate::linux::ledger::{FileId, NewContent, Seen};
use crate::linux::line_diff::{count_changes, with_old_ends};
use crate::linux::path::Asked;
use crate::linux::publish::Change;
use crate::linux::read::Content;
use crate::linux::request::{Overwrite, Text, WriteRequest};
use crate::linux::restore::{Draft, Fault, FaultKind, Hunk};
use crate::linux::text::{
    Document, Encoding, LOST, Newline, count_lines, line_at, named_lines, with_crlf,
};
use crate::linux::view::View;
use crate::refusal::{Refusal, code};

/// Tries when a file is exchanged between finding and opening it.
const MAX_TRIES: usize = 32;
/// Stretches that were read that a message names.
const SHOWN_STRETCHES: usize = 3;
/// What a refusal to write is titled.
pub(crate) const NOT_WRITTEN: &str = "Not written";
const BOM: char = '\u{feff}';

impl Files {
    /// Makes a file or replaces its content.
    pub fn write(&self, request: &WriteRequest) -> Result<WrittenFile, Refusal> {
        self.write_file(request).map_err(|refusal| self.masked(refusal))
    }

    fn write_file(&self, request: &WriteRequest) -> Result<WrittenFile, Refusal> {
        let content = new_text_of(&request.content, "The content")?;
        for _ in 0..MAX_TRIES {
            let (asked, handle) = self.place(&request.path, Purpose::Write)?;
            let _lock = Files::lock(&handle);
            let mut answer = WrittenFile {
                path: self.display(handle.canonical()),
                absolute: self.masked_text(&handle.canonical().to_string_lossy()),
                ..WrittenFile::default()
            };
            let anew = |answer: &mut WrittenFile| {
                answer.added = count_lines(content);
                let bytes = new_file(&asked, content)?;
                Ok((self.new_content(&bytes, content), bytes))
            };
            let ((now, bytes), old) = if handle.stat().is_none() {
                answer.created = true;
                (anew(&mut answer)?, None)
            } else if let Some(&stat) = handle.stat().filter(|stat| {
                // What cannot be read cannot be known either.
                request.overwrite == Overwrite::Always
                    && stat.st_size.cast_unsigned() > self.max_read_bytes
            }) {
                (anew(&mut answer)?, Some(stat))
            } else {
                let Some(old) = self.content(&asked, &handle, Purpose::Write)? else { continue };
                self.check_identity(&asked, &old.stat, Purpose::Write)?;
                let stat = old.stat;
                (
                    self.replacement(&asked, content, old, request.overwrite, &mut answer)?,
                    Some(stat),
                )
            };
            let change = match old {
                Some(old) => Change::replacing(asked, handle, old, bytes),
                None => Change::creating(asked, handle, bytes, false),
            };
            let stat = change.publish(self.way)?;
            answer.bytes = change.bytes.len();
            answer.version = self.version(&change.handle, now.hash);
            answer.total_lines = count_lines(&now.shown);
            self.ledger().record_change(file_id(&stat), &now);
            return Ok(answer);
        }
        let reason = "the file is being replaced all the time";
        Err(Refusal::new(code::CHANGED_ON_DISK, reason).titled(NOT_WRITTEN))
    }

    /// What is remembered of a text that has no mask.
    pub(crate) fn new_content(&self, bytes: &[u8], text: &str) -> NewContent {
        let text = text.strip_prefix(BOM).unwrap_or(text);
        let shown = View::of(&self.redactor, text).text.into_owned();
        NewContent { hash: self.ledger().hash(bytes), shown, numbers: Vec::new() }
    }

    /// The bytes that replace an old content.
    fn replacement(
        &self,
        asked: &Asked,
        content: &str,
        old: Content,
        overwrite: Overwrite,
        answer: &mut WrittenFile,
    ) -> Result<(NewContent, Vec<u8>), Refusal> {
        let (file, hash) = (file_id(&old.stat), old.hash);
        let document = Document::decode(old.bytes);
        let view = View::of(&self.redactor, &document.text);
        let numbers = self.ledger().numbers(file, hash);
        if view.has_unseen(&document.text, [content].into_iter(), numbers.as_deref()) {
            return Err(stale_numbers(asked));
        }
        if overwrite == Overwrite::Known {
            self.check_known((file, hash), &document, &view)
                .map_err(|unknown| unknown.refuse(asked, &Undone::WRITE))?;
        }
        if !document.encoding.is_exact() {
            if let Some(at) = content.find(LOST).filter(|_| document.text.contains(LOST)) {
                return Err(lossy(asked, line_at(content, at)));
            }
            answer.added = count_lines(content);
            let bytes = new_file(asked, content)?;
            return Ok((self.new_content(&bytes, content), bytes));
        }
        let content = content.strip_prefix(BOM).unwrap_or(content);
        let newline = document.newline();
        let is_bare = Newline::of(content) == Newline::Lf;
        answer.kept_crlf = newline == Newline::Crlf && is_bare;
        let new = if answer.kept_crlf { with_crlf(content) } else { content.to_owned() };
        (answer.added, answer.removed) = count_changes(&view.text, &new);
        let keep_ends = newline == Newline::Mixed && is_bare;
        let new = if keep_ends { with_old_ends(&view.text, &new) } else { new };
        let mut draft = Draft::new(&view);
        let whole = 0..view.text.len();
        draft.replace(&Hunk { shown: whole.clone(), new, whole });
        let rebuilt = draft
            .rebuild(&self.redactor, &document.text)
            .map_err(|fault| refuse_mask(asked, fault))?;
        answer.restored_masks = rebuilt.restored;
        let bytes = document.encode(&rebuilt.text);
        let hash = self.ledger().hash(&bytes);
        let numbers = numbers.filter(|_| rebuilt.keeps_numbers).unwrap_or_default();
        Ok((NewContent { hash, shown: rebuilt.shown, numbers }, bytes))
    }
}

/// Why a content is not lost: nobody has seen it.
#[derive(Debug)]
pub(crate) enum Unknown {
    Never,
    Partly(Vec<Range<usize>>, usize),
    Changed(Option<(usize, usize)>),
}

/// How a message says that a content is not lost, and what may be done instead of reading it.
#[derive(Debug)]
pub(crate) struct Undone {
    what: &'static str,
    or: &'static str,
}

impl Undone {
    const WRITE: Undone = Undone { what: NOT_WRITTEN, or: "or say that it is to be overwritten" };
    pub(crate) const REMOVE: Undone =
        Undone { what: "Not removed", or: "or remove it with a command" };
}

impl Files {
    /// Whether all of a content that is to be lost was read or written here.
    pub(crate) fn check_known(
        &self,
        (file, hash): (FileId, u64),
        document: &Document,
        view: &View<'_>,
    ) -> Result<(), Unknown> {
        match self.ledger().seen(file, hash, &view.text) {
            // Nothing of it was shown.
            Seen::Same if document.encoding == Encoding::Binary => Err(Unknown::Never),
            Seen::Same => Ok(()),
            Seen::Never => Err(Unknown::Never),
            Seen::Partly(given, total) => Err(Unknown::Partly(given, total)),
            Seen::Changed(lines) => Err(Unknown::Changed(lines)),
        }
    }
}

impl Unknown {
    pub(crate) fn refuse(self, asked: &Asked, undone: &Undone) -> Refusal {
        match self {
            Unknown::Never => unseen(asked, undone),
            Unknown::Partly(given, total) => partly_seen(asked, undone, &given, total),
            Unknown::Changed(lines) => changed_since_read(asked, undone, lines),
        }
    }
}

/// The text, if it is one.
pub(crate) fn text_of<'t>(text: &'t Text, what: &str) -> Result<&'t str, Refusal> {
    let half = || {
        Refusal::new(
            code::INVALID_TEXT,
            format!("{what} holds half a character; nothing was written"),
        )
    };
    text.0.as_deref().ok_or_else(half)
}

/// The text, if a text file can hold it.
pub(crate) fn new_text_of<'t>(text: &'t Text, what: &str) -> Result<&'t str, Refusal> {
    let text = text_of(text, what)?;
    match memchr::memchr(0, text.as_bytes()) {
        None => Ok(text),
        Some(at) => {
            let line = line_at(text, at);
            let message =
                format!("{what} holds a NUL character on line {line}; nothing was written");
            let hint = "A file with one is no text. Write an escape like \\0 instead.";
            Err(Refusal::new(code::INVALID_TEXT, message).with_hint(hint))
        }
    }
}

/// A file that hides nothing has no secret for a mask to stand for.
pub(crate) fn new_file(asked: &Asked, content: &str) -> Result<Vec<u8>, Refusal> {
    match find_masks(content.as_bytes()).first() {
        None => Ok(content.as_bytes().to_vec()),
        Some(mask) => {
            let line = line_at(content, mask.start);
            Err(refuse_mask(asked, Fault { kind: FaultKind::Unknown, line, hunk: 0 }))
        }
    }
}

/// The text was made from a view that does not show what is in the file.
fn lossy(asked: &Asked, line: usize) -> Refusal {
    let reason = format!(
        "{} is no UTF-8 or UTF-16 text, and line {line} of the new one has U+FFFD, which is shown in place of other \
         characters",
        asked.shown
    );
    let hint = "Edit what is plain ASCII in it: all else stays as it is.";
    let refusal = Refusal::new(code::NOT_EDITABLE, reason).titled(NOT_WRITTEN);
    refusal.with_lines(vec![line]).with_hint(hint)
}

fn unseen(asked: &Asked, Undone { what, or }: &Undone) -> Refusal {
    let reason = format!("{} exists and you have not seen its current content", asked.shown);
    Refusal::new(code::EXISTS, reason).titled(what).with_hint(format!("Read it, {or}."))
}

fn partly_seen(
    asked: &Asked,
    Undone { what, or }: &Undone,
    given: &[Range<usize>],
    total: usize,
) -> Refusal {
    let named = |lines: &Range<usize>| named_lines(lines.start + 1, lines.end);
    let mut read: Vec<String> = given.iter().take(SHOWN_STRETCHES).map(named).collect();
    if given.len() > read.len() {
        read.push("…".into());
    }
    let reason = format!(
        "{} exists, and of its {total} lines you have read only {}",
        asked.shown,
        read.join(", ")
    );
    let next = given.first().filter(|first| first.start == 0).map_or(1, |first| first.end + 1);
    let hint = format!("Read on from line {next}, {or}.");
    Refusal::new(code::EXISTS, reason).titled(what).with_lines(vec![next]).with_hint(hint)
}

fn changed_since_read(
    asked: &Asked,
    Undone { what, or }: &Undone,
    lines: Option<(usize, usize)>,
) -> Refusal {
    let reason = format!("{} changed on disk since you read it", asked.shown);
    let (reason, lines) = match lines {
        Some((first, last)) => {
            (format!("{reason}; changed now: {}", named_lines(first, last)), vec![first, last])
        }
        None => (reason, Vec::new()),
    };
    let refusal = Refusal::new(code::CHANGED_ON_DISK, reason).titled(what).with_lines(lines);
    refusal.with_hint(format!("Read it again, {or}."))
}

const ABOUT_MASKS: &str = "Copy each mask as the file shows it, once; it stands for its own secret wherever you put it. Or \
                           write the text without the mask.";

/// Why a text with masks is not written.
pub(crate) fn refuse_mask(asked: &Asked, Fault { kind, line, .. }: Fault) -> Refusal {
    let what = match kind {
        FaultKind::Unknown => {
            format!("the mask on line {line} of the new text stands for no secret")
        }
        FaultKind::Unnumbered(count) => {
            format!(
                "the mask on line {line} of the new text does not say which of {count} secrets it stands for"
            )
        }
        FaultKind::Twice => {
            format!("the mask on line {line} of the new text stands there a second time")
        }
        FaultKind::Shown => format!(
            "the change would show the secret that is masked on line {line} of the new text"
        ),
    };
    let hint = match kind {
        FaultKind::Unnumbered(_) => "Read the file, and copy the masks with their numbers.",
        FaultKind::Shown => "Leave it where its name, its key or its form makes it one.",
        FaultKind::Unknown | FaultKind::Twice => ABOUT_MASKS,
    };
    let refusal = Refusal::new(code::MASK_IN_TEXT, format!("in {} {what}", asked.shown));
    refusal.titled(NOT_WRITTEN).with_lines(vec![line]).with_hint(hint)
}

/// A text has the numbers of masks of another content, or of one that nobody has seen.
pub(crate) fn stale_numbers(asked: &Asked) -> Refusal {
    let reason =
        format!("the numbers of masks in your text are not those of {} as it is now", asked.shown);
    Refusal::new(code::CHANGED_ON_DISK, reason)
        .titled(NOT_WRITTEN)
        .with_hint("Read it again, and copy the masks from there.")
}
