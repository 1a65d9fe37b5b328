//! One uniform change of indentation: how the lines of a file are indented where a caller's are otherwise.

use std::collections::HashMap;

use super::letters::is_blank;

/// Widest step of indentation, in blanks.
const MAX_STEP: usize = 8;

/// The step by which lines go deeper: whether by tabs, and by how many characters; `None` when it is not known.
pub(super) type KnownStep = Option<(bool, usize)>;

/// The blanks that a line begins with, and the rest of the line. A line of blanks has no indentation of its own.
pub(super) fn split(line: &str) -> (&str, &str) {
    let rest = line.trim_start_matches(is_blank);
    line.split_at(line.len() - rest.len())
}

/// How deep a line is indented, where that is by one kind of character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Depth {
    tabs: bool,
    count: usize,
}

impl Depth {
    fn of(blanks: &str) -> Option<Depth> {
        let count = blanks.chars().count();
        let tabs = blanks.starts_with('\t');
        let is_one_kind = blanks.chars().all(|char| (char == '\t') == tabs);
        is_one_kind.then_some(Depth { tabs, count })
    }
}

/// The step by which the lines of a text go deeper, where most do so by one.
pub(super) fn step(lines: &[&str]) -> KnownStep {
    let mut counts: HashMap<(bool, usize), usize> = HashMap::new();
    let mut before = 0;
    for line in lines {
        let (blanks, rest) = split(line);
        if rest.trim().is_empty() {
            continue;
        }
        let Some(depth) = Depth::of(blanks) else { continue };
        if depth.count > before && depth.count - before <= MAX_STEP {
            *counts.entry((depth.tabs, depth.count - before)).or_default() += 1;
        }
        before = depth.count;
    }
    let all: usize = counts.values().sum();
    counts.into_iter().find(|&(_, count)| 2 * count > all).map(|(step, _)| step)
}

/// How indentations of the caller become those of the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Indentation {
    /// None is changed.
    Same,
    /// Each gets these blanks before it.
    Deeper(String),
    /// Each loses these blanks.
    Flatter(String),
    /// Of `count` characters it has `base + count * file / yours`, as tabs or blanks.
    Scaled { tabs: bool, base: isize, file: usize, yours: usize },
    /// The only one that the lines have becomes this one; of others nothing is known.
    Only { yours: String, file: String },
}

impl Indentation {
    /// The one change that explains all pairs of indentations, the caller's and the file's; `None` when there is none.
    /// `steps` are those of the file and of the caller's texts, which decide where all pairs are equally deep.
    pub(super) fn of(
        pairs: &[(&str, &str)],
        (file_step, yours_step): (KnownStep, KnownStep),
    ) -> Option<Indentation> {
        let &(yours, file) = pairs.first()?;
        if pairs.iter().all(|(yours, file)| yours == file) {
            return Some(Indentation::Same);
        }
        let is_flat = pairs.iter().all(|(other, _)| *other == yours);
        let shifted = if let Some(more) = file.strip_suffix(yours) {
            Indentation::Deeper(more.to_owned())
        } else {
            Indentation::Flatter(yours.strip_suffix(file).unwrap_or(yours).to_owned())
        };
        let explains = |by: &Indentation| {
            pairs.iter().all(|(yours, file)| by.apply(yours).as_deref() == Some(*file))
        };
        let scaled = Self::scaled(pairs, is_flat, (file_step, yours_step)).filter(explains);
        let is_stepped =
            matches!((file_step, yours_step), (Some(file), Some(yours)) if file != yours);
        // Of lines that are equally deep nobody can tell a shift from another step but by the steps themselves.
        match scaled {
            Some(scaled) if is_flat && is_stepped => Some(scaled),
            scaled => Some(shifted).filter(explains).or(scaled).or_else(|| {
                let (yours, file) = (yours.to_owned(), file.to_owned());
                is_flat.then_some(Indentation::Only { yours, file }).filter(explains)
            }),
        }
    }

    /// Whether it only exchanges tabs and blanks.
    pub(super) fn is_conversion(&self, pairs: &[(&str, &str)]) -> bool {
        let is_other = |(yours, file): &(&str, &str)| yours.contains('\t') != file.contains('\t');
        match self {
            Indentation::Same => true,
            Indentation::Scaled { base: 0, .. } => pairs.iter().any(is_other),
            _ => false,
        }
    }

    fn scaled(
        pairs: &[(&str, &str)],
        is_flat: bool,
        (file_step, yours_step): (KnownStep, KnownStep),
    ) -> Option<Indentation> {
        let depths: Option<Vec<(Depth, Depth)>> =
            pairs.iter().map(|(yours, file)| Some((Depth::of(yours)?, Depth::of(file)?))).collect();
        let depths = depths?;
        let (yours, file) = *depths.first()?;
        let uses_tabs = |depth: fn(&(Depth, Depth)) -> Depth| {
            let mut kinds = depths.iter().map(depth).filter(|depth| depth.count > 0);
            let tabs = kinds.next().is_some_and(|depth| depth.tabs);
            kinds.all(|depth| depth.tabs == tabs).then_some(tabs)
        };
        let (yours_tabs, tabs) = (uses_tabs(|pair| pair.0)?, uses_tabs(|pair| pair.1)?);
        let steps = file_step.zip(yours_step).filter(|(file_step, yours_step)| {
            (file.count == 0 || file_step.0 == tabs)
                && (yours.count == 0 || yours_step.0 == yours_tabs)
        });
        let (up, over, tabs) = if !is_flat {
            let (other_yours, other_file) =
                *depths.iter().find(|(other, _)| other.count != yours.count)?;
            let over = other_yours.count.abs_diff(yours.count);
            (other_file.count.abs_diff(file.count), over, tabs)
        } else if let Some((file_step, yours_step)) = steps {
            (file_step.1, yours_step.1, file_step.0)
        } else if yours_tabs != tabs && yours.count > 0 && file.count > 0 {
            // A line may be as deep in either kind: a tab is then as many blanks as fit.
            match (yours_tabs, yours.count, file.count) {
                (true, yours, file) if file % yours == 0 => (file / yours, 1, tabs),
                (false, yours, file) if yours % file == 0 => (1, yours / file, tabs),
                _ => return None,
            }
        } else {
            return None;
        };
        let base = file.count.cast_signed() - (yours.count * up / over).cast_signed();
        (up > 0).then_some(Indentation::Scaled { tabs, base, file: up, yours: over })
    }

    /// The indentation in the file; `None` where the change does not say what becomes of this one.
    pub(super) fn apply(&self, yours: &str) -> Option<String> {
        match self {
            Indentation::Same => Some(yours.to_owned()),
            Indentation::Deeper(more) => Some(format!("{more}{yours}")),
            Indentation::Flatter(less) => yours.strip_prefix(less.as_str()).map(ToOwned::to_owned),
            Indentation::Only { yours: known, file } => (known == yours).then(|| file.clone()),
            Indentation::Scaled { tabs, base, file, yours: step } => {
                let count = Depth::of(yours)?.count * file;
                let count = (count % step == 0).then_some((count / step).cast_signed() + base)?;
                let count = usize::try_from(count).ok()?;
                Some(if *tabs { "\t" } else { " " }.repeat(count))
            }
        }
    }
}
