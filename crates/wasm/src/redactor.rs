//! Redactors and streams, by number.

use std::cell::RefCell;

use handrail_redact::{Mark, RedactStream, Redactor, Utf16Scanner};
use handrail_reports::packed;
use serde::Deserialize;

use crate::{NOTHING, RESULT, fail, give, give_json, give_text, read_json, with_input, write};

#[derive(Deserialize)]
struct Secret {
    name: String,
    value: String,
}

struct Searching {
    redactor: Redactor,
    /// At work on a string of several pieces, or as new.
    scanner: Option<Utf16Scanner>,
}

struct Streaming {
    redactor: Redactor,
    stream: RedactStream,
}

/// Things by number, from 1 on.
struct Slots<T>(Vec<Option<T>>);

impl<T> Slots<T> {
    fn put(&mut self, thing: T) -> u32 {
        let free = self.0.iter().position(Option::is_none);
        let index = free.unwrap_or_else(|| {
            self.0.push(None);
            self.0.len() - 1
        });
        self.0[index] = Some(thing);
        u32::try_from(index + 1).unwrap_or(0)
    }

    fn slot(&mut self, number: u32) -> Option<&mut Option<T>> {
        self.0.get_mut((number as usize).checked_sub(1)?)
    }
}

thread_local! {
    static REDACTORS: RefCell<Slots<Searching>> = const { RefCell::new(Slots(Vec::new())) };
    static STREAMS: RefCell<Slots<Streaming>> = const { RefCell::new(Slots(Vec::new())) };
}

/// Does `work` with a redactor of this number.
fn with_redactor(number: u32, work: impl FnOnce(&mut Searching) -> u32) -> u32 {
    REDACTORS.with_borrow_mut(|slots| match slots.slot(number).and_then(Option::as_mut) {
        Some(searching) => work(searching),
        None => fail("ERR_INTERNAL", &"there is no redactor of this number"),
    })
}

/// Gives `use_it` the redactor of this number, which it does not change.
pub(crate) fn read_redactor(number: u32, use_it: impl FnOnce(&Redactor) -> u32) -> u32 {
    with_redactor(number, |searching| use_it(&searching.redactor))
}

fn with_stream(number: u32, work: impl FnOnce(&mut Streaming) -> u32) -> u32 {
    STREAMS.with_borrow_mut(|slots| match slots.slot(number).and_then(Option::as_mut) {
        Some(streaming) => work(streaming),
        None => fail("ERR_INTERNAL", &"there is no stream of this number"),
    })
}

/// Makes one of the options in the input, JSON. The result is its number, four bytes.
#[unsafe(no_mangle)]
pub extern "C" fn redactor_new() -> u32 {
    match with_input(handrail_reports::redactor) {
        Ok(redactor) => {
            let searching = Searching { redactor, scanner: None };
            give(&REDACTORS.with_borrow_mut(|slots| slots.put(searching)).to_le_bytes())
        }
        Err(problem) => fail(problem.code, &problem.message),
    }
}

/// Forgets it.
#[unsafe(no_mangle)]
pub extern "C" fn redactor_free(number: u32) {
    REDACTORS.with_borrow_mut(|slots| slots.slot(number).map(Option::take));
}

/// What its rule files say that means nothing here.
#[unsafe(no_mangle)]
pub extern "C" fn redactor_notes(number: u32) -> u32 {
    with_redactor(number, |searching| give_json(&*searching.redactor.rule_notes()))
}

/// Masks one more known value, JSON.
#[unsafe(no_mangle)]
pub extern "C" fn redactor_add_secret(number: u32) -> u32 {
    let secret: Secret = match read_json() {
        Ok(secret) => secret,
        Err(error) => return fail("ERR_INVALID_ARGUMENT", &error),
    };
    with_redactor(number, |searching| {
        match searching.redactor.add_secret(&secret.name, &secret.value) {
            Ok(()) => NOTHING,
            Err(error) => fail(error.code(), &error),
        }
    })
}

