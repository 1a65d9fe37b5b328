//! The tree that a text is read into: commands, words and their parts. No expansion is done in it.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::verdict::Span;

/// A list of commands, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) items: Vec<Item>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(Connector, Pipeline)>,
    /// Whether it ends with `&`, so that it runs in a subshell.
    pub(crate) background: bool,
    /// Whether a line end and another item follow, so that a shell runs it before it reads on.
    pub(crate) ends_line: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connector {
    And,
    Or,
}

/// Commands joined by pipes, at least one. Each of several runs in a subshell.
#[derive(Debug)]
pub(crate) struct Pipeline {
    /// Whether `!` or `time` stands in front.
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
    /// The arithmetic between the brackets of `a[i]=x`.
    pub(crate) subscript: Option<RawWord>,
    pub(crate) appends: bool,
    /// The value. That of an array is a single part, a list.
    pub(crate) value: RawWord,
    /// The span of the name.
    pub(crate) span: Span,
}

impl Assignment {
    /// Whether it makes an array, or sets an element of one.
    pub(crate) fn is_of_array(&self) -> bool {
        self.subscript.is_some() || self.value.list().is_some()
    }

    /// The subscript and the value.
    pub(crate) fn words(&self) -> impl Iterator<Item = &RawWord> {
        self.subscript.iter().chain([&self.value])
    }
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// The body, which is a compound command.
    pub(crate) body: Box<Command>,
}

#[derive(Debug)]
pub(crate) enum Compound {
    Group(Script),
    Subshell(Script),
    /// Pairs of a condition and its commands, and the commands of `else`.
    If(Vec<(Script, Script)>, Option<Script>),
    /// A loop over words. Without `words` it runs over `"$@"`.
    For {
        name: String,
        words: Option<Vec<RawWord>>,
        body: Script,
    },
    /// The three expressions, as one text, and the body.
    ArithmeticFor(RawWord, Script),
    /// The condition and the body of `while` or `until`.
    Loop(Script, Script),
    Case(RawWord, Vec<(Vec<RawWord>, Script)>),
    /// `[[ … ]]`
    Conditional(Vec<Operand>),
    /// `(( … ))`
    Arithmetic(RawWord),
}

/// A word between `[[` and `]]` that is not an operator.
#[derive(Debug)]
pub(crate) struct Operand {
    pub(crate) word: RawWord,
    pub(crate) role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The word is compared as text, or names a file.
    Text,
    /// The word is evaluated as arithmetic (`-eq`).
    Number,
    /// The word names a variable (`-v`), and bash evaluates a subscript in it.
    Variable,
}

#[derive(Debug)]
pub(crate) struct Redirection {
    pub(crate) operator: Operator,
    /// The descriptor in front of the operator, or the one that the operator implies.
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
    /// The body of a here-document, which is set when its lines are read.
    Document(Rc<OnceCell<RawWord>>),
}

impl Target {
    /// The target. `None` only while the text is being read.
    pub(crate) fn word(&self) -> Option<&RawWord> {
        match self {
            Self::Word(word) => Some(word),
            Self::Document(body) => body.get(),
        }
    }
}

/// A word as it is written, before any expansion.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawWord {
    /// The parts of the word. Neighbouring literal parts of the same kind are joined.
    pub(crate) parts: Vec<Part>,
    /// Whether a part is quoted, so that the word exists even when it is empty.
    pub(crate) quoted: bool,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// Literal text without quotes, in which patterns, braces and tildes have their meaning.
    Bare(String),
    /// Quoted text, in which no character has a special meaning.
    Quoted(String),
    Parameter(Parameter),
    /// A substitution, `$(…)` or backticks, and whether it stands in double quotes.
    Command(Rc<Script>, bool),
    /// `<(…)` and `>(…)`
    Process(Rc<Script>),
    /// `$((…))`
    Arithmetic(RawWord),
    /// `(x y)`, the value of an array. No other part but the name stands in the same word.
    List(Vec<RawWord>),
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// A name, a number, or one of `@*#?-$!`.
    pub(crate) name: String,
    pub(crate) subscript: Option<Subscript>,
    pub(crate) form: Form,
    /// Whether it stands in double quotes.
    pub(crate) quoted: bool,
    /// Whether it is written with braces, so that no following character belongs to the name.
    pub(crate) braced: bool,
    pub(crate) span: Span,
}

