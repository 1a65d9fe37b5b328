//! Reads words, with their quotes, escapes and expansions.

use super::super::construct::Construct;
use super::super::tree::{Part, RawWord};
use super::super::unread::Unread;
use super::super::{Dialect, ansi_c};
use super::{Parsed, Reader};

/// The quotes around a `$` or a backtick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    None,
    Double,
    /// The lines of a here-document, in which quotes have no meaning.
    Document,
}

impl Reader<'_> {
    /// Reads a word, up to a blank or an operator. Empty when one of these stands here.
    pub(super) fn word(&mut self) -> Parsed<RawWord> {
        let start = self.position;
        let mut word = RawWord::default();
        loop {
            if self.at_process() {
                self.process(&mut word)?;
                continue;
            }
            match self.peek(0) {
                None
                | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')') => {
                    break;
                }
                Some(_) => self.piece(&mut word)?,
            }
        }
        word.span = self.span(start);
        Ok(word)
    }

    /// Reads one quoted text, escape or expansion, or the characters in front of the next one.
    pub(super) fn piece(&mut self, word: &mut RawWord) -> Parsed<()> {
        match self.peek(0) {
            Some(b'\\') => self.backslash(word),
            Some(b'\'') => self.single_quotes(word),
            Some(b'"') => self.double_quotes(word),
            Some(b'$') => self.dollar(word, Quote::None),
            Some(b'`') => self.backticks(word, Quote::None),
            _ => {
                let rest = self.rest();
                let length = rest.find(|c: char| " \t\n;&|<>()\\'\"$`}".contains(c));
                // At least one character is taken: a brace, or a sign that the caller takes literally.
                let length = length.unwrap_or(rest.len()).max(1);
                self.position += length;
                word.push_bare(&rest[..length]);
                Ok(())
            }
        }
    }

    fn backslash(&mut self, word: &mut RawWord) -> Parsed<()> {
        let start = self.position;
        self.position += 1;
        match self.next_character() {
            None => Err(self.fault(Construct::Backslash, start)),
            Some('\n') => Ok(()),
            Some(character) => {
                word.push_quoted(character.encode_utf8(&mut [0; 4]));
                Ok(())
            }
        }
    }

    fn single_quotes(&mut self, word: &mut RawWord) -> Parsed<()> {
        let start = self.position;
        let rest = &self.source[start + 1..];
        let Some(length) = rest.find('\'') else {
            return Err(self.fault(Construct::SingleQuote, start));
        };
        self.position = start + length + 2;
        word.push_quoted(&rest[..length]);
        Ok(())
    }

    pub(super) fn double_quotes(&mut self, word: &mut RawWord) -> Parsed<()> {
        let start = self.position;
        self.position += 1;
        word.push_quoted("");
        loop {
            match self.peek(0) {
                None => return Err(self.fault(Construct::DoubleQuote, start)),
                Some(b'"') => {
                    self.position += 1;
                    return Ok(());
                }
                Some(_) => self.quoted_piece(word, Quote::Double)?,
            }
        }
    }

    /// Reads the same within double quotes or a here-document.
    pub(super) fn quoted_piece(&mut self, word: &mut RawWord, quote: Quote) -> Parsed<()> {
        match (self.peek(0), self.peek(1)) {
            (Some(b'\\'), Some(b'\n')) => self.position += 2,
            (Some(b'\\'), Some(next @ (b'$' | b'`' | b'\\' | b'"')))
                if next != b'"' || quote == Quote::Double =>
            {
                self.position += 2;
                word.push_quoted(char::from(next).encode_utf8(&mut [0; 4]));
            }
            (Some(b'`'), _) => return self.backticks(word, quote),
            (Some(b'$'), _) => return self.dollar(word, quote),
            _ => {
                let rest = self.rest();
                let first = rest.chars().next().map_or(1, char::len_utf8);
                let length =
                    rest[first..].find(['\\', '`', '$', '"']).map_or(rest.len(), |at| at + first);
                self.position += length;
                word.push_quoted(&rest[..length]);
            }
        }
        Ok(())
    }

    /// Reads `$'…'` and `$"…"`. bash may translate a `$"…"` by a message catalogue; without one it is `"…"`.
    pub(super) fn dollar_quotes(&mut self, word: &mut RawWord) -> Parsed<()> {
        let start = self.position;
        if self.dialect != Dialect::Bash {
            return Err(self.fault(Construct::AmbiguousQuote, start));
        }
        self.position += 1;
        if self.peek(0) == Some(b'"') {
            return self.double_quotes(word);
        }
        let bytes = self.source.as_bytes();
        let mut end = self.position + 1;
        loop {
            match bytes.get(end) {
                None => return Err(self.fault(Construct::AnsiQuote, start)),
                Some(b'\\') => end += 2,
                Some(b'\'') => break,
                Some(_) => end += 1,
            }
        }
        let text = &self.source[self.position + 1..end];
        self.position = end + 1;
        let decoded = ansi_c::decode(text).map_err(|construct| self.fault(construct, start))?;
        match String::from_utf8(decoded) {
            Ok(text) => word.push_quoted(&text),
            Err(_) => return Err(self.fault(Construct::Encoding, start)),
        }
        Ok(())
    }

    /// Reads a process substitution, `<(…)` or `>(…)`.
    pub(super) fn process(&mut self, word: &mut RawWord) -> Parsed<()> {
        let start = self.position;
        self.position += 2;
        self.record_construct_from(Construct::ProcessSubstitution, start);
        self.only_bash("`<(…)`", start)?;
        let script = self.substitution(start)?;
        word.parts.push(Part::Process(script.into()));
        Ok(())
    }

    /// Records the expansions of a word of a command, except substitutions.
    pub(super) fn expansions_of(&mut self, word: &RawWord) {
        let characters: Vec<(char, bool)> = word.characters().collect();
        let is_bare = |at: usize, wanted: char| characters.get(at) == Some(&(wanted, true));
        let lone_bracket = word.bare() == Some("[");
        // An opening bracket counts as a pattern even without its closing one, which is stricter than any shell.
        let has_glob = characters
            .iter()
            .any(|&(c, bare)| bare && (matches!(c, '*' | '?') || (c == '[' && !lone_bracket)));
        if has_glob {
            self.record_construct(Construct::Glob, word.span);
        }
        let open = (0..characters.len()).find(|at| is_bare(*at, '{'));
        let close = (0..characters.len()).rfind(|at| is_bare(*at, '}'));
        if let (Some(open), Some(close)) = (open, close)
            && let Some(inside) = characters.get(open..close)
            && (inside.iter().any(|(c, _)| *c == ',')
                || inside.windows(2).any(|pair| pair[0].0 == '.' && pair[1].0 == '.'))
        {
            self.record_construct(Construct::Brace, word.span);
        }
        let name = characters
            .iter()
            .take_while(|(c, bare)| *bare && (c.is_ascii_alphanumeric() || *c == '_'));
        let assigns = is_bare(name.count(), '=');
        let tilde = is_bare(0, '~')
            || (assigns
                && (1..characters.len())
                    .any(|at| is_bare(at, '~') && (is_bare(at - 1, '=') || is_bare(at - 1, ':'))));
        if tilde {
            self.record_construct(Construct::Tilde, word.span);
        }
    }

    pub(super) fn tilde_in_value(&mut self, value: &RawWord) {
        let mut previous = ':';
        for (character, bare) in value.characters() {
            if bare && character == '~' && previous == ':' {
                self.record_construct(Construct::Tilde, value.span);
            }
            previous = if bare { character } else { ' ' };
        }
        if value.characters().any(|(c, bare)| bare && matches!(c, '*' | '?' | '[')) {
            self.record_construct(Construct::Glob, value.span);
        }
        let braces = value.characters().filter(|(c, bare)| *bare && matches!(c, '{' | '}' | ','));
        if braces.count() > 2 {
            self.record_construct(Construct::Brace, value.span);
        }
    }

    pub(super) fn unquoted_in_expansion(&self, start: usize) -> super::Fault {
        self.unread(Unread::QuoteInExpansion, start)
    }
}
