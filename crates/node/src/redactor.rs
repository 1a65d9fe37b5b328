//! Redaction as classes.

use handrail_redact::{RedactStream, Redactor, Utf16Scanner, append_utf8};
use handrail_reports::mark_numbers;
use napi::JsString;
use napi::bindgen_prelude::{Buffer, Uint32Array};
use napi_derive::napi;

use crate::code::{Result, error};
use crate::units;

/// How often a rule masked something.
#[napi(object)]
pub struct NativeRuleCount {
    /// The id of the rule.
    pub rule: String,
    /// How often it masked something.
    pub count: f64,
}

/// Masks secrets.
#[napi]
pub struct NativeRedactor {
    redactor: Redactor,
    /// The scanner for strings: fresh, or in the middle of a string of several pieces. `None` before the first string, and after
    /// a panic.
    scanner: Option<Utf16Scanner>,
    /// Scratch space for a piece of a string.
    units: Vec<u16>,
}

#[napi]
impl NativeRedactor {
    /// Compiles the rules; the error for a bad pattern has its index and position.
    #[napi(constructor, catch_unwind, ts_args_type = "options: Json<RedactorOptions>")]
    pub fn new(options: String) -> Result<Self> {
        let redactor = handrail_reports::redactor(options.as_bytes())
            .map_err(|problem| error(problem.code, &problem.message))?;
        Ok(NativeRedactor { redactor, scanner: None, units: Vec::new() })
    }

    /// Notes for people about entries of rule files that have no effect.
    #[napi(catch_unwind)]
    pub fn rule_notes(&self) -> Vec<String> {
        self.redactor.rule_notes().to_vec()
    }

    /// Masks one more known value, also in streams and runs that have begun.
    #[napi(catch_unwind)]
    pub fn add_secret(&self, name: String, value: String) -> Result<()> {
        self.redactor.add_secret(&name, &value).map_err(|e| error(e.code(), &e))
    }

    /// The masked bytes; null when no secret was found.
    #[napi(catch_unwind, ts_return_type = "Uint8Array | null")]
    pub fn redact_bytes(&self, bytes: &[u8]) -> Option<Buffer> {
        self.redactor.redact(bytes).map(Buffer::from)
    }

    /// Takes the next piece of a string: `length` UTF-16 units, which do not end inside a surrogate pair. `more` says that
    /// further pieces follow. Gives the marks that are final now, each as start, end and code, with offsets from the start of
    /// the string; null when there are none.
    #[napi(catch_unwind, ts_args_type = "piece: string, length: number, more: boolean")]
    pub fn scan(
        &mut self,
        piece: JsString<'_>,
        length: u32,
        more: bool,
    ) -> Result<Option<Uint32Array>> {
        let mut scanner = self.scanner.take().unwrap_or_else(|| self.redactor.utf16_scanner());
        units::read(&piece, length, &mut self.units)?;
        let mut marks = Vec::new();
        scanner.push(&self.units, &mut |mark| marks.extend(mark_numbers(mark)));
        if !more {
            scanner.finish(&mut |mark| marks.extend(mark_numbers(mark)));
        }
        self.scanner = Some(scanner);
        Ok(if marks.is_empty() { None } else { Some(Uint32Array::new(marks)) })
    }

    /// The text that replaces a mark with this code.
    #[napi(catch_unwind)]
    pub fn mask(&self, code: u32) -> String {
        handrail_reports::mask(&self.redactor, code)
    }

    /// The id of the rule in a code.
    #[napi(catch_unwind)]
    pub fn rule(&self, code: u32) -> String {
        handrail_reports::rule(&self.redactor, code)
    }

    /// A stream, whose output does not depend on how its input is cut.
    #[napi(catch_unwind)]
    pub fn stream(&self) -> NativeRedactStream {
        NativeRedactStream {
            redactor: self.redactor.clone(),
            stream: self.redactor.stream(),
            units: Vec::new(),
            bytes: Vec::new(),
        }
    }
}

impl NativeRedactor {
    pub(crate) fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    pub(crate) fn shared(&self) -> Redactor {
        self.redactor.clone()
    }
}

/// A redaction in progress.
#[napi]
pub struct NativeRedactStream {
    /// Knows the names of the rules.
    redactor: Redactor,
    stream: RedactStream,
    /// Scratch space for a string as UTF-16.
    units: Vec<u16>,
    /// Scratch space for the same string as UTF-8.
    bytes: Vec<u8>,
}

#[napi]
impl NativeRedactStream {
    /// Takes a piece; gives the output that is final now.
    #[napi(catch_unwind, ts_return_type = "Uint8Array")]
    pub fn write(&mut self, bytes: &[u8]) -> Buffer {
        push(&mut self.stream, bytes)
    }

    /// Takes a string of `length` UTF-16 units; gives the output that is final now.
    #[napi(
        catch_unwind,
        ts_args_type = "text: string, length: number",
        ts_return_type = "Uint8Array"
    )]
    pub fn write_text(&mut self, text: JsString<'_>, length: u32) -> Result<Buffer> {
        units::read(&text, length, &mut self.units)?;
        self.bytes.clear();
        append_utf8(&self.units, &mut self.bytes);
        Ok(push(&mut self.stream, &self.bytes))
    }

    /// Nothing came for a while: gives the part of an unfinished line that can be shown.
    #[napi(catch_unwind, ts_return_type = "Uint8Array")]
    pub fn idle(&mut self) -> Buffer {
        let mut output = Vec::new();
        self.stream.idle(&mut |text: &[u8]| output.extend_from_slice(text));
        output.into()
    }

    /// Ends the stream; gives the rest of the output.
    #[napi(catch_unwind, ts_return_type = "Uint8Array")]
    pub fn end(&mut self) -> Buffer {
        let mut output = Vec::new();
        self.stream.finish(&mut |text: &[u8]| output.extend_from_slice(text));
        output.into()
    }

    /// How many secrets were masked so far.
    #[napi(catch_unwind)]
    pub fn findings(&self) -> f64 {
        self.stream.findings() as f64
    }

    /// The same count for each rule that masked something.
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

/// Room for what a stream gives beyond its input: a line that it held back, and masks.
const SLACK_BYTES: usize = 4 << 10;

fn push(stream: &mut RedactStream, bytes: &[u8]) -> Buffer {
    let mut output = Vec::with_capacity(bytes.len() + SLACK_BYTES);
    stream.push(bytes, &mut |text: &[u8]| output.extend_from_slice(text));
    output.into()
}
