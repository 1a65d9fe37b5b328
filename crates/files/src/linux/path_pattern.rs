//! Patterns of paths: `**`, `*`, `?`, `[a-z]` and `{a,b}`.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::linux::path::shown;
use crate::linux::request::Text;
use crate::refusal::{Refusal, code};

/// Longest text of a pattern.
pub(crate) const MAX_PATTERN_BYTES: usize = 1024;

/// A pattern for paths relative to the directory that is searched.
#[derive(Debug)]
pub(crate) struct PathPattern(GlobSet);

impl PathPattern {
    /// A pattern for paths from the directory on.
    pub(crate) fn parse(text: &Text) -> Result<PathPattern, Refusal> {
        let text = checked(text)?;
        compiled(text, text.strip_prefix("./").unwrap_or(text).to_owned())
    }

    /// A pattern for paths from the directory on; one without a slash is for names at any depth.
    pub(crate) fn parse_filter(text: &Text) -> Result<PathPattern, Refusal> {
        let text = checked(text)?;
        let pattern = text.strip_prefix("./").map(str::to_owned);
        compiled(
            text,
            pattern.unwrap_or_else(|| {
                if text.contains('/') { text.to_owned() } else { format!("**/{text}") }
            }),
        )
    }

    pub(crate) fn matches(&self, relative: &str) -> bool {
        self.0.is_match(relative)
    }
}

fn refused(text: &str, code: &'static str, why: &str, hint: impl Into<Box<str>>) -> Refusal {
    Refusal::new(code, format!("The glob pattern {} {why}", shown(text))).with_hint(hint)
}

/// Checks the text of a pattern. One that leads out of the directory would match nothing, and is refused instead.
fn checked(text: &Text) -> Result<&str, Refusal> {
    let invalid =
        |text: &str, why: &str, hint: &str| Err(refused(text, code::INVALID_PATTERN, why, hint));
    let Some(text) = text.0.as_deref() else {
        return invalid("", "holds half a character", "Write it in whole characters.");
    };
    if text.is_empty() {
        return invalid(text, "is empty", "For all files, give **/*.");
    }
    if text.len() > MAX_PATTERN_BYTES {
        let hint = "Give a shorter one, or several calls.";
        return invalid(text, &format!("is longer than {MAX_PATTERN_BYTES} bytes"), hint);
    }
    if text.starts_with('!') {
        let hint = "Name what is to be found instead; what .gitignore names is left out anyway.";
        return invalid(text, "excludes files, and only what it names is found", hint);
    }
    if text.split(['/', '{', ',', '}']).any(|part| part == "..") {
        let hint = "Give the directory as path, and a pattern that begins there.";
        return Err(refused(text, code::OUTSIDE_ROOT, "leads upwards: access denied", hint));
    }
    let start = text.trim_start_matches('{');
    if start.starts_with('/') || (start.len() < text.len() && text.contains(",/")) {
        return Err(refused(
            text,
            code::OUTSIDE_ROOT,
            "is absolute: access denied",
            "Give the directory as path, and a pattern that begins there.",
        ));
    }
    Ok(text)
}

fn compiled(text: &str, mut pattern: String) -> Result<PathPattern, Refusal> {
    if pattern.ends_with('/') {
        pattern.push_str("**");
    }
    let glob = GlobBuilder::new(&pattern).literal_separator(true).backslash_escape(true).build();
    let set = glob.and_then(|glob| GlobSetBuilder::new().add(glob).build());
    set.map(PathPattern).map_err(|error| {
        let why = format!("is none: {}", error.kind());
        let hint = r"For *, ?, [ and { as they are, write \*, \?, \[ and \{.";
        refused(text, code::INVALID_PATTERN, &why, hint)
    })
}
