//! A name and its value on separate lines: `- name: DB_PASSWORD` above `value: …` in manifests, JSON and Terraform,
//! `<name>password</name>` above `<value>…</value>`, and `<password>` above its value.

use std::ops::Range;

use memchr::memmem;

use super::{BlockRule, LineRole};
use crate::class::{Class, MAX_BLANKS};
use crate::detect::words::{VALUE_KEYS, has};
use crate::mask;
use crate::output::Output;

/// How many lines may stand between the name and its value.
const MAX_LINES_BETWEEN: u8 = 8;

/// The names of members and elements that hold a name.
const NAME_KEYS: [&str; 6] =
    ["key", "name", "optionname", "parameterkey", "parametername", "settingname"];

/// How the name is written, which says how the value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A member that begins at this column. `skips_others` says whether other members may stand between the name and
    /// the value.
    Member { column: usize, skips_others: bool },
    /// The label of a block of Terraform that begins at `column`; the value is the default in it. The members of the
    /// block begin at `inner`, which is 0 before the first.
    Label { column: usize, inner: usize },
    /// An element with the name as its text, or an element around that of the value.
    Element,
    /// An element with the name as its tag; the value is its text.
    Content,
}

/// The state after the line of the name.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    block_rule: BlockRule,
    form: Form,
    /// How many more lines may come before the value.
    remaining_lines: u8,
}

/// Quickly rules out most names: false if no value can begin on a line below the name that ends at `name_end`.
/// `line_end` returns where the line ends that contains the byte at an offset.
pub(crate) fn may_begin(
    text: &[u8],
    name_end: usize,
    line_end: impl FnOnce(usize) -> usize,
) -> bool {
    let quotes = usize::from(matches!(text.get(name_end), Some(b'"' | b'\'')));
    let rest = &text[name_end + quotes..];
    let signs = usize::from(matches!(rest.first(), Some(b',' | b'>')));
    match &rest[signs..] {
        [b'\n' | b'\r', ..] | [b'<', b'/', ..] | [b' ', b'{', ..] => true,
        // The element has more attributes.
        [b' ', ..] if quotes > 0 => {
            let end = line_end(name_end + quotes);
            let near = &text[(name_end + quotes).max(end.saturating_sub(MAX_BLANKS))..end];
            end < text.len() && near.trim_ascii_end().ends_with(b">")
        }
        _ => false,
    }
}

/// A member of an object: `name: value`, `"name": "value"`, `name = "value"`.
pub(super) struct Member<'t> {
    column: usize,
    key: &'t [u8],
    quoted: bool,
    operator: u8,
    value: usize,
}

pub(super) fn member(line: &[u8]) -> Option<Member<'_>> {
    let column = line.iter().take_while(|byte| b" \t-{+>#".contains(byte)).count();
    let quote = usize::from(matches!(line.get(column), Some(b'"' | b'\'')));
    let key = &line[column + quote..];
    let key = &key[..Class::Dot.run(key)];
    let end = column + quote + key.len();
    let closed = quote == 0 || line.get(end) == line.get(column);
    let operator = end + quote + Class::run_of_blanks(line.get(end + quote..)?);
    let sign = *line.get(operator).filter(|byte| matches!(byte, b':' | b'='))?;
    let value = operator + 1 + Class::run_of_blanks(&line[operator + 1..]);
    (closed && !key.is_empty()).then_some(Member {
        column,
        key,
        quoted: quote > 0,
        operator: sign,
        value,
    })
}

