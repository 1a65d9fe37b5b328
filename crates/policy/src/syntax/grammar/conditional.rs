//! Reads the words of `[[ … ]]`. Its operators group and compare; they start nothing.

use super::super::tree::{Compound, Operand, RawWord, Role};
use super::super::unread::Unread;
use super::{Parsed, Reader};

const NUMERIC: [&str; 6] = ["-eq", "-ge", "-gt", "-le", "-lt", "-ne"];
const TEXTUAL: [&str; 6] = ["!=", "-ef", "-nt", "-ot", "=", "=="];

impl Reader<'_> {
    pub(super) fn conditional(&mut self) -> Parsed<Compound> {
        let start = self.position;
        self.only_bash("`[[`", start)?;
        self.opens("[[");
        let mut operands = Vec::new();
        let mut open = 0_usize;
        loop {
            self.negations()?;
            if self.takes("(") {
                open += 1;
                continue;
            }
            self.condition(&mut operands)?;
            self.skip_lines()?;
            while open > 0 && self.takes(")") {
                open -= 1;
                self.skip_lines()?;
            }
            if open == 0 && self.takes_keyword("]]") {
                return Ok(Compound::Conditional(operands));
            }
            if !self.takes("&&") && !self.takes("||") {
                return Err(self.unexpected());
            }
        }
    }

    fn negations(&mut self) -> Parsed<()> {
        self.skip_lines()?;
        while self.takes_keyword("!") {
            self.skip_lines()?;
        }
        Ok(())
    }

    /// Reads one test: a word alone, an operator with a word, or an operator between two words.
    fn condition(&mut self, operands: &mut Vec<Operand>) -> Parsed<()> {
        if self.keyword() == Some("]]") {
            return Err(self.unexpected());
        }
        let first = self.argument()?;
        self.skip_blanks();
        if let Some(letter) = first.bare().and_then(unary_test_letter) {
            if self.condition_ends() {
                return Err(self.unexpected());
            }
            let role = if "vR".contains(letter) { Role::Variable } else { Role::Text };
            let word = self.argument()?;
            operands.push(Operand { word, role });
            return Ok(());
        }
        if self.condition_ends() {
            operands.push(Operand { word: first, role: Role::Text });
            return Ok(());
        }
        let start = self.position;
        let role = if self.takes("=~") {
            self.skip_blanks();
            let word = self.expression()?;
            operands.push(Operand { word: first, role: Role::Text });
            operands.push(Operand { word, role: Role::Text });
            return Ok(());
        } else if self.takes("<") || self.takes(">") {
            Role::Text
        } else {
            match self.argument()?.bare() {
                Some(operator) if NUMERIC.contains(&operator) => Role::Number,
                Some(operator) if TEXTUAL.contains(&operator) => Role::Text,
                _ => return Err(self.unread(Unread::Syntax, start)),
            }
        };
        self.skip_blanks();
        let second = self.argument()?;
        operands.push(Operand { word: first, role });
        operands.push(Operand { word: second, role });
        Ok(())
    }

    fn condition_ends(&self) -> bool {
        matches!(self.peek(0), None | Some(b'\n' | b')' | b'(' | b';' | b'&' | b'|'))
            || self.keyword() == Some("]]")
    }

    /// Reads a regular expression up to a blank. Parentheses and bars belong to it.
    fn expression(&mut self) -> Parsed<RawWord> {
        let start = self.position;
        let mut word = RawWord::default();
        let mut open = 0_usize;
        loop {
            match self.peek(0) {
                None | Some(b' ' | b'\t' | b'\n') if open == 0 => break,
                None | Some(b' ' | b'\t' | b'\n' | b'<' | b'>' | b';' | b'&') => {
                    return Err(self.unread(Unread::Pattern, start));
                }
                Some(byte @ (b'(' | b')' | b'|')) => {
                    if byte == b')' && open == 0 {
                        break;
                    }
                    open = if byte == b'(' { open + 1 } else { open - usize::from(byte == b')') };
                    self.position += 1;
                    word.push_bare(char::from(byte).encode_utf8(&mut [0; 4]));
                }
                Some(_) => self.piece(&mut word)?,
            }
        }
        word.span = self.span(start);
        if self.position == start { Err(self.unexpected()) } else { Ok(word) }
    }
}

/// The letter of a test with one operand.
fn unary_test_letter(word: &str) -> Option<char> {
    let mut letters = word.strip_prefix('-')?.chars();
    let letter = letters.next().filter(|letter| "abcdefghkprstuvwxzGLNOSRon".contains(*letter))?;
    letters.next().is_none().then_some(letter)
}
