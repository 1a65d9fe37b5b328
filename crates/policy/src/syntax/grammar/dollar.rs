//! Reads expansions, which begin with a `$` or a backtick.

use super::super::Dialect;
use super::super::construct::Construct;
use super::super::tree::{Form, Parameter, Part, RawWord, Script, Subscript};
use super::super::unread::Unread;
use super::compound::is_name;
use super::word::Quote;
use super::{Parsed, Reader};

/// What an arithmetic text ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// `))`
    Parentheses,
    /// `}`
    Brace,
    /// `]`
    Bracket,
}

impl Reader<'_> {
    pub(super) fn dollar(&mut self, word: &mut RawWord, quote: Quote) -> Parsed<()> {
        let start = self.position;
        let quoted = quote != Quote::None;
        match self.peek(1) {
            Some(b'\'' | b'"') if !quoted => return self.dollar_quotes(word),
            Some(b'(') if self.peek(2) == Some(b'(') => {
                self.position += 3;
                self.record_construct_from(Construct::Arithmetic, start);
                let text = self.nested(|reader| reader.arithmetic(End::Parentheses, false))?;
                word.parts.push(Part::Arithmetic(text));
            }
            Some(b'(') => {
                self.position += 2;
                self.record_construct_from(Construct::CommandSubstitution, start);
                let script = self.substitution(start)?;
                word.parts.push(Part::Command(script.into(), quoted));
            }
            Some(b'[') => {
                self.record_construct_from(Construct::Arithmetic, start);
                return Err(self.unread(Unread::OldArithmetic, start));
            }
            Some(b'{') => {
                self.position += 2;
                self.record_construct_from(Construct::ParameterExpansion, start);
                let parameter = self.nested(|reader| reader.braced(start, quote))?;
                word.parts.push(Part::Parameter(parameter));
            }
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.position += 1;
                let name = self.name().to_owned();
                self.parameter(word, name, quoted, start)?;
            }
            Some(byte @ (b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')) => {
                self.position += 2;
                self.parameter(word, char::from(byte).to_string(), quoted, start)?;
            }
            // A shell joins lines before it looks at the character after the `$`.
            Some(b'\\') if self.peek(2) == Some(b'\n') => {
                self.position += 1;
                self.record_construct_from(Construct::Variable, start);
                return Err(self.unread(Unread::Syntax, start));
            }
            _ => {
                self.position += 1;
                if quoted { word.push_quoted("$") } else { word.push_bare("$") }
            }
        }
        Ok(())
    }

    fn name(&mut self) -> &str {
        let rest = self.rest();
        let length =
            rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        self.position += length;
        &rest[..length]
    }

    fn parameter(
        &mut self,
        word: &mut RawWord,
        name: String,
        quoted: bool,
        start: usize,
    ) -> Parsed<()> {
        self.record_construct_from(Construct::Variable, start);
        // The name of the variable would continue on the joined line.
        self.no_joined_line(start)?;
        let span = self.span(start);
        word.parts.push(Part::Parameter(Parameter {
            name,
            subscript: None,
            form: Form::Plain,
            quoted,
            braced: false,
            span,
        }));
        Ok(())
    }

    /// Reads the commands of a substitution, up to its closing parenthesis.
    pub(super) fn substitution(&mut self, start: usize) -> Parsed<Script> {
        self.no_joined_line(start)?;
        let outer = std::mem::take(&mut self.pending);
        let was_over = std::mem::replace(&mut self.first_is_over, true);
        self.outer_pending += outer.len();
        let open = self.open.len();
        if self.source[start..].starts_with("$(") {
            self.open.push(("$(", start));
        }
        let script = self.nested(Self::list)?;
        self.expect(")")?;
        self.open.truncate(open);
        self.no_document_is_pending()?;
        self.outer_pending -= outer.len();
        self.pending = outer;
        self.first_is_over = was_over;
        Ok(script)
    }

    /// Reads a substitution in backticks: a script of its own, after some of its backslashes are removed.
    pub(super) fn backticks(&mut self, word: &mut RawWord, quote: Quote) -> Parsed<()> {
        let start = self.position;
        self.position += 1;
        self.record_construct_from(Construct::Backtick, start);
        let mut text = String::new();
        let mut offsets = Vec::new();
        loop {
            let at = self.offset(self.position);
            let character = match self.next_character() {
                None => return Err(self.unread(Unread::Syntax, start)),
                Some('`') => {
                    offsets.push(at);
                    break;
                }
                Some('\\') => match self.peek(0) {
                    Some(b'`' | b'\\' | b'$') => self.next_character().unwrap_or('\\'),
                    // Shells differ on whether this backslash belongs to the quotes or to the backticks.
                    Some(b'"') if quote != Quote::None => {
                        return Err(self.unquoted_in_expansion(start));
                    }
                    _ => '\\',
                },
                Some('\n') if !self.pending.is_empty() || self.outer_pending > 0 => {
                    return Err(self.unread(Unread::DocumentEnd, start));
                }
                Some(character) => character,
            };
            text.push(character);
            offsets.resize(text.len(), at);
        }
        let script = self.within(&text, &offsets, |reader| {
            let script = reader.list()?;
            if reader.peek(0).is_some() {
                return Err(reader.unexpected());
            }
            reader.no_document_is_pending()?;
            Ok(script)
        })?;
        word.parts.push(Part::Command(script.into(), quote != Quote::None));
        Ok(())
    }

    /// Reads `${…}` after its opening brace.
    fn braced(&mut self, start: usize, quote: Quote) -> Parsed<Parameter> {
        let quoted = quote != Quote::None;
        let mut is_length = false;
        let mut is_indices = false;
        match (self.peek(0), self.peek(1)) {
            (Some(b' ' | b'\t' | b'\n' | b'|' | b'('), _) => {
                return Err(self.unread(Unread::FunctionSubstitution, start));
            }
            (Some(b'!'), after) if after != Some(b'}') => {
                self.position += 1;
                is_indices = true;
            }
            (Some(b'#'), Some(byte)) if byte.is_ascii_alphanumeric() || b"_@*".contains(&byte) => {
                self.position += 1;
                is_length = true;
            }
            _ => {}
        }
        let name = match self.peek(0) {
            Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_' => self.name().to_owned(),
            Some(byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')) => {
                self.position += 1;
                char::from(byte).to_string()
            }
            _ => return Err(self.unread(Unread::Syntax, start)),
        };
        if name.starts_with(|c: char| c.is_ascii_digit())
            && !name.bytes().all(|b| b.is_ascii_digit())
        {
            return Err(self.unread(Unread::Syntax, start));
        }
        let subscript = if self.peek(0) == Some(b'[') && is_name(&name) {
            self.only_bash("`${name[…]}`", start)?;
            Some(self.subscript()?)
        } else {
            None
        };
        let form = match subscript {
            Some(Subscript::All | Subscript::Joined)
                if is_indices && self.peek(0) == Some(b'}') =>
            {
                Form::Indices
            }
            _ if is_indices => return Err(self.unread(Unread::Indirect, start)),
            _ if is_length => Form::Length,
            _ => self.form(start, quote)?,
        };
        if subscript.is_some() && matches!(form, Form::Assign(_)) {
            return Err(self.unread(Unread::Array, start));
        }
        self.expect("}")?;
        let span = self.span(start);
        Ok(Parameter { name, subscript, form, quoted, braced: true, span })
    }

    /// Reads a subscript from its opening bracket on.
    fn subscript(&mut self) -> Parsed<Subscript> {
        if self.takes("[@]") {
            Ok(Subscript::All)
        } else if self.takes("[*]") {
            Ok(Subscript::Joined)
        } else {
            Ok(Subscript::At(self.index()?))
        }
    }

    /// Reads the number of an element, which is arithmetic, with its brackets.
    pub(super) fn index(&mut self) -> Parsed<RawWord> {
        let start = self.position;
        self.expect("[")?;
        let index = self.nested(|reader| reader.arithmetic(End::Bracket, false))?;
        // Without a number, or with a sign alone, it means something else to some versions of bash.
        if !index.characters().any(|(c, _)| c.is_ascii_alphanumeric() || matches!(c, '_' | '\u{1}'))
        {
            return Err(self.unread(Unread::Array, start));
        }
        self.expect("]")?;
        Ok(index)
    }

    fn form(&mut self, start: usize, quote: Quote) -> Parsed<Form> {
        let (colon, next) = match self.peek(0) {
            Some(b':') => (1, self.peek(1)),
            next => (0, next),
        };
        match next {
            Some(sign @ (b'-' | b'=' | b'+' | b'?')) => {
                self.position += colon + 1;
                let word = self.braced_word(quote)?;
                Ok(if sign == b'=' { Form::Assign(word) } else { Form::Alternative(word) })
            }
            Some(b'}') if colon == 0 => Ok(Form::Plain),
            _ if colon == 1 => {
                self.only_bash("`${name:…}`", start)?;
                self.position += 1;
                Ok(Form::Slice(self.arithmetic(End::Brace, false)?))
            }
            Some(sign @ (b'#' | b'%' | b'/' | b'^' | b',')) => {
                if matches!(sign, b'/' | b'^' | b',') {
                    self.only_bash("`${name/…}`", start)?;
                }
                self.position += 1;
                Ok(Form::Edit(self.braced_word(quote)?))
            }
            Some(b'@') => Err(self.unread(Unread::Transformation, start)),
            _ => Err(self.unread(Unread::Syntax, start)),
        }
    }

    /// Reads the word of `${name-word}`, up to the closing brace.
    fn braced_word(&mut self, quote: Quote) -> Parsed<RawWord> {
        let start = self.position;
        let mut word = RawWord::default();
        loop {
            let at = self.position;
            match (self.peek(0), quote) {
                (None, _) => return Err(self.unread(Unread::Syntax, start)),
                (Some(b'}'), _) => break,
                (Some(b'<' | b'>'), Quote::None) if self.peek(1) == Some(b'(') => {
                    self.process(&mut word)?;
                }
                (Some(_), Quote::None) => self.piece(&mut word)?,
                // It depends on the operator and on the shell whether these characters quote.
                (Some(b'\''), _) | (Some(b'"'), Quote::Document) => {
                    return Err(self.unquoted_in_expansion(at));
                }
                (Some(b'"'), Quote::Double) if self.dialect == Dialect::Bash => {
                    self.double_quotes(&mut word)?;
                }
                (Some(b'"'), Quote::Double) => return Err(self.unquoted_in_expansion(at)),
                (Some(b'\\'), _) => {
                    self.position += 1;
                    let next = self.next_character().unwrap_or('\\');
                    if next != '\n' {
                        word.push_quoted(next.encode_utf8(&mut [0; 4]));
                    }
                }
                (Some(b'$'), _) => self.dollar(&mut word, quote)?,
                (Some(b'`'), _) => self.backticks(&mut word, quote)?,
                (Some(_), _) => {
                    let character = self.next_character().unwrap_or(' ');
                    word.push_quoted(character.encode_utf8(&mut [0; 4]));
                }
            }
        }
        word.span = self.span(start);
        Ok(word)
    }

    /// Reads arithmetic: numbers, names, operators and expansions. Everything else is refused, subscripts above all.
    pub(super) fn arithmetic(&mut self, end: End, semicolons: bool) -> Parsed<RawWord> {
        let start = self.position;
        let mut text = RawWord::default();
        let mut open = 0_usize;
        loop {
            let at = self.position;
            match self.peek(0) {
                Some(b'}') if open == 0 && end == End::Brace => break,
                Some(b']') if open == 0 && end == End::Bracket => break,
                Some(b'\n') if end == End::Bracket => {
                    return Err(self.unread(Unread::Arithmetic, at));
                }
                Some(b')') if open == 0 => {
                    if end != End::Parentheses || self.peek(1) != Some(b')') {
                        return Err(self.unread(Unread::Arithmetic, start));
                    }
                    break;
                }
                Some(b'$') if self.peek(1) != Some(b'\'') && self.peek(1) != Some(b'"') => {
                    self.dollar(&mut text, Quote::Double)?;
                }
                Some(b'`') => self.backticks(&mut text, Quote::Double)?,
                Some(byte) => {
                    open = match byte {
                        b'(' => open + 1,
                        b')' => open - 1,
                        _ => open,
                    };
                    let is_known = byte.is_ascii_alphanumeric()
                        || b" \t_+-*/%<>=!&|^~?:,()#".contains(&byte)
                        || (byte == b'\n' && self.pending.is_empty() && self.outer_pending == 0)
                        || (byte == b';' && semicolons && open == 0);
                    if !is_known {
                        return Err(self.unread(Unread::Arithmetic, at));
                    }
                    self.position += 1;
                    text.push_bare(char::from(byte).encode_utf8(&mut [0; 4]));
                }
                None => return Err(self.unread(Unread::Syntax, start)),
            }
        }
        text.span = self.span(start);
        if end == End::Parentheses {
            self.position += 2;
        }
        if self.dialect != Dialect::Bash && text.bare().is_some_and(|text| text.contains("++")) {
            return Err(self.unread(Unread::NotPosix("`++`"), start));
        }
        Ok(text)
    }
}
