//! Writes a whole file.

use std::ops::Range;

use handrail_redact::find_masks;

use crate::linux::answer::WrittenFile;
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, file_id};
use crate::linux::ledger::{FileId, NewContent, Unseen};
use crate::linux::line_diff::{count_changes, with_old_ends};
use crate::linux::path::RequestedPath;
use crate::linux::publish::Change;
use crate::linux::read::Content;
use crate::linux::request::{Overwrite, Text, WriteRequest};
use crate::linux::restore::{Draft, MaskError, MaskErrorKind, TextChange};
use crate::linux::text::{
    Document, Encoding, Newline, REPLACEMENT_CHARACTER, count_lines, line_at, line_range_name,
    with_crlf,
};
use crate::linux::until_stable;
use crate::linux::view::MaskedView;
use crate::refusal::{Refusal, code};

/// Most ranges of read lines that a message names.
const MAX_SHOWN_RANGES: usize = 3;
/// Title of a refusal to write.
pub(crate) const NOT_WRITTEN: &str = "Not written";
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Files {
    pub(super) fn write_file(&self, request: &WriteRequest) -> Result<WrittenFile, Refusal> {
        let content = new_text(&request.content, "The content")?;
        until_stable(Some(NOT_WRITTEN), || {
            let (requested, handle) = self.place(&request.path, Purpose::Write)?;
            let _lock = Files::lock(&handle);
            let mut answer = WrittenFile {
                path: self.display(handle.canonical()),
                absolute: self.masked_text(&handle.canonical().to_string_lossy()),
                ..WrittenFile::default()
            };
            let old = match handle.stat() {
                None => None,
                // A file that cannot be read cannot be known either.
                Some(&stat)
                    if request.overwrite == Overwrite::Always
                        && stat.st_size.cast_unsigned() > self.max_read_bytes =>
                {
                    Some((stat, None))
                }
                Some(_) => {
                    let old = self.content(&requested, &handle, Purpose::Write)?;
                    let Some(old) = old else { return Ok(None) };
                    self.check_identity(&requested, &old.stat, Purpose::Write)?;
                    Some((old.stat, Some(old)))
                }
            };
            let (change, now) = match old {
                Some((stat, Some(old))) => {
                    let overwrite = request.overwrite;
                    let (now, bytes) =
                        self.replacement(&requested, content, old, overwrite, &mut answer)?;
                    (Change::replacing(requested, handle, stat, bytes), now)
                }
                unread => {
                    answer.added = count_lines(content);
                    answer.created = unread.is_none();
                    let bytes = new_file_bytes(&requested, content)?;
                    let now = self.new_content(&bytes, content);
                    let change = match unread {
                        Some((stat, _)) => Change::replacing(requested, handle, stat, bytes),
                        None => Change::creating(requested, handle, bytes, false),
                    };
                    (change, now)
                }
            };
            let stat = change.publish(
                self.publish_options,
                self.journal_call("file_write", request.caller.as_str()),
            )?;
            answer.bytes = change.bytes.len();
            answer.version = self.version(&change.handle, now.hash);
            answer.total_lines = count_lines(&now.shown);
            self.ledger().record_change(file_id(&stat), &now);
            Ok(Some(answer))
        })
    }

    /// The content to remember for a text without masks.
    pub(crate) fn new_content(&self, bytes: &[u8], text: &str) -> NewContent {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let shown = MaskedView::of(&self.redactor, text).text.into_owned();
        NewContent { hash: self.ledger().hash(bytes), shown, known_masks: Vec::new() }
    }

    /// The bytes that replace an old content, and the content to remember.
    fn replacement(
        &self,
        requested: &RequestedPath,
        content: &str,
        old: Content,
        overwrite: Overwrite,
        answer: &mut WrittenFile,
    ) -> Result<(NewContent, Vec<u8>), Refusal> {
        let (file, hash) = (file_id(&old.stat), old.hash);
        let document = Document::decode(old.bytes);
        let view = MaskedView::of(&self.redactor, &document.text);
        let known_masks = self.ledger().known_masks(file, hash, &view.text);
        if view.names_unseen_mask(&document.text, [content].into_iter(), known_masks.as_deref()) {
            return Err(refuse_stale_masks(requested));
        }
        if overwrite == Overwrite::Known {
            self.check_known(requested, (file, hash), &document, &view, &LossWording::WRITE)?;
        }
        if !document.encoding.is_exact() {
            if let Some(at) = content
                .find(REPLACEMENT_CHARACTER)
                .filter(|_| document.text.contains(REPLACEMENT_CHARACTER))
            {
                return Err(refuse_lossy(requested, line_at(content, at)));
            }
            answer.added = count_lines(content);
            let bytes = new_file_bytes(requested, content)?;
            return Ok((self.new_content(&bytes, content), bytes));
        }
        let content = content.strip_prefix(BYTE_ORDER_MARK).unwrap_or(content);
        let newline = document.newline();
        let has_bare_lf = Newline::of(content) == Newline::Lf;
        answer.kept_crlf = newline == Newline::Crlf && has_bare_lf;
        let new = if answer.kept_crlf { with_crlf(content) } else { content.to_owned() };
        (answer.added, answer.removed) = count_changes(&view.text, &new);
        let keep_ends = newline == Newline::Mixed && has_bare_lf;
        let new = if keep_ends { with_old_ends(&view.text, &new) } else { new };
        let mut draft = Draft::new(&view);
        let whole = 0..view.text.len();
        draft.replace(&TextChange { shown: whole.clone(), new, whole });
        let rebuilt = draft
            .restore_secrets(&self.redactor, &document.text)
            .map_err(|fault| refuse_mask(requested, fault))?;
        answer.restored_masks = rebuilt.restored;
        let bytes = document.encode(&rebuilt.text);
        let hash = self.ledger().hash(&bytes);
        let known_masks = known_masks.filter(|_| rebuilt.keeps_numbers).unwrap_or_default();
        Ok((NewContent { hash, shown: rebuilt.shown, known_masks }, bytes))
    }
}

