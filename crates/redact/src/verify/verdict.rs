//! Verdicts over values that come again: the same name and value next to the same text are judged once.

use super::judge;
use super::name::{Kind, Strength};
use super::operator::Operator;
use super::value::{Value, Writing};

/// How many verdicts are remembered.
const REMEMBERED: usize = 16;

/// Longest value that is remembered.
const BODY_BYTES: usize = 48;

/// What is looked at behind a value, at most.
const AFTER_BYTES: usize = 8;

/// The verdicts given last.
pub(crate) struct Verdicts<'t> {
    verdicts: [Option<Verdict<'t>>; REMEMBERED],
}

struct Verdict<'t> {
    name: &'t [u8],
    body: &'t [u8],
    after: [u8; AFTER_BYTES],
    manner: Manner,
    is_secret: bool,
}

/// All of a value that is no text.
#[derive(PartialEq, Eq)]
struct Manner {
    kind: Kind,
    strength: Strength,
    operator: Operator,
    writing: Writing,
    before: Option<u8>,
    /// `spaced`, `complaint`, `listed`, `lone_pass` and whether the value is quoted.
    flags: [bool; 5],
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
            return judge::is_secret(value, body, quoted, rest);
        };
        let &Value {
            kind,
            strength,
            operator,
            name,
            lone_pass,
            spaced,
            writing,
            complaint,
            before,
            listed,
        } = value;
        let flags = [spaced, complaint, listed, lone_pass, quoted];
        let manner = Manner { kind, strength, operator, writing, before, flags };
        let hash = usize::from(body[0]) + 3 * usize::from(body[body.len() - 1]) + 5 * body.len();
        let slot = &mut self.verdicts[(hash + name.len() + kind as usize) % REMEMBERED];
        if let Some(known) = slot
            && known.body == body
            && known.name == name
            && known.after == *after
            && known.manner == manner
        {
            return known.is_secret;
        }
        let is_secret = judge::is_secret(value, body, quoted, after);
        *slot = Some(Verdict { name, body, after: *after, manner, is_secret });
        is_secret
    }
}
