//! Verdicts over values that come again: the same name and value next to the same text are judged once.

use super::judge;
use super::value::Value;

/// How many verdicts are remembered.
const REMEMBERED: usize = 16;

/// Longest value that is remembered.
const BODY_BYTES: usize = 48;

/// What is looked at behind a value, at most.
const AFTER_BYTES: usize = 24;

/// The verdicts given last.
pub(crate) struct Verdicts<'t> {
    verdicts: [Option<Verdict<'t>>; REMEMBERED],
}

struct Verdict<'t> {
    value: Value<'t>,
    body: &'t [u8],
    quoted: bool,
    after: [u8; AFTER_BYTES],
    is_secret: bool,
}

impl<'t> Verdicts<'t> {
    pub(crate) fn new() -> Self {
        Self { verdicts: [const { None }; REMEMBERED] }
    }

    /// [`judge::is_secret`], with the text behind the value.
    pub(super) fn is_secret(
        &mut self,
        value: &Value<'t>,
        body: &'t [u8],
        quoted: bool,
        rest: &[u8],
    ) -> bool {
        let (Some(after), false) =
            (rest.first_chunk::<AFTER_BYTES>(), body.is_empty() || body.len() > BODY_BYTES)
        else {
            return judge::is_secret(value, body, quoted, &rest[..rest.len().min(AFTER_BYTES)]);
        };
        let hash = usize::from(body[0]) + 3 * usize::from(body[body.len() - 1]) + 5 * body.len();
        let kind = value.kind as usize + 7 * usize::from(value.closing);
        let slot = &mut self.verdicts[(hash + value.name.len() + kind) % REMEMBERED];
        if let Some(known) = slot
            && known.body == body
            && known.after == *after
            && known.quoted == quoted
            && known.value == *value
        {
            return known.is_secret;
        }
        let is_secret = judge::is_secret(value, body, quoted, after);
        *slot = Some(Verdict { value: *value, body, quoted, after: *after, is_secret });
        is_secret
    }
}
