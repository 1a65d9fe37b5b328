//! The syntax of Go's regular expressions, in which rule files are written, in that of our engine.
//!
//! Both descend from RE2 and agree on most. Go takes `\d`, `\s`, `\w` and `\b` for ASCII, a `{` that begins no repetition
//! for itself, and knows octal codes, `\Q…\E` and names of groups that begin with a digit; in our classes `[`, `&&`, `--`
//! and `~~` mean something. A line is the whole text here, so `^`, `\A`, `$` and `\z` are its start and its end. What
//! neither knows passes as it is, for the parser to refuse.
//!
//! Letters and classes of ASCII are written as bytes: without regard to case K and S would have forms outside ASCII (the
//! sign for Kelvin and the long s), which no secret needs and which cost time.

use regex_syntax::is_meta_character;

/// The end of a line, which may end as on Windows.
const LINE_END: &str = "(?R:$)";

/// A pattern of the same meaning.
pub(super) struct Translated {
    pub(super) pattern: String,
    /// For each part the characters before it, here and in what was given. Grows in both.
    places: Vec<(usize, usize)>,
}

impl Translated {
    /// The character of what was given that led to the one at `position`.
    pub(super) fn origin(&self, position: usize) -> usize {
        let next = self.places.partition_point(|&(ours, _)| ours <= position);
        next.checked_sub(1).map_or(0, |part| self.places[part].1)
    }
}

pub(super) fn translate(pattern: &str) -> Translated {
    let mut translator = Translator { given: pattern.chars().collect(), at: 0, out: Vec::new() };
    let mut places = Vec::new();
    while let Some(char) = translator.peek(0) {
        places.push((translator.out.len(), translator.at));
        translator.part(char);
    }
    Translated { pattern: translator.out.into_iter().collect(), places }
}

struct Translator {
    given: Vec<char>,
    at: usize,
    out: Vec<char>,
}

