//! Quotes as they are written: plain, behind backslashes in a document inside a document, or spelled as an entity.

/// Most backslashes before a quote that are understood: five documents inside each other.
const MOST_BACKSLASHES: usize = 31;

/// As many backslashes as can stand before a closing quote.
pub(crate) static BACKSLASHES: [u8; 2 * MOST_BACKSLASHES] = [b'\\'; 2 * MOST_BACKSLASHES];

/// Spelled quotes. A value ends at the spelling it began with.
const SPELLED: &[&[u8]] = &[
    b"&quot;", b"&#34;", b"&#x22;", b"&#034;", b"&apos;", b"&#39;", b"&#x27;", b"&#039;",
    b"\\u0022", b"\\u0027", b"\\x22", b"\\x27", b"%22", b"%27",
];

/// How many backslashes a text ends with.
pub(crate) fn backslashes(text: &[u8]) -> usize {
    text.iter().rev().take_while(|byte| **byte == b'\\').count()
}

/// How a quote is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quote {
    Plain(u8),
    Escaped(Escaped),
    Spelled(&'static [u8]),
}

impl Quote {
    /// The quote at the start of `text` and its length.
    #[inline]
    pub(crate) fn at(text: &[u8]) -> Option<(Self, usize)> {
        match text {
            [quote @ (b'"' | b'\'' | b'`'), ..] => Some((Self::Plain(*quote), 1)),
            [b'\\' | b'&' | b'%', ..] => more_than_a_sign(text),
            _ => None,
        }
    }
}

/// The same for a quote that is more than one byte.
fn more_than_a_sign(text: &[u8]) -> Option<(Quote, usize)> {
    let found = if text[0] == b'\\' { escaped(text) } else { None };
    found.or_else(|| spelled(text))
}

fn escaped(text: &[u8]) -> Option<(Quote, usize)> {
    let reach = &text[..text.len().min(MOST_BACKSLASHES + 1)];
    let depth = reach.iter().position(|&byte| byte != b'\\')?;
    let quote = text[depth];
    // Of an even number each escapes the next.
    if depth % 2 == 0 {
        return None;
    }
    let escaped = Escaped { quote, depth: u8::try_from(depth).ok()?, run: 0 };
    matches!(quote, b'"' | b'\'').then_some((Quote::Escaped(escaped), depth + 1))
}

fn spelled(text: &[u8]) -> Option<(Quote, usize)> {
    let found = SPELLED.iter().find(|spelling| {
        text.len() >= spelling.len() && text[..spelling.len()].eq_ignore_ascii_case(spelling)
    })?;
    Some((Quote::Spelled(found), found.len()))
}

/// A walk to the quote that closes a value inside a document inside a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Escaped {
    quote: u8,
    /// Backslashes before the opening quote, and so before the closing one.
    depth: u8,
    /// Backslashes right before where the walk stands, modulo what one backslash of the value takes.
    run: u8,
}

impl Escaped {
    /// Inside a string that was opened with `quote` behind `depth` backslashes; `None` when that are none, or too many.
    pub(crate) fn new(quote: u8, depth: usize) -> Option<Self> {
        let depth = u8::try_from(depth).ok()?;
        (1..=MOST_BACKSLASHES).contains(&usize::from(depth)).then_some(Self {
            quote,
            depth,
            run: 0,
        })
    }

    /// How far to walk: to a quote that closes or to the end of the line.
    pub(crate) fn run(&mut self, text: &[u8]) -> usize {
        // A backslash of the value is written as this many, whatever closes it comes behind them.
        let unit = 2 * (self.depth + 1);
        let end = text.iter().position(|&byte| {
            let closes = byte == b'\n' || (byte == self.quote && !self.is_escaped());
            if !closes {
                self.run = if byte == b'\\' { (self.run + 1) % unit } else { 0 };
            }
            closes
        });
        end.unwrap_or(text.len())
    }

    /// The backslashes make the next quote one of the value: fewer close its string, or one around that.
    fn is_escaped(self) -> bool {
        self.run == 2 * self.depth + 1
    }

    /// How many of the bytes walked over last belong to the closing quote if it comes next.
    pub(crate) fn held(self) -> usize {
        if self.is_escaped() { 0 } else { usize::from(self.run) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_at_the_quote_of_its_own_document() {
        for (opened, text, length) in [
            (r#"\""#, r#"ab\","#, 2),
            (r#"\""#, r#"a\\\"b\","#, 6),
            (r#"\""#, r#"a\\\\\","#, 5),
            (r#"\\\""#, r#"ab\\\","#, 2),
            (r#"\\\""#, r#"a\\\\\\\"b\\\","#, 10),
            (r#"\\\""#, r#"ab\""#, 2),
            (r#"\\\\\\\""#, r#"ab\\\\\\\""#, 2),
        ] {
            let Some((Quote::Escaped(mut walk), _)) = Quote::at(opened.as_bytes()) else {
                panic!("{opened}")
            };
            let end = walk.run(text.as_bytes());
            assert_eq!(end - walk.held(), length, "{opened} {text}");
            for cut in 0..=end {
                let Some((Quote::Escaped(mut walk), _)) = Quote::at(opened.as_bytes()) else {
                    panic!("{opened}")
                };
                assert_eq!(walk.run(&text.as_bytes()[..cut]), cut);
                assert_eq!(walk.run(&text.as_bytes()[cut..]), end - cut, "{text} {cut}");
            }
        }
    }

    #[test]
    fn quotes_are_known_in_every_spelling_up_to_the_bound() {
        for spelling in SPELLED {
            assert_eq!(Quote::at(spelling), Some((Quote::Spelled(spelling), spelling.len())));
        }
        assert!(Quote::at(b"%2Bx").is_none() && Quote::at(b"&amp;").is_none());
        let deep = |depth: usize| [vec![b'\\'; depth], vec![b'"']].concat();
        assert!(Quote::at(&deep(MOST_BACKSLASHES)).is_some());
        assert!(Quote::at(&deep(MOST_BACKSLASHES + 1)).is_none());
    }
}
