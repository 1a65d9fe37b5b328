//! Verdicts over values that come again: the same name and value next to the same text are judged once.

use super::judge;
use super::value::Value;

/// How many verdicts are remembered.
const REMEMBERED: usize = 32;

/// Spreads values over places.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

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
        let slot = &mut self.verdicts[slot(value, body, quoted)];
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

/// Where the verdict over a value, which is not empty, is kept.
#[expect(clippy::cast_possible_truncation, reason = "a hash")]
fn slot(value: &Value<'_>, body: &[u8], quoted: bool) -> usize {
    let bytes = [body[0], body[body.len() / 2], body[body.len() - 1], value.before.unwrap_or(0)];
    let lengths = body.len() + (value.name.len() << 8) + ((value.kind as usize) << 16);
    let facts = usize::from(quoted) + 2 * usize::from(value.closing);
    let mixed = u64::from(u32::from_le_bytes(bytes)) ^ ((lengths + (facts << 20)) as u64) << 32;
    (mixed.wrapping_mul(MULTIPLIER) >> (u64::BITS - REMEMBERED.trailing_zeros())) as usize
}