/// The bytes of the input, masked; nothing when nothing was found.
#[unsafe(no_mangle)]
pub extern "C" fn redact_bytes(number: u32) -> u32 {
    with_redactor(number, |searching| match with_input(|bytes| searching.redactor.redact(bytes)) {
        Some(masked) => write(|output| *output = masked),
        None => NOTHING,
    })
}

/// Takes the next piece of a string, UTF-8. `more` says that others follow. The result is what is certain by now to be
/// masked, as start, end and code of each.
#[unsafe(no_mangle)]
pub extern "C" fn scan(number: u32, more: u32) -> u32 {
    with_redactor(number, |searching| {
        let scanner = searching.scanner.take();
        let mut scanner = scanner.unwrap_or_else(|| searching.redactor.utf16_scanner());
        write(|output| {
            let mut add =
                |mark: Mark| output.extend(packed(mark).map(u32::to_le_bytes).as_flattened());
            with_input(|bytes| match std::str::from_utf8(bytes) {
                Ok(text) => scanner.push_str(text, &mut add),
                Err(_) => scanner.push_str(&String::from_utf8_lossy(bytes), &mut add),
            });
            if more == 0 {
                scanner.finish(&mut add);
            }
        });
        searching.scanner = Some(scanner);
        RESULT
    })
}

/// What is written in place of a mark with this code.
#[unsafe(no_mangle)]
pub extern "C" fn mask(number: u32, code: u32) -> u32 {
    read_redactor(number, |redactor| give_text(&handrail_reports::mask(redactor, code)))
}

/// The id of the rule in a code.
#[unsafe(no_mangle)]
pub extern "C" fn rule(number: u32, code: u32) -> u32 {
    read_redactor(number, |redactor| give_text(&handrail_reports::rule(redactor, code)))
}

/// A stream of this redactor: its number.
#[unsafe(no_mangle)]
pub extern "C" fn stream_new(number: u32) -> u32 {
    with_redactor(number, |searching| {
        let redactor = searching.redactor.clone();
        let stream = redactor.stream();
        let made = STREAMS.with_borrow_mut(|slots| slots.put(Streaming { redactor, stream }));
        give(&made.to_le_bytes())
    })
}

/// Forgets it.
#[unsafe(no_mangle)]
pub extern "C" fn stream_free(number: u32) {
    STREAMS.with_borrow_mut(|slots| slots.slot(number).map(Option::take));
}

/// Takes the bytes of the input; the result is what is certain by now.
#[unsafe(no_mangle)]
pub extern "C" fn stream_write(number: u32) -> u32 {
    with_stream(number, |streaming| {
        with_input(|bytes| {
            write(|output| {
                streaming.stream.push(bytes, &mut |text: &[u8]| output.extend_from_slice(text));
            })
        })
    })
}

/// Nothing came for a while: what can be shown of an unfinished line.
#[unsafe(no_mangle)]
pub extern "C" fn stream_idle(number: u32) -> u32 {
    with_stream(number, |streaming| {
        write(|output| streaming.stream.idle(&mut |text: &[u8]| output.extend_from_slice(text)))
    })
}

/// The rest.
#[unsafe(no_mangle)]
pub extern "C" fn stream_end(number: u32) -> u32 {
    with_stream(number, |streaming| {
        write(|output| streaming.stream.finish(&mut |text: &[u8]| output.extend_from_slice(text)))
    })
}

/// Secrets masked so far, by rule: JSON, `[rule, count][]`.
#[unsafe(no_mangle)]
pub extern "C" fn stream_counts(number: u32) -> u32 {
    with_stream(number, |Streaming { redactor, stream }| {
        let counts = stream.counts().map(|(rule, count)| (redactor.rule_name(rule), count));
        give_json(&counts.collect::<Vec<_>>())
    })
}

/// All of them.
#[unsafe(no_mangle)]
pub extern "C" fn stream_findings(number: u32) -> u32 {
    let mut findings = 0;
    with_stream(number, |streaming| {
        findings = u32::try_from(streaming.stream.findings()).unwrap_or(u32::MAX);
        NOTHING
    });
    findings
}
