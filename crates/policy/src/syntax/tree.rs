//! What a text was read as: commands, words and their parts. Nothing is expanded here.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::verdict::Span;

/// A list of commands in the order they are written.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) items: Vec<Item>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(Connector, Pipeline)>,
    /// It ends with `&`, so that it runs in a subshell.
    pub(crate) background: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connector {
    And,
    Or,
}

/// Never empty; more than one run in a subshell each.
#[derive(Debug)]
pub(crate) struct Pipeline {
    /// `!` or `time` stands in front.
    pub(crate) prefixed: bool,
    pub(crate) commands: Vec<Command>,
}

#[derive(Debug)]
pub(crate) enum Command {
    Simple(Simple),
    Compound(Compound, Vec<Redirection>),
    Function(Function),
}

#[derive(Debug, Default)]
pub(crate) struct Simple {
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) words: Vec<RawWord>,
    pub(crate) redirections: Vec<Redirection>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) name: String,
    pub(crate) appends: bool,
    pub(crate) value: RawWord,
    /// Of the name.
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// A compound command.
    pub(crate) body: Box<Command>,
}

#[derive(Debug)]
pub(crate) enum Compound {
    Group(Script),
    Subshell(Script),
    /// Conditions and what follows each; `else` last.
    If(Vec<(Script, Script)>, Option<Script>),
    /// Without words: those of `"$@"`.
    For {
        name: String,
        words: Option<Vec<RawWord>>,
        body: Script,
    },
    /// The three expressions as one.
    ArithmeticFor(RawWord, Script),
    /// `while` and `until`: condition and body.
    Loop(Script, Script),
    Case(RawWord, Vec<(Vec<RawWord>, Script)>),
    /// `[[ … ]]`
    Conditional(Vec<Operand>),
    /// `(( … ))`
    Arithmetic(RawWord),
}

/// A word between `[[` and `]]`, operators left out.
#[derive(Debug)]
pub(crate) struct Operand {
    pub(crate) word: RawWord,
    pub(crate) role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is compared as text or names a file.
    Text,
    /// Arithmetic: it is evaluated (`-eq`).
    Number,
    /// The name of a variable (`-v`): a subscript would be evaluated.
    Variable,
}

#[derive(Debug)]
pub(crate) struct Redirection {
    pub(crate) operator: Operator,
    /// As written in front of the operator, or what it means without.
    pub(crate) descriptor: u32,
    pub(crate) target: Target,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// `<`
    Input,
    /// `>`
    Output,
    /// `>>`
    Append,
    /// `>|`
    Clobber,
    /// `<>`
    ReadWrite,
    /// `&>`, and `>&` in front of a name.
    Both,
    /// `&>>`
    BothAppend,
    /// `<&` and `>&` in front of a descriptor or `-`.
    Duplicate,
    /// `<<<`
    HereString,
    /// `<<` and `<<-`
    HereDocument,
}

#[derive(Debug)]
pub(crate) enum Target {
    Word(RawWord),
    /// Filled when the lines that follow are read, before the reading ends.
    Document(Rc<OnceCell<RawWord>>),
}

impl Target {
    /// None only while the text is read.
    pub(crate) fn word(&self) -> Option<&RawWord> {
        match self {
            Self::Word(word) => Some(word),
            Self::Document(body) => body.get(),
        }
    }
}

/// A word as it is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawWord {
    /// Neighbours of the same literal kind are one part.
    pub(crate) parts: Vec<Part>,
    /// Some part was quoted, so an empty word is a word.
    pub(crate) quoted: bool,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// Literal, outside of quotes and unescaped: patterns, braces and tildes count.
    Bare(String),
    /// Literal and nothing else.
    Quoted(String),
    Parameter(Parameter),
    /// `$(…)` and backticks; true inside of double quotes.
    Command(Rc<Script>, bool),
    /// `<(…)` and `>(…)`
    Process(Rc<Script>),
    /// `$((…))`
    Arithmetic(RawWord),
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// A name, a number, or one of `@*#?-$!`.
    pub(crate) name: String,
    pub(crate) form: Form,
    /// Inside of double quotes.
    pub(crate) quoted: bool,
    /// Written with braces, so that nothing that follows belongs to the name.
    pub(crate) braced: bool,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Form {
    Plain,
    /// `${#x}`
    Length,
    /// `${x:-w}`, `${x:+w}`, `${x:?w}`, with or without the colon
    Alternative(RawWord),
    /// `${x:=w}`
    Assign(RawWord),
    /// `${x#w}`, `${x/w/w}`, `${x^w}`, …
    Edit(RawWord),
    /// `${x:1:2}`: arithmetic
    Slice(RawWord),
    /// `${x[0]}`, `${x[@]}`, in any form
    Element(RawWord),
}

impl Form {
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Self::Plain)
    }

    /// The word that is written within the braces, after the name.
    pub(crate) fn word(&self) -> Option<&RawWord> {
        match self {
            Self::Plain | Self::Length => None,
            Self::Alternative(word)
            | Self::Assign(word)
            | Self::Edit(word)
            | Self::Slice(word)
            | Self::Element(word) => Some(word),
        }
    }
}

impl RawWord {
    pub(crate) fn push_bare(&mut self, text: &str) {
        if let Some(Part::Bare(last)) = self.parts.last_mut() {
            last.push_str(text);
        } else {
            self.parts.push(Part::Bare(text.to_owned()));
        }
    }

    pub(crate) fn push_quoted(&mut self, text: &str) {
        self.quoted = true;
        if let Some(Part::Quoted(last)) = self.parts.last_mut() {
            last.push_str(text);
        } else if !text.is_empty() {
            self.parts.push(Part::Quoted(text.to_owned()));
        }
    }

    /// The text, when nothing of it is only known at run time. Patterns, braces and tildes are not looked at.
    pub(crate) fn literal(&self) -> Option<String> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Bare(piece) | Part::Quoted(piece) => text.push_str(piece),
                _ => return None,
            }
        }
        Some(text)
    }

    /// The text, when all of it was written without quotes.
    pub(crate) fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Bare(text)] if !self.quoted => Some(text),
            _ => None,
        }
    }

    /// Each literal character and whether it was written bare.
    pub(crate) fn characters(&self) -> impl Iterator<Item = (char, bool)> {
        self.parts.iter().flat_map(|part| {
            let (text, bare) = match part {
                Part::Bare(text) => (text.as_str(), true),
                Part::Quoted(text) => (text.as_str(), false),
                // Something stands there.
                _ => ("\u{1}", false),
            };
            text.chars().map(move |character| (character, bare))
        })
    }
}
