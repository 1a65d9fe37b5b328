//! Redaction as classes.

use handrail_redact::{Options, RedactStream, Redactor, Rules};
use napi::bindgen_prelude::{Buffer, Utf16String};
use napi_derive::napi;

use crate::code::{Result, error};
use crate::verdict::utf16_offset;

/// A value the host names.
#[napi(object)]
pub struct NativeSecret {
    /// For messages.
    pub name: String,
    /// What is masked.
    pub value: String,
}

/// What a redactor looks for.
#[napi(object)]
pub struct NativeRedactorOptions {
    /// Values masked wherever they appear.
    pub secrets: Option<Vec<NativeSecret>>,
    /// Texts masked wherever they appear.
    pub substrings: Option<Vec<String>>,
    /// Regular expressions, linear time.
    pub patterns: Option<Vec<String>>,
    /// `default`, `none` or `only` (then `ruleIds` names them).
    pub rules: Option<String>,
    /// With `only`.
    pub rule_ids: Option<Vec<String>>,
    /// Shorter secrets are refused; characters.
    pub min_secret_length: Option<u32>,
    /// Whether masks name their rule.
    pub label: Option<bool>,
}

/// A secret that was found; never the secret itself.
#[napi(object)]
pub struct NativeFinding {
    /// The rule's id.
    pub rule: String,
    /// UTF-16 offset where it starts.
    pub start: u32,
    /// UTF-16 offset behind its end.
    pub end: u32,
}

/// How often a rule masked something.
#[napi(object)]
pub struct NativeRuleCount {
    /// The rule's id.
    pub rule: String,
    /// Masks.
    pub count: f64,
}

/// Masks secrets.
#[napi]
pub struct NativeRedactor {
    redactor: Redactor,
}

#[napi]
impl NativeRedactor {
    /// Compiles the rules; fails with the index and place of a bad pattern.
    #[napi(constructor, catch_unwind)]
    pub fn new(options: NativeRedactorOptions) -> Result<Self> {
        let defaults = Options::default();
        let rules = match options.rules.as_deref() {
            Some("none") => Rules::None,
            Some("only") => Rules::Only(options.rule_ids.unwrap_or_default()),
            _ => Rules::Default,
        };
        let secrets = options.secrets.unwrap_or_default();
        let options = Options {
            secrets: secrets.into_iter().map(|secret| (secret.name, secret.value)).collect(),
            substrings: options.substrings.unwrap_or_default(),
            patterns: options.patterns.unwrap_or_default(),
            rules,
            min_secret_length: options
                .min_secret_length
                .map_or(defaults.min_secret_length, |length| length as usize),
            label: options.label.unwrap_or(defaults.label),
        };
        let redactor = Redactor::new(options).map_err(|e| error(e.code(), &e))?;
        Ok(NativeRedactor { redactor })
    }

    /// The masked text; null when nothing was found.
    #[napi(catch_unwind)]
    pub fn redact(&self, text: Utf16String) -> Option<Utf16String> {
        // UTF-16 in and out: reading a two-byte string as UTF-8 is twenty times slower in V8.
        let text = String::from_utf16_lossy(&text);
        let masked = self.redactor.redact(text.as_bytes())?;
        Some(String::from_utf8_lossy(&masked).into_owned().into())
    }

    /// The masked bytes; null when nothing was found.
    #[napi(catch_unwind)]
    pub fn redact_bytes(&self, bytes: &[u8]) -> Option<Buffer> {
        self.redactor.redact(bytes).map(Buffer::from)
    }

    /// Where secrets are.
    #[napi(catch_unwind)]
    pub fn scan(&self, text: Utf16String) -> Vec<NativeFinding> {
        let text = String::from_utf16_lossy(&text);
        self.redactor
            .scan(text.as_bytes())
            .iter()
            .map(|finding| NativeFinding {
                rule: self.redactor.rule_name(finding.rule).to_string(),
                start: utf16_offset(&text, finding.start),
                end: utf16_offset(&text, finding.end),
            })
            .collect()
    }

    /// A stream with the same result, however its input is cut.
    #[napi(catch_unwind)]
    pub fn stream(&self) -> NativeRedactStream {
        NativeRedactStream { redactor: self.redactor.clone(), stream: self.redactor.stream() }
    }
}

impl NativeRedactor {
    pub(crate) fn shared(&self) -> Redactor {
        self.redactor.clone()
    }
}

/// A redaction in progress.
#[napi]
pub struct NativeRedactStream {
    /// Names the rules.
    redactor: Redactor,
    stream: RedactStream,
}

#[napi]
impl NativeRedactStream {
    /// Takes a piece; returns what is certain by now.
    #[napi(catch_unwind)]
    pub fn write(&mut self, bytes: &[u8]) -> Buffer {
        let mut output = Vec::with_capacity(bytes.len());
        self.stream.push(bytes, &mut |text: &[u8]| output.extend_from_slice(text));
        output.into()
    }

    /// The rest.
    #[napi(catch_unwind)]
    pub fn end(&mut self) -> Buffer {
        let mut output = Vec::new();
        self.stream.finish(&mut |text: &[u8]| output.extend_from_slice(text));
        output.into()
    }

    /// Secrets masked so far.
    #[napi(catch_unwind)]
    pub fn findings(&self) -> f64 {
        self.stream.findings() as f64
    }

    /// The same by rule, without those that masked nothing.
    #[napi(catch_unwind)]
    pub fn counts(&self) -> Vec<NativeRuleCount> {
        self.stream
            .counts()
            .map(|(rule, count)| NativeRuleCount {
                rule: self.redactor.rule_name(rule).to_owned(),
                count: count as f64,
            })
            .collect()
    }
}
