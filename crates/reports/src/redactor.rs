//! Redactors from options in JSON, and their marks as numbers.

use handrail_redact::{Mark, Options, Redactor, RuleFile, RuleId, Rules};
use serde::Deserialize;

use crate::Problem;

/// The third number of a mark, its code, has this bit where the mark continues the one before.
const CONTINUES_BIT: u32 = 1;
/// The bit of a mark whose mask is written in quotes.
const QUOTED: u32 = 2;
/// The number of bits below the rule.
const RULE_SHIFT: u32 = 2;

#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Secret {
    name: String,
    value: String,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RuleFile"))]
struct RuleFileText {
    name: String,
    toml: String,
}

/// The options of a redactor.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct RedactorOptions {
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
    #[cfg_attr(test, ts(as = "Option<Vec<RuleFileText>>"))]
    rule_files: Vec<RuleFileText>,
    min_secret_length: Option<usize>,
    #[cfg_attr(test, ts(as = "Option<bool>"))]
    label: bool,
}

impl From<RedactorOptions> for Options {
    fn from(options: RedactorOptions) -> Self {
        let defaults = Self::default();
        Self {
            secrets: options.secrets.into_iter().map(|one| (one.name, one.value)).collect(),
            substrings: options.substrings,
            patterns: options.patterns,
            rules: match options.rules.as_deref() {
                Some("none") => Rules::None,
                Some("only") => Rules::Only(options.rule_ids),
                _ => Rules::Default,
            },
            rule_files: (options.rule_files.into_iter())
                .map(|file| RuleFile { name: file.name, toml: file.toml })
                .collect(),
            min_secret_length: options.min_secret_length.unwrap_or(defaults.min_secret_length),
            label: options.label,
        }
    }
}

/// Makes a redactor from options in JSON.
pub fn redactor(json: &[u8]) -> Result<Redactor, Problem> {
    let options: RedactorOptions = serde_json::from_slice(json)
        .map_err(|error| Problem::new("ERR_INVALID_ARGUMENT", &error))?;
    Redactor::new(options.into()).map_err(|error| Problem::new(error.code(), &error))
}

/// The start, the end and the code of a mark. A string has less than 2^30 units.
pub fn mark_numbers(mark: Mark) -> [u32; 3] {
    let quoted = if mark.quoted { QUOTED } else { 0 };
    let continues = if mark.continues { CONTINUES_BIT } else { 0 };
    let offset = |units| u32::try_from(units).unwrap_or(u32::MAX);
    let code = mark.rule.index() << RULE_SHIFT | quoted | continues;
    [offset(mark.start), offset(mark.end), code]
}

/// The text that replaces a mark with this code.
pub fn mask(redactor: &Redactor, code: u32) -> String {
    let rule = RuleId::from_index(code >> RULE_SHIFT).filter(|_| code & CONTINUES_BIT == 0);
    rule.map(|rule| redactor.mask(rule, code & QUOTED != 0)).unwrap_or_default()
}

/// The id of the rule in a code.
pub fn rule(redactor: &Redactor, code: u32) -> String {
    let rule = RuleId::from_index(code >> RULE_SHIFT);
    rule.map(|rule| redactor.rule_name(rule).to_owned()).unwrap_or_default()
}
