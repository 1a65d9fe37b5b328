//! A name and its value on lines of their own: `- name: DB_PASSWORD` and `value: …` below it, as in manifests, in JSON and in
//! Terraform, and `<name>password</name>` above `<value>…</value>`.

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use super::{Line, Promised};
use crate::class::Class;
use crate::mask;
use crate::output::Output;
use crate::span::RuleId;
use crate::verify::judge;
use crate::verify::member::{self, Member};
use crate::verify::{element, pair};

/// Most lines between the two.
const OTHERS: u8 = 8;

/// What may stand before a member on its line.
const LEAD: &[u8] = b" \t-{+>#";

/// How the name is written, and so the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A member that begins so many bytes behind the start of its line. `others` says that others may stand between the two,
    /// `comment` that its line is one.
    Member { column: usize, others: bool, comment: bool },
    /// An element, or one around that of the value.
    Element,
}

/// The state behind the line of the name.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    rule: RuleId,
    promised: Arc<Promised>,
    form: Form,
    /// A member was between the two.
    apart: bool,
    /// The line before is empty.
    empty: bool,
    /// So many lines may still come before the value.
    left: u8,
}

/// Where the line of the name at `name` ends, if it is what a member or an element called so holds and nothing follows it.
/// `line` is what comes before.
pub(crate) fn begins(text: &[u8], line: &[u8], name: Range<usize>) -> Option<(usize, Form)> {
    let tag = element::behind_name(text, name.start, name.end)
        .or_else(|| element::in_attribute(text, name.start, name.end));
    if let Some(tag) = tag {
        return Some((ends_line(text, tag)?, Form::Element));
    }
    let quote = member::quote(text, name.end);
    let at = name.end + quote.len();
    let comma = usize::from(text.get(at) == Some(&b','));
    let end = ends_line(text, at + comma)?;
    let column = lead(line);
    let found = Member::read(line, column)?;
    // Its value begins right before the path that ends with the name.
    let path = pair::path_start(text, name.start);
    let value = line.len() - (name.start - path);
    let opens = found.value + quote.len() == value && line[..value].ends_with(quote);
    let shouting = !text[name].iter().any(u8::is_ascii_lowercase);
    let others = found.quoted || found.operator == b'=' || shouting;
    let form = Form::Member { column, others, comment: line[..column].contains(&b'#') };
    (opens && quote.len() <= 1 && member::holds_name(found.name)).then_some((end, form))
}

fn ends_line(text: &[u8], at: usize) -> Option<usize> {
    let blanks = Class::run_of_blanks(&text[at..]);
    match &text[at + blanks..] {
        [b'\n', ..] => Some(at + blanks + 1),
        [b'\r', b'\n', ..] => Some(at + blanks + 2),
        _ => None,
    }
}

/// Length of what opens an item, a mark and an indent.
fn lead(line: &[u8]) -> usize {
    line.iter().take_while(|byte| LEAD.contains(byte)).count()
}

impl Pair {
    pub(crate) fn new(rule: RuleId, promised: Promised, form: Form) -> Self {
        Self { rule, promised: Arc::new(promised), form, apart: false, empty: false, left: OTHERS }
    }

    pub(super) fn line(&mut self, line: &[u8], output: &mut impl Output) -> Line {
        self.left -= 1;
        if self.left == 0 {
            return Line::Outside;
        }
        let content = line.trim_ascii();
        let before = std::mem::replace(&mut self.empty, content.is_empty());
        if before && self.empty {
            return Line::Outside;
        }
        let marked = matches!(self.form, Form::Member { comment: true, .. });
        let comment = !marked
            && (content.starts_with(b"//")
                || content.starts_with(b"<!--")
                || line[..lead(line)].contains(&b'#'));
        let found = match self.form {
            Form::Member { column, others, .. } => self.member(line, column, others, comment),
            Form::Element => Self::element(line),
        };
        let Some(found) = found else { return Line::Outside };
        let Some((value, number)) = found else { return Line::Text };
        let body = &line[value.clone()];
        let scalar = matches!(body.first(), Some(b'|' | b'>' | b'{' | b'[' | b'"' | b'\'' | b'&'));
        if scalar || mask::occurs(body) || !judge::is_secret_line(&self.promised, body) {
            return if comment { Line::Text } else { Line::Outside };
        }
        output.keep(&line[..value.start]);
        output.mask(self.rule, body.len(), number);
        output.keep(&line[value.end..]);
        // An older value that a comment takes out stands before the one that holds.
        if comment { Line::Taken } else { Line::Last }
    }

    /// Where the value is in a line and whether it is a number of a document; nothing in a line that may be between the two.
    /// `None` ends the pair.
    #[expect(clippy::option_option, reason = "an end, something between, a value")]
    fn member(
        &mut self,
        line: &[u8],
        column: usize,
        others: bool,
        comment: bool,
    ) -> Option<Option<(Range<usize>, bool)>> {
        let start = lead(line);
        if line[start..].trim_ascii().is_empty() {
            return Some(None);
        }
        let found = Member::read(line, start);
        let near = start == column || !self.apart;
        if let Some(found) = found.as_ref().filter(|found| near && member::holds_value(found.name))
        {
            return value(line, found).map(Some).or(comment.then_some(None));
        }
        if comment {
            return Some(None);
        }
        self.apart = true;
        let closes = column > 0 && matches!(line[start], b'}' | b']');
        let same = found.map_or(closes, |found| !member::holds_name(found.name));
        let item = line[..start].contains(&b'-') && start <= column;
        (others && !item && (same && start == column || start > column)).then_some(None)
    }

    /// The same for elements.
    #[expect(clippy::option_option, reason = "an end, something between, a value")]
    fn element(line: &[u8]) -> Option<Option<(Range<usize>, bool)>> {
        if let Some(start) = element::behind_tag(line, 0, element::holds_value) {
            let length = memmem::find(&line[start..], b"</")?;
            return Some(Some((start..start + length, false)));
        }
        let content = line.trim_ascii();
        let closed = content.starts_with(b"</") && !content.starts_with(b"</desc");
        let next = element::behind_tag(line, 0, member::holds_name).is_some();
        (!closed && !next).then_some(None)
    }
}

/// Where the value of a member is that ends its line.
fn value(line: &[u8], found: &Member<'_>) -> Option<(Range<usize>, bool)> {
    let start = found.value;
    let quote = member::quote(line, start);
    if quote.len() == 1
        && let Some(end) = member::string_end(line, start + 1, quote)
    {
        let after = line[end + 1..].first();
        return after
            .is_none_or(|next| b" \t\r\n,}]/>#;".contains(next))
            .then_some((start + 1..end, false));
    }
    // Without quotes that is an expression.
    if found.operator == b'=' {
        return None;
    }
    let mut end = start + line[start..].trim_ascii_end().len();
    end -= usize::from(found.quoted && line[..end].ends_with(b","));
    Some((start..end, found.quoted))
}