/// The words of a refusal to lose a content: its title, and what may be done instead of reading the file.
#[derive(Debug)]
pub(crate) struct LossWording {
    title: &'static str,
    alternative: &'static str,
}

impl LossWording {
    const WRITE: LossWording =
        LossWording { title: NOT_WRITTEN, alternative: "or say that it is to be overwritten" };
    pub(crate) const REMOVE: LossWording = LossWording {
        title: "Not removed",
        alternative: "or remove it with a command where one is allowed",
    };
}

impl Files {
    /// Refuses to lose a content unless all of it was read or written here.
    pub(crate) fn check_known(
        &self,
        requested: &RequestedPath,
        (file, hash): (FileId, u64),
        document: &Document,
        view: &MaskedView<'_>,
        wording: &LossWording,
    ) -> Result<(), Refusal> {
        let unseen_part = self.ledger().unseen_part(file, hash, &view.text);
        // No byte of a binary file was ever shown.
        let is_unseen = unseen_part.is_none() && document.encoding == Encoding::Binary;
        match if is_unseen { Some(Unseen::Never) } else { unseen_part } {
            None => Ok(()),
            Some(unseen) => Err(refuse_loss(requested, unseen, wording)),
        }
    }
}

/// The text. Refuses half a surrogate pair.
pub(crate) fn whole_text<'t>(text: &'t Text, subject: &str) -> Result<&'t str, Refusal> {
    let half = || {
        Refusal::new(
            code::INVALID_TEXT,
            format!("{subject} holds half a character; nothing was written"),
        )
    };
    text.0.as_deref().ok_or_else(half)
}

/// The text. Refuses half a surrogate pair, and NUL, which no text file holds.
pub(crate) fn new_text<'t>(text: &'t Text, subject: &str) -> Result<&'t str, Refusal> {
    let text = whole_text(text, subject)?;
    match memchr::memchr(0, text.as_bytes()) {
        None => Ok(text),
        Some(at) => {
            let line = line_at(text, at);
            let message =
                format!("{subject} holds a NUL character on line {line}; nothing was written");
            let hint = "A file with one is no text. Write an escape like \\0 instead.";
            Err(Refusal::new(code::INVALID_TEXT, message).with_hint(hint))
        }
    }
}

/// The bytes of a new file. Refuses masks, which stand for no secret there.
pub(crate) fn new_file_bytes(requested: &RequestedPath, content: &str) -> Result<Vec<u8>, Refusal> {
    match find_masks(content.as_bytes()).first() {
        None => Ok(content.as_bytes().to_vec()),
        Some(mask) => {
            let line = line_at(content, mask.start);
            Err(refuse_mask(requested, MaskError { kind: MaskErrorKind::Unknown, line, change: 0 }))
        }
    }
}

