//! What a redactor looks for, and what it finds, as numbers and JSON.

use handrail_redact::{Mark, Options, Redactor, RuleFile, RuleId, Rules};
use serde::Deserialize;

use crate::Problem;

/// A mark is three numbers: its start, its end, and a rule with these.
const CONTINUES: u32 = 1;
const QUOTED: u32 = 2;
const RULE_SHIFT: u32 = 2;

#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Secret {
    name: String,
    value: String,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RuleFile"))]
struct File {
    name: String,
    toml: String,
}

/// What a redactor looks for.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RedactorOptions", optional_fields))]
pub(crate) struct Wanted {
    #[cfg_attr(test, ts(as = "Option<Vec<Secret>>"))]
    secrets: Vec<Secret>,
    #[cfg_attr(test, ts(as = "Option<Vec<String>>"))]
    substrings: Vec<String>,
    #[cfg_attr(test, ts(as = "Option<Vec<String>>"))]
    patterns: Vec<String>,
    /// `default`, `none` or `only`, which takes the rules that `ruleIds` names.
    #[cfg_attr(test, ts(type = "'default' | 'none' | 'only'", optional))]
    rules: Option<String>,
    #[cfg_attr(test, ts(as = "Option<Vec<String>>"))]
    rule_ids: Vec<String>,
    #[cfg_attr(test, ts(as = "Option<Vec<File>>"))]
    rule_files: Vec<File>,
    min_secret_length: Option<usize>,
    #[cfg_attr(test, ts(as = "Option<bool>"))]
    label: bool,
}

impl From<Wanted> for Options {
    fn from(wanted: Wanted) -> Self {
        let defaults = Self::default();
        Self {
            secrets: wanted.secrets.into_iter().map(|one| (one.name, one.value)).collect(),
            substrings: wanted.substrings,
            patterns: wanted.patterns,
            rules: match wanted.rules.as_deref() {
                Some("none") => Rules::None,
                Some("only") => Rules::Only(wanted.rule_ids),
                _ => Rules::Default,
            },
            rule_files: (wanted.rule_files.into_iter())
                .map(|file| RuleFile { name: file.name, toml: file.toml })
                .collect(),
            min_secret_length: wanted.min_secret_length.unwrap_or(defaults.min_secret_length),
            label: wanted.label,
        }
    }
}

/// A redactor of options in JSON.
pub fn redactor(options: &[u8]) -> Result<Redactor, Problem> {
    let wanted: Wanted = serde_json::from_slice(options)
        .map_err(|error| Problem::new("ERR_INVALID_ARGUMENT", &error))?;
    Redactor::new(wanted.into()).map_err(|error| Problem::new(error.code(), &error))
}

/// Start, end and code of a mark. A string has less than 2^30 units.
pub fn packed(mark: Mark) -> [u32; 3] {
    let quoted = if mark.quoted { QUOTED } else { 0 };
    let continues = if mark.continues { CONTINUES } else { 0 };
    let offset = |units| u32::try_from(units).unwrap_or(u32::MAX);
    let code = mark.rule.index() << RULE_SHIFT | quoted | continues;
    [offset(mark.start), offset(mark.end), code]
}

/// What is written in place of a mark with this code.
pub fn mask(redactor: &Redactor, code: u32) -> String {
    let rule = RuleId::from_index(code >> RULE_SHIFT).filter(|_| code & CONTINUES == 0);
    rule.map(|rule| redactor.mask(rule, code & QUOTED != 0)).unwrap_or_default()
}

/// The id of the rule in a code.
pub fn rule(redactor: &Redactor, code: u32) -> String {
    let rule = RuleId::from_index(code >> RULE_SHIFT);
    rule.map(|rule| redactor.rule_name(rule).to_owned()).unwrap_or_default()
}
