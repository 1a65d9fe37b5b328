//! sed: the `e` command and the `e` flag. Every command of GNU sed is walked over; anything else is
//! unclear.

use super::{Finding, bracket};

struct Reader<'a> {
    characters: std::iter::Peekable<std::str::Chars<'a>>,
}

/// Stops the reading with an answer.
type Step = Result<(), Finding>;

pub(crate) fn read(script: &str) -> Finding {
    let mut reader = Reader { characters: script.chars().peekable() };
    loop {
        reader.skip(|c| c.is_ascii_whitespace() || matches!(c, ';' | '{' | '}'));
        if reader.characters.peek().is_none() {
            return Finding::Quiet;
        }
        if let Err(finding) = reader.command() {
            return finding;
        }
    }
}

impl Reader<'_> {
    fn skip(&mut self, matches: impl Fn(char) -> bool) {
        while self.characters.next_if(|c| matches(*c)).is_some() {}
    }

    fn command(&mut self) -> Step {
        self.address()?;
        self.skip(|c| c.is_ascii_whitespace());
        if self.characters.next_if_eq(&',').is_some() {
            self.skip(|c| c.is_ascii_whitespace() || matches!(c, '+' | '~'));
            self.address()?;
        }
        self.skip(|c| c.is_ascii_whitespace() || c == '!');
        let Some(name) = self.characters.next() else { return Ok(()) };
        match name {
            '{' | '}' => Ok(()),
            '#' | 'r' | 'R' | 'w' | 'W' => {
                self.skip(|c| c != '\n');
                Ok(())
            }
            'e' => Err(Finding::Runs),
            'a' | 'i' | 'c' => {
                self.text();
                Ok(())
            }
            's' => self.substitute(),
            'y' => {
                let mark = self.mark()?;
                self.until(mark)?;
                self.until(mark)?;
                self.end()
            }
            ':' | 'b' | 't' | 'T' | 'v' => {
                self.skip(|c| c == ' ' || c == '\t');
                self.skip(|c| !c.is_ascii_whitespace() && !matches!(c, ';' | '}'));
                self.end()
            }
            'l' | 'L' | 'q' | 'Q' => {
                self.skip(|c| c == ' ' || c == '\t' || c.is_ascii_digit());
                self.end()
            }
            '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'F' | 'z' => {
                self.end()
            }
            _ => Err(Finding::Unclear),
        }
    }

    fn address(&mut self) -> Step {
        match self.characters.peek() {
            Some('0'..='9') => self.skip(|c| c.is_ascii_digit() || c == '~'),
            Some('$') => {
                self.characters.next();
            }
            Some('/') => {
                self.characters.next();
                self.expression('/')?;
                self.skip(|c| matches!(c, 'I' | 'M'));
            }
            Some('\\') => {
                self.characters.next();
                let mark = self.mark()?;
                self.expression(mark)?;
                self.skip(|c| matches!(c, 'I' | 'M'));
            }
            _ => {}
        }
        Ok(())
    }

    /// The character that delimits the parts.
    fn mark(&mut self) -> Result<char, Finding> {
        self.characters.next().filter(|c| !matches!(c, '\n' | '\\')).ok_or(Finding::Unclear)
    }

    fn until(&mut self, mark: char) -> Step {
        loop {
            match self.characters.next() {
                None | Some('\n') => return Err(Finding::Unclear),
                Some('\\') => {
                    self.characters.next();
                }
                Some(c) if c == mark => return Ok(()),
                Some(_) => {}
            }
        }
    }

    /// A regular expression up to its mark. Versions differ in whether a mark in brackets ends it.
    fn expression(&mut self, mark: char) -> Step {
        // `\x5b` and its like may open a bracket, or take the one that follows.
        let mut by_number = false;
        loop {
            match self.characters.next() {
                None | Some('\n') => return Err(Finding::Unclear),
                Some('\\') => {
                    let escaped = self.characters.next();
                    by_number |= matches!(escaped, Some('c' | 'd' | 'o' | 'x'));
                }
                Some(c) if c == mark => return Ok(()),
                Some('[') => {
                    if bracket::skip(&mut self.characters, mark)?.1 && by_number {
                        return Err(Finding::Unclear);
                    }
                }
                Some(_) => {}
            }
        }
    }

    fn substitute(&mut self) -> Step {
        let mark = self.mark()?;
        self.expression(mark)?;
        self.until(mark)?;
        loop {
            match self.characters.peek() {
                Some('e') => return Err(Finding::Runs),
                Some('w') => {
                    self.skip(|c| c != '\n');
                    return Ok(());
                }
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => {
                    self.characters.next();
                }
                _ => return self.end(),
            }
        }
    }

    /// The text of `a`, `i`, `c`: up to a line break without a backslash.
    fn text(&mut self) {
        while let Some(c) = self.characters.next() {
            match c {
                '\\' => {
                    self.characters.next();
                }
                '\n' => return,
                _ => {}
            }
        }
    }

    /// A command ends at `;`, `}`, a comment, a line break or the end.
    fn end(&mut self) -> Step {
        self.skip(|c| c == ' ' || c == '\t' || c == '\r');
        match self.characters.peek() {
            None | Some(';' | '}' | '#' | '\n') => Ok(()),
            Some(_) => Err(Finding::Unclear),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sees_what_starts_commands() {
        let cases = [
            ("p", Finding::Quiet),
            ("s/e/e/g", Finding::Quiet),
            ("/rm/p", Finding::Quiet),
            ("1,5p;$d", Finding::Quiet),
            ("1~2!{s,a,b,;s|c|d|2p}", Finding::Quiet),
            ("/a/,/b/{p;}", Finding::Quiet),
            ("\\,a,d", Finding::Quiet),
            ("$!N;s/\\n/ /;ta", Finding::Quiet),
            ("a\\\ne id", Finding::Quiet),
            ("i e id", Finding::Quiet),
            ("w out", Finding::Quiet),
            ("y/abc/xyz/", Finding::Quiet),
            (":a;N;$!ba;s/\\n/,/g", Finding::Quiet),
            ("5q", Finding::Quiet),
            ("# e\np", Finding::Quiet),
            ("1e id", Finding::Runs),
            ("e", Finding::Runs),
            ("s/x/id/e", Finding::Runs),
            ("s/x/id/ge", Finding::Runs),
            ("p;e id", Finding::Runs),
            ("p}e id", Finding::Runs),
            ("a x\ne id", Finding::Runs),
            ("/x/I e id", Finding::Runs),
            ("1,+3e id", Finding::Runs),
            ("s/x", Finding::Unclear),
            ("b x e id", Finding::Unclear),
            ("k", Finding::Unclear),
            (":a e id", Finding::Unclear),
            ("s/[/a/w;s/]/id/e", Finding::Runs),
            ("s/[]/]/x/", Finding::Quiet),
            ("s/[^]/]/id/e", Finding::Runs),
            ("s/[^/]*$//", Finding::Quiet),
            ("s/[^/]*$//e", Finding::Runs),
            ("s/[^/]*/e/;1e id", Finding::Runs),
            ("s/[^/]*/e/", Finding::Quiet),
            ("s|[^|]*||", Finding::Quiet),
            ("/[/]/d", Finding::Quiet),
            ("/[/]/e id", Finding::Runs),
            ("\\|[|]|d", Finding::Quiet),
            ("s/a\\/b/c/", Finding::Quiet),
            ("s/[^/[:space:]]*//", Finding::Quiet),
            ("s/[a[/]/x/", Finding::Quiet),
            ("s/[[]/id/e", Finding::Runs),
            ("s/[[:/:]]/x/", Finding::Unclear),
            ("s/[[:space:]/]/x/", Finding::Unclear),
            ("s/[\\]/id/e;s/]//", Finding::Unclear),
            ("s/\\x5b[]/id/e;#]//", Finding::Unclear),
            ("s/\\c[/id/e;s/]//", Finding::Unclear),
            ("s:[:]:x:", Finding::Unclear),
            ("s/[/\ne id\n#]//", Finding::Unclear),
            ("s/[[:alpha:]/]/x/w;s/]/id/e", Finding::Unclear),
            ("s/[^a-z[:digit:]]/x/g", Finding::Quiet),
            ("s|[/]|x|", Finding::Quiet),
            ("/x", Finding::Unclear),
        ];
        for (script, expected) in cases {
            assert_eq!(read(script), expected, "{script}");
        }
    }
}
