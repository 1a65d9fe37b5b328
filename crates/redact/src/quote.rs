//! The ways to write a quote: plain, after backslashes in nested documents, or spelled as an entity.

/// How many backslashes before a quote are understood: those of five nested documents.
const MAX_BACKSLASHES: usize = 31;

/// As many backslashes as can stand before a closing quote.
pub(crate) static BACKSLASHES: [u8; 2 * MAX_BACKSLASHES] = [b'\\'; 2 * MAX_BACKSLASHES];

/// The spellings of quotes. A value ends at the same spelling that it began with.
const SPELLED_QUOTES: &[&[u8]] = &[
    b"&quot;", b"&#34;", b"&#x22;", b"&#034;", b"&apos;", b"&#39;", b"&#x27;", b"&#039;",
    b"\\u0022", b"\\u0027", b"\\x22", b"\\x27", b"%22", b"%27",
];

/// The number of backslashes at the end of a text.
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
            [b'\\' | b'&' | b'%', ..] => escaped_or_spelled(text),
            _ => None,
        }
    }
}

/// Like [`Quote::at`], for a quote of more than one byte.
fn escaped_or_spelled(text: &[u8]) -> Option<(Quote, usize)> {
    let found = if text[0] == b'\\' { escaped(text) } else { None };
    found.or_else(|| spelled(text))
}

fn escaped(text: &[u8]) -> Option<(Quote, usize)> {
    let reach = &text[..text.len().min(MAX_BACKSLASHES + 1)];
    let depth = reach.iter().position(|&byte| byte != b'\\')?;
    let quote = text[depth];
    // In an even number of backslashes each escapes the next one.
    if depth % 2 == 0 {
        return None;
    }
    let escaped = Escaped { quote, depth: u8::try_from(depth).ok()?, run: 0 };
    matches!(quote, b'"' | b'\'').then_some((Quote::Escaped(escaped), depth + 1))
}

fn spelled(text: &[u8]) -> Option<(Quote, usize)> {
    let found = SPELLED_QUOTES.iter().find(|spelling| {
        text.len() >= spelling.len() && text[..spelling.len()].eq_ignore_ascii_case(spelling)
    })?;
    Some((Quote::Spelled(found), found.len()))
}

/// A search for the quote that closes a value in a nested document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Escaped {
    quote: u8,
    /// The number of backslashes before the opening quote, and before the closing one.
    depth: u8,
    /// The number of backslashes directly before the current place, modulo the number that one backslash of the value
    /// takes.
    run: u8,
}

impl Escaped {
    /// The state inside a string that was opened with `quote` after `depth` backslashes. `None` if there are no
    /// backslashes or too many.
    pub(crate) fn new(quote: u8, depth: usize) -> Option<Self> {
        let depth = u8::try_from(depth).ok()?;
        (1..=MAX_BACKSLASHES).contains(&usize::from(depth)).then_some(Self { quote, depth, run: 0 })
    }

    /// The number of bytes up to the closing quote or the end of the line.
    pub(crate) fn run(&mut self, text: &[u8]) -> usize {
        // A backslash of the value is written as this many. Those of the closing quote follow them.
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

    /// Whether the backslashes that were read escape the next quote, so that the quote belongs to the value. After
    /// fewer backslashes, the quote closes the string of the value, or a string around that one.
    fn is_escaped(self) -> bool {
        self.run == 2 * self.depth + 1
    }

    /// How many of the last bytes belong to the closing quote if that comes next.
    pub(crate) fn held(self) -> usize {
        if self.is_escaped() { 0 } else { usize::from(self.run) }
    }
}

#[cfg(test)]
mod tests;