fn is_one_of(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The name of the tag at the start of `text`, and the length of the tag. Only a tag without attributes counts.
fn tag(text: &[u8]) -> Option<(&[u8], usize)> {
    let name = text.strip_prefix(b"<")?;
    let name = &name[..Class::Dash.run(name)];
    (text.get(1 + name.len()) == Some(&b'>')).then_some((name, name.len() + 2))
}

impl Pair {
    /// The state after a line that consists of `before`, `name` and `after`, if a member or an element on it holds the
    /// name.
    pub(super) fn begin(
        block_rule: BlockRule,
        before: &[u8],
        name: &[u8],
        after: &[u8],
    ) -> Option<Self> {
        let path = |byte: &&u8| Class::Dot.has(**byte) || **byte == b'/';
        let opened = &before[..before.len() - before.iter().rev().take_while(path).count()];
        let after = after.trim_ascii_end();
        let pair = |form| Some(Self { block_rule, form, remaining_lines: MAX_LINES_BETWEEN });
        if after == b">" && before.trim_ascii_start().starts_with(b"<") && !before.contains(&b' ') {
            return pair(Form::Content);
        }
        if let Some((tag, _)) = tag(opened.trim_ascii_start()).filter(|_| after.starts_with(b"</"))
        {
            let closes_tag = after[2..].strip_prefix(tag) == Some(b">");
            return pair(Form::Element).filter(|_| closes_tag && is_one_of(tag, &NAME_KEYS));
        }
        let quote = &after[..usize::from(matches!(after.first(), Some(b'"' | b'\'')))];
        let opened = opened.strip_suffix(quote)?;
        if opened.trim_ascii_start().starts_with(b"<") {
            let attribute = opened.strip_suffix(b"=")?;
            let words = attribute.iter().rev().take_while(|&&byte| Class::Dot.has(byte)).count();
            let names_a_name = is_one_of(&attribute[attribute.len() - words..], &NAME_KEYS);
            let has_value =
                memmem::find(after, b"value=").or_else(|| memmem::find(after, b"content="));
            let opens = after.ends_with(b">")
                && !after.ends_with(b"/>")
                && !after.contains(&b'<')
                && has_value.is_none();
            return pair(Form::Element).filter(|_| names_a_name && opens && !quote.is_empty());
        }
        let label = opened.trim_ascii_start().strip_prefix(b"variable ");
        if label.is_some_and(<[u8]>::is_empty) && after[quote.len()..].trim_ascii() == b"{" {
            return pair(Form::Label { column: Class::run_of_blanks(opened), inner: 0 });
        }
        let name_member = member(before)?;
        let rest = after[quote.len()..].strip_prefix(b",").unwrap_or(&after[quote.len()..]);
        let is_upper = !name.iter().any(u8::is_ascii_lowercase);
        let skips_others = name_member.quoted || name_member.operator == b'=' || is_upper;
        pair(Form::Member { column: name_member.column, skips_others }).filter(|_| {
            rest.is_empty()
                && name_member.value == opened.len()
                && is_one_of(name_member.key, &NAME_KEYS)
        })
    }

    pub(super) fn line(&mut self, line: &[u8], output: &mut impl Output) -> LineRole {
        let content = line.trim_ascii();
        let next = self.remaining_lines == MAX_LINES_BETWEEN;
        self.remaining_lines -= 1;
        let comment = [&b"#"[..], b"//", b"<!--"].iter().any(|sign| content.starts_with(sign));
        let value_and_quoted = match self.form {
            _ if self.remaining_lines == 0 || content.is_empty() => return LineRole::Outside,
            _ if comment => return LineRole::Text,
            Form::Member { column, skips_others } => {
                match member(line).filter(|found_member| next || found_member.column == column) {
                    Some(found_member) if has(VALUE_KEYS, found_member.key) => {
                        value(line, &found_member)
                    }
                    _ => {
                        let start = line.len() - line.trim_ascii_start().len();
                        let stays = skips_others
                            && (start > column || start == column && is_other_member(line));
                        return if stays { LineRole::Text } else { LineRole::Outside };
                    }
                }
            }
            Form::Label { column, inner } => {
                let start = Class::run_of_blanks(line);
                let inner = if inner == 0 { start } else { inner };
                self.form = Form::Label { column, inner };
                match member(line) {
                    Some(member) if start == inner && member.key == b"default" => {
                        value(line, &member)
                    }
                    _ if start > column => return LineRole::Text,
                    _ => return LineRole::Outside,
                }
            }
            Form::Element => match tag(content) {
                Some((name, length)) if has(VALUE_KEYS, name) => {
                    let start = line.len() - line.trim_ascii_start().len() + length;
                    memmem::find(&line[start..], b"</").map(|end| (start..start + end, false))
                }
                Some((name, _)) if is_one_of(name, &NAME_KEYS) => None,
                _ if content.starts_with(b"</desc") => return LineRole::Text,
                _ => {
                    return if content.starts_with(b"</") {
                        LineRole::Outside
                    } else {
                        LineRole::Text
                    };
                }
            },
            Form::Content => {
                let start = line.len() - line.trim_ascii_start().len();
                let end = memchr::memchr(b'<', content).unwrap_or(content.len());
                Some((start..start + content[..end].trim_ascii_end().len(), false))
            }
        };
        let Some((value, number)) = value_and_quoted else { return LineRole::Outside };
        let body = &line[value.clone()];
        if body.is_empty() || mask::occurs(body) || !(self.block_rule.is_value)(body) {
            return LineRole::Outside;
        }
        output.keep(&line[..value.start]);
        output.mask(self.block_rule.rule, body.len(), number);
        output.keep(&line[value.end..]);
        LineRole::Last
    }
}

/// Whether a line is a member that does not hold another name, or the end of an object.
fn is_other_member(line: &[u8]) -> bool {
    let closes_object = matches!(line.trim_ascii_start(), [b'}' | b']', ..]);
    closes_object
        || member(line).is_some_and(|found_member| !is_one_of(found_member.key, &NAME_KEYS))
}

/// Where the value of a member is, if it ends its line, and whether it is a number of a document.
pub(super) fn value(line: &[u8], found_member: &Member<'_>) -> Option<(Range<usize>, bool)> {
    let start = found_member.value;
    let quote = *line.get(start)?;
    if matches!(quote, b'"' | b'\'') {
        let mut end = start + 1;
        while *line.get(end)? != quote {
            end += 1 + usize::from(line[end] == b'\\' && quote == b'"');
        }
        return Some((start + 1..end, false));
    }
    // An unquoted value like this is an expression, an anchor or a block.
    if found_member.operator == b'=' || b"|>{[&*".contains(&quote) {
        return None;
    }
    let content = line.trim_ascii_end();
    let content =
        &content[..memmem::find(content, b" #").unwrap_or(content.len())].trim_ascii_end();
    let end = content.len() - usize::from(found_member.quoted && content.ends_with(b","));
    (start < end).then_some((start..end, found_member.quoted))
}