/// The elements of an array that an expansion is about.
#[derive(Clone, Debug)]
pub(crate) enum Subscript {
    /// `[@]`: each is a word of its own in double quotes.
    All,
    /// `[*]`: in double quotes they are joined to one word.
    Joined,
    /// The element of this number, which is arithmetic.
    At(RawWord),
}

#[derive(Clone, Debug)]
pub(crate) enum Form {
    Plain,
    /// `${#x}`
    Length,
    /// `${!x[@]}`
    Indices,
    /// `${x:-w}`, `${x:+w}`, `${x:?w}`, with or without the colon
    Alternative(RawWord),
    /// `${x:=w}`
    Assign(RawWord),
    /// `${x#w}`, `${x/w/w}`, `${x^w}`, …
    Edit(RawWord),
    /// `${x:1:2}`: arithmetic
    Slice(RawWord),
}

impl Part {
    /// Literal text, quoted or not.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Bare(text) | Self::Quoted(text) => Some(text),
            _ => None,
        }
    }
}

impl Parameter {
    /// Whether it is `$x` or `${x}`.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.form, Form::Plain) && self.subscript.is_none()
    }

    /// Whether it makes a word of each element or positional parameter also in double quotes, as `"$@"` does.
    pub(crate) fn makes_many_words(&self) -> bool {
        match (&self.form, &self.subscript) {
            (Form::Length | Form::Assign(_), _) => false,
            (_, Some(Subscript::All)) => true,
            _ if self.name == "@" => true,
            (Form::Alternative(word), _) => word
                .parts
                .iter()
                .any(|part| matches!(part, Part::Parameter(inner) if inner.makes_many_words())),
            _ => false,
        }
    }

    /// The words that are written within the braces: the subscript, and what follows the name.
    pub(crate) fn words(&self) -> impl Iterator<Item = &RawWord> {
        let subscript = match &self.subscript {
            Some(Subscript::At(index)) => Some(index),
            _ => None,
        };
        let word = match &self.form {
            Form::Plain | Form::Length | Form::Indices => None,
            Form::Alternative(word) | Form::Assign(word) | Form::Edit(word) | Form::Slice(word) => {
                Some(word)
            }
        };
        subscript.into_iter().chain(word)
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

    /// The text, when the word has no expansion of a variable or substitution. Patterns, braces and tildes stay as they
    /// are.
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

    /// The words of an array, when the word is the value of one.
    pub(crate) fn list(&self) -> Option<&[RawWord]> {
        match self.parts.last() {
            Some(Part::List(words)) => Some(words),
            _ => None,
        }
    }

    /// The expansion of all elements, when the word is `"${name[@]}"` and nothing else.
    pub(crate) fn array(&self) -> Option<&Parameter> {
        const QUOTES: usize = 2;
        let [Part::Parameter(parameter)] = self.parts.as_slice() else { return None };
        let length = |span: Span| span.1.saturating_sub(span.0);
        let is_all = matches!(parameter.form, Form::Plain)
            && matches!(parameter.subscript, Some(Subscript::All));
        // Next to an empty quote there would be a word even without elements.
        let is_alone = length(self.span) == length(parameter.span) + QUOTES;
        (is_all && parameter.quoted && is_alone).then_some(parameter)
    }

    /// The text, when no part of the word is quoted or expanded.
    pub(crate) fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Bare(text)] if !self.quoted => Some(text),
            _ => None,
        }
    }

    /// Each literal character, and whether it is bare. A part that is expanded counts as one character.
    pub(crate) fn characters(&self) -> impl Iterator<Item = (char, bool)> {
        self.parts.iter().flat_map(|part| {
            let (text, bare) = match part {
                Part::Bare(text) => (text.as_str(), true),
                Part::Quoted(text) => (text.as_str(), false),
                // A placeholder for the expansion.
                _ => ("\u{1}", false),
            };
            text.chars().map(move |character| (character, bare))
        })
    }
}
