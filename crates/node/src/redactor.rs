//! Redaction as classes.

use std::cell::Cell;

use handrail_redact::{RedactStream, Redactor, Utf16Scanner, append_utf8};
use handrail_reports::packed;
use napi::bindgen_prelude::{BufferSlice, Uint32Array};
use napi::{Env, JsString};
use napi_derive::napi;

use crate::code::{Result, error};
use crate::slab::Output;
use crate::{memory, units};

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
    /// At work on a string of several pieces, or as new. None before the first string, and after a panic.
    scanner: Option<Utf16Scanner>,
    /// Scratch space for a piece of a string.
    units: Vec<u16>,
    /// Scratch space for a result of middle length: used again, so it is in the processor's cache. Empty between calls.
    scratch: Cell<Vec<u8>>,
}

#[napi]
impl NativeRedactor {
    /// Compiles the rules; fails with the index and place of a bad pattern.
    #[napi(constructor, catch_unwind, ts_args_type = "options: Json<RedactorOptions>")]
    pub fn new(options: String) -> Result<Self> {
        let redactor = handrail_reports::redactor(options.as_bytes())
            .map_err(|problem| error(problem.code, &problem.message))?;
        Ok(NativeRedactor { redactor, scanner: None, units: Vec::new(), scratch: Cell::default() })
    }

    /// What the rule files say that means nothing here, for people.
    #[napi(catch_unwind)]
    pub fn rule_notes(&self) -> Vec<String> {
        self.redactor.rule_notes().to_vec()
    }

    /// Masks one more known value, in streams and terminals at work too.
    #[napi(catch_unwind)]
    pub fn add_secret(&self, name: String, value: String) -> Result<()> {
        self.redactor.add_secret(&name, &value).map_err(|e| error(e.code(), &e))
    }

    /// The masked bytes; null when nothing was found.
    #[napi(catch_unwind, ts_return_type = "Uint8Array | null")]
    pub fn redact_bytes<'env>(
        &self,
        env: &'env Env,
        bytes: &[u8],
    ) -> Result<Option<BufferSlice<'env>>> {
        if !Output::is_shared(bytes.len()) {
            let redacted = self.redactor.redact_in(bytes, memory::vector);
            return redacted.map(|redacted| Output::Own(redacted).into_buffer(env)).transpose();
        }
        let redacted = self.redactor.redact_in(bytes, |capacity| {
            let mut scratch = self.scratch.take();
            scratch.reserve(capacity);
            scratch
        });
        let Some(mut redacted) = redacted else { return Ok(None) };
        let mut output = Output::new(redacted.len());
        output.append(&redacted);
        redacted.clear();
        self.scratch.set(redacted);
        output.into_buffer(env).map(Some)
    }

    /// Takes the next piece of a string of `length` UTF-16 units, which does not end between two halves of a character;
    /// `more` says that others follow. Gives what is certain by now to be masked, as start, end and code of each, with
    /// offsets from the start of the string; null for nothing.
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
        scanner.push(&self.units, &mut |mark| marks.extend(packed(mark)));
        if !more {
            scanner.finish(&mut |mark| marks.extend(packed(mark)));
        }
        self.scanner = Some(scanner);
        Ok(if marks.is_empty() { None } else { Some(Uint32Array::new(marks)) })
    }

    /// What is written in place of a mark with this code.
    #[napi(catch_unwind)]
    pub fn mask(&self, code: u32) -> String {
        handrail_reports::mask(&self.redactor, code)
    }

    /// The id of the rule in a code.
    #[napi(catch_unwind)]
    pub fn rule(&self, code: u32) -> String {
        handrail_reports::rule(&self.redactor, code)
    }

    /// A stream with the same result, however its input is cut.
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
    /// Names the rules.
    redactor: Redactor,
    stream: RedactStream,
    /// Scratch space for a string.
    units: Vec<u16>,
    /// The same as UTF-8.
    bytes: Vec<u8>,
}

#[napi]
impl NativeRedactStream {
    /// Takes a piece; returns what is certain by now.
    #[napi(catch_unwind, ts_return_type = "Uint8Array")]
    pub fn write<'env>(&mut self, env: &'env Env, bytes: &[u8]) -> Result<BufferSlice<'env>> {
        push(&mut self.stream, bytes).into_buffer(env)
    }

    /// The same for a string of `length` UTF-16 units.
    #[napi(
        catch_unwind,
        ts_args_type = "text: string, length: number",
        ts_return_type = "Uint8Array"
    )]
    pub fn write_text<'env>(
        &mut self,
        env: &'env Env,
        text: JsString<'_>,
        length: u32,
    ) -> Result<BufferSlice<'env>> {
        units::read(&text, length, &mut self.units)?;
        self.bytes.clear();
        append_utf8(&self.units, &mut self.bytes);
        push(&mut self.stream, &self.bytes).into_buffer(env)
    }

    /// Nothing came for a while: what can be shown of an unfinished line.
    #[napi(catch_unwind, ts_return_type = "Uint8Array")]
    pub fn idle<'env>(&mut self, env: &'env Env) -> Result<BufferSlice<'env>> {
        let mut output = Output::default();
        self.stream.idle(&mut |text: &[u8]| output.append(text));
        output.into_buffer(env)
    }

    /// The rest.
    #[napi(catch_unwind, ts_return_type = "Uint8Array")]
    pub fn end<'env>(&mut self, env: &'env Env) -> Result<BufferSlice<'env>> {
        let mut output = Output::default();
        self.stream.finish(&mut |text: &[u8]| output.append(text));
        output.into_buffer(env)
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

fn push(stream: &mut RedactStream, bytes: &[u8]) -> Output {
    let mut output = Output::new(bytes.len());
    stream.push(bytes, &mut |text: &[u8]| output.append(text));
    output
}
