//! Everything that is compiled from the options. All streams share it.

mod scan;

use std::sync::Arc;

use crate::error::Error;
use crate::escapes::SPELLED_BEGINNINGS;
use crate::known::Known;
use crate::literal::{self, Literal, Literals, MAX_LITERAL_BYTES};
use crate::names::RuleNames;
use crate::options::{Options, Rules};
use crate::pattern::{Budget, Patterns};
use crate::prefilter::{Beginnings, ESCAPE_OWNER, Literal as Trigger, Prefilter};
use crate::rule_file::{self, FileRules};
use crate::rules::{self, Check, Rule};
use crate::span::RuleId;
use crate::token::vendor_key;
use crate::wrapped::Wraps;

/// The owner of the words for keys before which names of vendors are looked up.
const KEY_WORD_OWNER: u16 = u16::MAX - 1;

#[derive(Clone)]
pub(crate) struct Engine {
    /// All built-in rules, whether they apply or not. A [`RuleId`] is an index into this.
    rules: Arc<[&'static Rule]>,
    names: Arc<RuleNames>,
    /// The triggers of the rules and patterns, and the beginnings of escape sequences.
    triggers: Arc<Prefilter>,
    /// The names of vendors that are looked up before a word for a key.
    vendors: Arc<Beginnings>,
    /// Whether any trigger belongs to a rule or a pattern.
    has_triggers: bool,
    /// The search for the forms in `known` and for `substrings`.
    literals: Option<Arc<Literals>>,
    /// The search for the forms in `known` that are broken over lines.
    wraps: Option<Arc<Wraps>>,
    patterns: Arc<Patterns>,
    known: Known,
    substrings: Arc<[Literal]>,
    label: bool,
    /// Notes about entries of rule files that have no effect here.
    notes: Arc<[String]>,
}

impl Engine {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "the options hold secrets: nobody should keep them"
    )]
    pub(crate) fn new(options: Options) -> Result<Self, Error> {
        let rules: Arc<[&'static Rule]> = rules::all().collect();
        let is_builtin = |id: &str| rules.iter().any(|rule| rule.id == id);
        let mut budget = Budget::default();
        let FileRules { rules: own, disabled, notes } =
            rule_file::read(&options.rule_files, is_builtin, &mut budget)?;
        let (vendors, mut triggers): (Vec<_>, Vec<_>) =
            triggers(&rules, &options.rules, &disabled)?
                .into_iter()
                .partition(|trigger| rules[usize::from(trigger.owner)].check.is_before_key_word());
        if !vendors.is_empty() {
            triggers.extend(vendor_key::TRIGGERS.map(|word| Trigger {
                bytes: word.into(),
                caseless: true,
                begins_token: false,
                owner: KEY_WORD_OWNER,
            }));
        }
        let mut names = RuleNames::new(&rules);
        let number = |offset: usize| u16::try_from(rules.len() + offset).unwrap_or(u16::MAX);
        let mut patterns = Patterns::default();
        let rule = names.pattern();
        patterns.add_plain(&options.patterns, rule, &mut budget, number, &mut triggers)?;
        let numbers = names.add(own.iter().map(|rule| rule.id.as_str()));
        patterns.add_rules(own.into_iter().zip(numbers), number, &mut triggers);
        let names = Arc::new(names);
        let mut known = Known::new(options.min_secret_length, names.known_value());
        for (name, value) in &options.secrets {
            known.add(name, value)?;
        }
        let substrings: Arc<[Literal]> = literal::substrings(&options, names.substring())?.into();
        let has_triggers = !triggers.is_empty();
        triggers.extend(SPELLED_BEGINNINGS.map(|bytes| Trigger {
            bytes: bytes.to_vec(),
            caseless: true,
            begins_token: false,
            owner: ESCAPE_OWNER,
        }));
        Ok(Self {
            literals: known.compile(&substrings)?.map(Arc::new),
            wraps: known.compile_wraps()?.map(Arc::new),
            triggers: Arc::new(Prefilter::new(triggers)),
            vendors: Arc::new(Beginnings::new(&vendors)),
            has_triggers,
            patterns: Arc::new(patterns),
            label: options.label,
            known,
            substrings,
            names,
            rules,
            notes: notes.into(),
        })
    }

    /// Notes about entries of rule files that have no effect here.
    pub(crate) fn notes(&self) -> &Arc<[String]> {
        &self.notes
    }

    /// A copy with one more known value. `None` if the value is known already.
    pub(crate) fn with_secret(&self, name: &str, value: &str) -> Result<Option<Self>, Error> {
        let mut next = self.clone();
        if !next.known.add(name, value)? {
            return Ok(None);
        }
        next.compile()?;
        Ok(Some(next))
    }

    /// A copy that masks values everywhere that nobody named. `None` if none of them is new and looks random, or if they
    /// are too large together with the others.
    pub(crate) fn with_learned<'v>(&self, values: impl Iterator<Item = &'v str>) -> Option<Self> {
        let batch = self.known.learnable(values)?;
        let mut next = self.clone();
        next.known.learn(&batch);
        next.compile().ok().map(|()| next)
    }

    fn compile(&mut self) -> Result<(), Error> {
        self.literals = self.known.compile(&self.substrings)?.map(Arc::new);
        self.wraps = self.known.compile_wraps()?.map(Arc::new);
        Ok(())
    }

    pub(crate) fn wraps(&self) -> Option<&Wraps> {
        self.wraps.as_deref()
    }

    /// Where a known value or a substring begins of which `text` ends with a part of at least `shortest` bytes.
    pub(crate) fn literal_cut_at_end(&self, text: &[u8], shortest: usize) -> Option<usize> {
        let from = text.len().saturating_sub(MAX_LITERAL_BYTES);
        let tail = &text[from..];
        let last = tail.len().checked_sub(shortest)? + 1;
        let begun = |literal: &Literal| {
            let first = *literal.bytes.first()?;
            memchr::memchr_iter(first, tail.get(..last)?)
                .find(|&at| literal.bytes.starts_with(&tail[at..]))
        };
        self.literals().filter_map(begun).min().map(|at| from + at)
    }

    /// Where a known value or a substring ends of which `text` begins with a part of at least `shortest` bytes.
    pub(crate) fn literal_cut_at_start(&self, text: &[u8], shortest: usize) -> Option<usize> {
        let head = &text[..text.len().min(MAX_LITERAL_BYTES)];
        let ended = |literal: &Literal| {
            let last = *literal.bytes.last()?;
            memchr::memrchr_iter(last, head)
                .map(|at| at + 1)
                .find(|&end| end >= shortest && literal.bytes.ends_with(&head[..end]))
        };
        self.literals().filter_map(ended).max()
    }

    fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.known.literals().chain(&*self.substrings)
    }

    pub(crate) fn has_patterns(&self) -> bool {
        !self.patterns.is_empty()
    }

    /// Whether a user's pattern may match a text that contains blanks.
    pub(crate) fn may_match_blanks(&self) -> bool {
        self.patterns.may_match_blanks()
    }

    /// Where the first trigger in `text` begins.
    pub(crate) fn first_trigger(&self, text: &[u8]) -> Option<usize> {
        let mut first = None;
        self.triggers.find(text, |owner, start, _| {
            if owner != ESCAPE_OWNER {
                first = Some(first.map_or(start, |first: usize| first.min(start)));
            }
            true
        });
        first
    }

    /// Whether tokens of a built-in rule begin with `word`.
    pub(crate) fn may_begin_token(&self, word: &[u8]) -> bool {
        let is_token = |rule: &&&Rule| matches!(rule.check, Check::Token(_) | Check::WebToken);
        let mut triggers = self.rules.iter().filter(is_token).flat_map(|rule| rule.triggers);
        triggers.any(|trigger| trigger.as_bytes().starts_with(word))
    }

    pub(crate) fn is_passthrough(&self) -> bool {
        !self.has_triggers && self.literals.is_none() && self.patterns.is_empty()
    }

    pub(crate) fn names(&self) -> &Arc<RuleNames> {
        &self.names
    }

    /// The label to write into a mask, if masks have labels.
    pub(crate) fn label(&self, rule: RuleId) -> Option<&str> {
        self.label.then(|| self.names.label(rule))
    }

    pub(crate) fn private_key_rule(&self) -> RuleId {
        let found = self.rules.iter().position(|rule| matches!(rule.check, Check::PrivateKey));
        RuleId(found.and_then(|index| u16::try_from(index).ok()).unwrap_or(0))
    }
}

/// The triggers of all rules that apply.
fn triggers(
    rules: &[&'static Rule],
    wanted: &Rules,
    disabled: &[String],
) -> Result<Vec<Trigger>, Error> {
    if let Rules::Only(ids) = wanted
        && let Some(id) = ids.iter().find(|id| !rules.iter().any(|rule| rule.id == **id))
    {
        return Err(Error::unknown_rule(id));
    }
    let active = |rule: &Rule| match wanted {
        _ if disabled.iter().any(|id| id == rule.id) => false,
        Rules::Default => true,
        Rules::None => false,
        Rules::Only(ids) => ids.iter().any(|id| id == rule.id),
    };
    let of_rule = |(number, rule): (u16, &&'static Rule)| {
        let caseless = rule.check.is_caseless();
        let trigger = move |literal: &&'static str| Trigger {
            bytes: literal.as_bytes().to_vec(),
            caseless,
            begins_token: rule.check.is_long_token(literal),
            owner: number,
        };
        rule.triggers.iter().map(trigger).collect::<Vec<_>>()
    };
    Ok((0..).zip(rules).filter(|(_, rule)| active(rule)).flat_map(of_rule).collect())
}