/// The refusal of a text that was made from a lossy view of the file.
fn refuse_lossy(requested: &RequestedPath, line: usize) -> Refusal {
    let predicate = format!(
        "is no UTF-8 or UTF-16 text, and line {line} of the new one has U+FFFD, which is shown in place of other \
         characters"
    );
    let hint = "Edit what is plain ASCII in it: all else stays as it is.";
    let refusal = requested.refuse(code::NOT_EDITABLE, predicate).titled(NOT_WRITTEN);
    refusal.with_lines(vec![line]).with_hint(hint)
}

/// The refusal to lose a content that the caller has not seen as a whole.
fn refuse_loss(requested: &RequestedPath, unseen: Unseen, wording: &LossWording) -> Refusal {
    let (code, predicate, advice, lines) = match unseen {
        Unseen::Never => {
            let predicate = "exists and you have not seen its current content".to_owned();
            (code::EXISTS, predicate, "Read it".to_owned(), Vec::new())
        }
        Unseen::Partly(given, total) => {
            let named = |lines: &Range<usize>| line_range_name(lines.start + 1, lines.end);
            let mut read: Vec<String> = given.iter().take(MAX_SHOWN_RANGES).map(named).collect();
            if given.len() > read.len() {
                read.push("…".into());
            }
            let read = read.join(", ");
            let first = given.first().filter(|first| first.start == 0);
            let next = first.map_or(1, |first| first.end + 1);
            let predicate = format!("exists, and of its {total} lines you have read only {read}");
            (code::EXISTS, predicate, format!("Read on from line {next}"), vec![next])
        }
        Unseen::Changed(lines) => {
            let lines = lines.map_or(Vec::new(), |(first, last)| vec![first, last]);
            let mut predicate = "changed on disk since you read it".to_owned();
            if let [first, last] = lines[..] {
                predicate = format!("{predicate}; changed now: {}", line_range_name(first, last));
            }
            (code::CHANGED_ON_DISK, predicate, "Read it again".to_owned(), lines)
        }
    };
    let refusal = requested.refuse(code, predicate).titled(wording.title).with_lines(lines);
    refusal.with_hint(format!("{advice}, {}.", wording.alternative))
}

/// Hint of a refusal of masks.
const MASK_HINT: &str = "Copy each mask as the file shows it, once; it stands for its own secret wherever you put it. Or \
                           write the text without the mask.";

/// The refusal of a text with masks.
pub(crate) fn refuse_mask(
    requested: &RequestedPath,
    MaskError { kind, line, .. }: MaskError,
) -> Refusal {
    let problem = match kind {
        MaskErrorKind::Unknown => {
            format!("the mask on line {line} of the new text stands for no secret")
        }
        MaskErrorKind::Unnumbered(count) => {
            format!(
                "the mask on line {line} of the new text does not say which of {count} secrets it stands for"
            )
        }
        MaskErrorKind::Twice => {
            format!("the mask on line {line} of the new text stands there a second time")
        }
        MaskErrorKind::Shown => format!(
            "the change would show the secret that is masked on line {line} of the new text"
        ),
    };
    let hint = match kind {
        MaskErrorKind::Unnumbered(_) => "Read the file, and copy the masks with their numbers.",
        MaskErrorKind::Shown => "Leave it where its name, its key or its form makes it one.",
        MaskErrorKind::Unknown | MaskErrorKind::Twice => MASK_HINT,
    };
    let refusal = Refusal::new(code::MASK_IN_TEXT, format!("in {} {problem}", requested.shown));
    refusal.titled(NOT_WRITTEN).with_lines(vec![line]).with_hint(hint)
}

/// The refusal of a text with masks of another content, or of a content that the caller has not seen.
pub(crate) fn refuse_stale_masks(requested: &RequestedPath) -> Refusal {
    let reason = format!(
        "the numbers of masks in your text are not those of {} as it is now",
        requested.shown
    );
    Refusal::new(code::CHANGED_ON_DISK, reason)
        .titled(NOT_WRITTEN)
        .with_hint("Read it again, and copy the masks from there.")
}