impl Translator {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.given.get(self.at + ahead).copied()
    }

    /// How many characters of a kind follow each other.
    fn run(&self, ahead: usize, is_kind: impl Fn(char) -> bool) -> usize {
        self.given.iter().skip(self.at + ahead).take_while(|&&char| is_kind(char)).count()
    }

    fn push(&mut self, text: &str) {
        self.out.extend(text.chars());
    }

    /// Passes characters as they are.
    fn copy(&mut self, count: usize) {
        let end = self.given.len().min(self.at + count);
        self.out.extend_from_slice(&self.given[self.at..end]);
        self.at = end;
    }

    /// Writes a character that stands for itself.
    fn literal(&mut self, char: char) {
        if is_meta_character(char) {
            self.out.push('\\');
        }
        self.out.push(char);
    }

    /// Takes one part that begins with `char`: more than nothing.
    fn part(&mut self, char: char) {
        match char {
            '\\' => self.escape(),
            '[' => self.class(),
            '(' => self.group(),
            '{' => match self.repetition() {
                Some(length) => self.copy(length),
                None => self.take_literal(char),
            },
            '}' | ']' => self.take_literal(char),
            '$' => {
                self.at += 1;
                self.push(LINE_END);
            }
            _ if char.is_ascii_alphabetic() => self.word(),
            _ => self.copy(1),
        }
    }

    /// Letters that follow each other. What repeats the last one repeats it alone.
    fn word(&mut self) {
        let is_letter = |char: char| char.is_ascii_alphabetic();
        let length = self.run(0, is_letter);
        let repeats = matches!(self.peek(length), Some('*' | '+' | '?' | '{'));
        let together = if repeats && length > 1 { length - 1 } else { length };
        self.push("(?-u:");
        self.copy(together);
        self.out.push(')');
    }

    fn take_literal(&mut self, char: char) {
        self.at += 1;
        self.literal(char);
    }

    /// Length of `{2}`, `{2,}` or `{2,3}`.
    fn repetition(&self) -> Option<usize> {
        let digits = |from| self.run(from, |char| char.is_ascii_digit());
        let mut length = 1 + digits(1);
        if length == 1 {
            return None;
        }
        if self.peek(length) == Some(',') {
            length += 1 + digits(length + 1);
        }
        (self.peek(length) == Some('}')).then_some(length + 1)
    }

    /// The opening of a group, whose name nobody asks for.
    fn group(&mut self) {
        let name = match (self.peek(1), self.peek(2), self.peek(3)) {
            (Some('?'), Some('P'), Some('<')) => 4,
            (Some('?'), Some('<'), Some(char)) if !matches!(char, '=' | '!') => 3,
            (Some('?'), ..) => return self.flags(),
            _ => return self.copy(1),
        };
        let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
        let length = self.run(name, is_word);
        if length == 0 || self.peek(name + length) != Some('>') {
            return self.copy(1);
        }
        self.out.push('(');
        self.at += name + length + 1;
    }

    /// The opening of a group with flags, or flags alone, which are no letters to be found.
    fn flags(&mut self) {
        let is_flag = |char: char| char.is_ascii_alphabetic() || char == '-';
        let length = self.run(2, is_flag);
        self.copy(2 + length);
    }

    /// What begins with a backslash, outside of a class.
    fn escape(&mut self) {
        let Some(next) = self.peek(1) else { return self.copy(1) };
        let text = match next {
            'A' => "^",
            'z' => LINE_END,
            'b' => "(?-u:\\b)",
            'B' => "(?-u:\\B)",
            'Q' => return self.quoted(),
            _ => match perl_class(next) {
                Some((members, negated)) => {
                    self.at += 2;
                    self.push(if negated { "[^" } else { "[" });
                    self.push(members);
                    return self.out.push(']');
                }
                None => {
                    return match self.escaped() {
                        Some(char) => self.literal(char),
                        None => self.other_escape(),
                    };
                }
            },
        };
        self.at += 2;
        self.push(text);
    }

    /// `\Q…\E`: what is between stands for itself.
    fn quoted(&mut self) {
        self.at += 2;
        while let Some(char) = self.peek(0) {
            if char == '\\' && self.peek(1) == Some('E') {
                self.at += 2;
                return;
            }
            self.take_literal(char);
        }
    }

    /// Takes an escape that stands for one character.
    fn escaped(&mut self) -> Option<char> {
        let next = self.peek(1)?;
        let (char, length) = match next {
            'a' => ('\x07', 2),
            'f' => ('\x0c', 2),
            'n' => ('\n', 2),
            'r' => ('\r', 2),
            't' => ('\t', 2),
            'v' => ('\x0b', 2),
            'x' => self.hexadecimal()?,
            '0'..='7' => self.octal()?,
            _ if next.is_ascii_punctuation() => (next, 2),
            _ => return None,
        };
        self.at += length;
        Some(char)
    }

    fn hexadecimal(&self) -> Option<(char, usize)> {
        let digits: String = if self.peek(2) == Some('{') {
            (3..).map_while(|ahead| self.peek(ahead).filter(char::is_ascii_hexdigit)).collect()
        } else {
            (2..4).map_while(|ahead| self.peek(ahead).filter(char::is_ascii_hexdigit)).collect()
        };
        let braces = self.peek(2) == Some('{');
        let is_whole =
            if braces { self.peek(3 + digits.len()) == Some('}') } else { digits.len() == 2 };
        let char = char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?;
        is_whole.then_some((char, digits.len() + if braces { 4 } else { 2 }))
    }

    /// Up to three digits; one alone is a reference back unless it is zero.
    fn octal(&self) -> Option<(char, usize)> {
        let digits: String = (1..4)
            .map_while(|ahead| self.peek(ahead).filter(|char| matches!(char, '0'..='7')))
            .collect();
        if digits.len() == 1 && digits != "0" {
            return None;
        }
        let char = char::from_u32(u32::from_str_radix(&digits, 8).ok()?)?;
        Some((char, 1 + digits.len()))
    }

    /// `\pN`, `\p{Greek}`, `\p{^Greek}`, and what is an error.
    fn other_escape(&mut self) {
        match self.peek(1) {
            Some(sign @ ('p' | 'P')) if self.peek(2) == Some('{') => {
                let negated = self.peek(3) == Some('^');
                let flipped = if sign == 'p' { 'P' } else { 'p' };
                self.out.extend(['\\', if negated { flipped } else { sign }, '{']);
                self.at += if negated { 4 } else { 3 };
                let rest = self.given[self.at..].iter();
                let length = rest.take_while(|&&char| char != '}').count();
                self.copy(length + 1);
            }
            Some('p' | 'P') => self.copy(3),
            _ => self.copy(2),
        }
    }

    /// From `[` to the end of the class.
    fn class(&mut self) {
        let start = self.out.len();
        self.copy(1);
        let mut is_ascii = self.peek(0) != Some('^');
        if !is_ascii {
            self.copy(1);
        }
        let mut first = true;
        while let Some(char) = self.peek(0) {
            if char == ']' && !first {
                self.copy(1);
                if is_ascii {
                    self.out.splice(start..start, "(?-u:".chars());
                    self.out.push(')');
                }
                return;
            }
            first = false;
            is_ascii &= self.member(char);
        }
    }

    /// One member of a class or a range of them, which begins with `char`. False when some may be outside ASCII.
    fn member(&mut self, char: char) -> bool {
        if let Some(length) = self.named_class() {
            return self.take_named_class(length);
        }
        let perl = self.peek(1).filter(|_| char == '\\').and_then(perl_class);
        if let Some((members, negated)) = perl {
            self.at += 2;
            self.push(if negated { "[^" } else { "" });
            self.push(members);
            self.push(if negated { "]" } else { "" });
            return !negated;
        }
        let Some(mut last) = self.class_character(char) else {
            self.other_escape();
            return false;
        };
        let is_range = self.peek(0) == Some('-') && self.peek(1).is_some_and(|c| c != ']');
        if let Some(next) = self.peek(1).filter(|_| is_range) {
            self.copy(1);
            let Some(end) = self.class_character(next) else {
                self.other_escape();
                return false;
            };
            last = last.max(end);
        }
        last.is_ascii()
    }

    /// One character, plain or behind a backslash. None when it is something else.
    fn class_character(&mut self, char: char) -> Option<char> {
        let member = if char == '\\' {
            self.escaped()?
        } else {
            self.at += 1;
            char
        };
        self.literal(member);
        Some(member)
    }

    /// Length of `[:alpha:]`.
    fn named_class(&self) -> Option<usize> {
        let ('[', ':') = (self.peek(0)?, self.peek(1)?) else { return None };
        let is_name = |char: char| char.is_ascii_lowercase() || char == '^';
        let length = self.run(2, is_name);
        let (':', ']') = (self.peek(2 + length)?, self.peek(3 + length)?) else { return None };
        Some(length + 4)
    }

    /// Takes `[:alpha:]`, of `length`. False when others than ASCII are meant.
    fn take_named_class(&mut self, length: usize) -> bool {
        let name: String = self.given[self.at + 2..self.at + length - 2].iter().collect();
        let is_ascii = !name.starts_with('^');
        if CLASSES.contains(&name.trim_start_matches('^')) {
            self.copy(length);
            return is_ascii;
        }
        // Our parser would take it for letters: this it refuses.
        self.at += length;
        self.push("\\p{");
        self.push(&name);
        self.push("}");
        false
    }
}

/// Names of classes of ASCII.
const CLASSES: &[&str] = &[
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

/// Members of a class of Perl's, of ASCII alone, and whether all others are meant.
fn perl_class(letter: char) -> Option<(&'static str, bool)> {
    let members = match letter.to_ascii_lowercase() {
        'd' => "0-9",
        's' => "\\t\\n\\x0C\\r\\x20",
        'w' => "0-9A-Z_a-z",
        _ => return None,
    };
    Some((members, letter.is_ascii_uppercase()))
}
