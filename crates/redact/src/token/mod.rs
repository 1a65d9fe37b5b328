//! Tokens that have a form of their own: they begin with a prefix, contain a mark, or follow the name of a vendor.

pub(crate) mod checksum;
pub(crate) mod form;
pub(crate) mod vendor_key;
pub(crate) mod web_token;

use crate::boundary;
use crate::detect::scan::Scan;
use form::{End, Form, FormPart};

/// A token with a run of a class before the mark that is its trigger.
#[derive(Debug)]
pub(crate) struct Infix {
    /// The run before the mark, of at most [`MAX_BYTES_BEFORE_MARK`].
    pub(crate) before: FormPart,
    /// A word that may be joined to the start of the token.
    pub(crate) joined: Option<&'static str>,
    /// How many bytes of the mark are kept, together with the text before it. `None` means that the whole token is the
    /// secret.
    pub(crate) kept: Option<usize>,
    /// The form of the part after the mark.
    pub(crate) form: Form,
}

/// How many bytes may precede a mark. The context of a window includes that many.
pub(crate) const MAX_BYTES_BEFORE_MARK: usize = 96;

/// Checks the token whose prefix was found at `start..body`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, form: &Form, start: usize, body: usize) {
    if boundary::begins(scan.text, start) {
        if let Some(End::Cut(end) | End::Whole(end)) = form.end(scan, body) {
            scan.mask_run(start, end, form.last_class());
        }
    } else if form.has_checksum {
        // The checksum distinguishes a token that is joined to a word from a longer word.
        let end = body + checksum::BODY_BYTES;
        let whole = scan.text.get(body..end).is_some_and(checksum::is_right);
        if whole && !scan.is_cut(end) {
            scan.mask_run(start, end, form.last_class());
        }
    }
}

/// Checks the token whose mark was found at `mark..body`.
pub(crate) fn check_infix(scan: &mut Scan<'_, '_>, infix: &Infix, mark: usize, body: usize) {
    let text = scan.text;
    let FormPart::Run { class, min, max } = infix.before else { return };
    let is_inside = |byte: &&u8| class.has(**byte);
    let before = text[..mark].iter().rev().take(max).take_while(is_inside).count();
    let start = mark - before;
    let is_joined = infix.joined.is_some_and(|word| text[..start].ends_with(word.as_bytes()));
    if before < min || !(boundary::begins(text, start) || is_joined) {
        return;
    }
    let from = infix.kept.map_or(start, |kept| mark + kept);
    if let Some(End::Cut(end) | End::Whole(end)) = infix.form.end(scan, body) {
        scan.mask_run(from, end, infix.form.last_class());
    }
}
