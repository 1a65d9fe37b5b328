//! Tokens that are known by their own form: by how they begin, by a mark inside them, or by the vendor's name before them.

pub(crate) mod checksum;
pub(crate) mod form;
pub(crate) mod keyed;
pub(crate) mod web_token;

use crate::boundary;
use crate::detect::scan::Scan;
use form::{End, Form, Part};

/// A token with a run of a class before the mark that is its trigger.
#[derive(Debug)]
pub(crate) struct Infix {
    /// A run: at most [`BEFORE_BYTES`].
    pub(crate) before: Part,
    /// A word that may be joined to what is before.
    pub(crate) joined: Option<&'static str>,
    /// So many bytes of the mark, and what is before, are no secret; `None` when the whole token is one.
    pub(crate) kept: Option<usize>,
    /// What is behind the mark.
    pub(crate) form: Form,
}

/// Most bytes before a mark: a window shows that much.
pub(crate) const BEFORE_BYTES: usize = 96;

/// A prefix was found at `start..body`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, form: &Form, start: usize, body: usize) {
    if boundary::begins(scan.text, start) {
        if let Some(End::Cut(end) | End::Whole(end)) = form.end(scan, body) {
            scan.found(start, end, form.last_class());
        }
    } else if form.summed {
        // Of a token that is joined to a word, the checksum tells the two apart.
        let end = body + checksum::BODY_BYTES;
        let whole = scan.text.get(body..end).is_some_and(checksum::is_right);
        if whole && !scan.is_cut(end) {
            scan.found(start, end, form.last_class());
        }
    }
}

/// The mark of a token was found at `mark..body`.
pub(crate) fn check_infix(scan: &mut Scan<'_, '_>, infix: &Infix, mark: usize, body: usize) {
    let text = scan.text;
    let Part::Run { class, min, max } = infix.before else { return };
    let is_inside = |byte: &&u8| class.has(**byte);
    let before = text[..mark].iter().rev().take(max).take_while(is_inside).count();
    let start = mark - before;
    let is_joined = infix.joined.is_some_and(|word| text[..start].ends_with(word.as_bytes()));
    if before < min || !(boundary::begins(text, start) || is_joined) {
        return;
    }
    let from = infix.kept.map_or(start, |kept| mark + kept);
    if let Some(End::Cut(end) | End::Whole(end)) = infix.form.end(scan, body) {
        scan.found(from, end, infix.form.last_class());
    }
}
