//! Redactors and streams, by number.

use std::cell::RefCell;

use handrail_redact::{Mark, RedactStream, Redactor, Utf16Scanner};
use handrail_reports::mark_numbers;
use serde::Deserialize;

use crate::{NOTHING, RESULT, fail, give, give_json, give_text, read_json, with_input, write};

#[derive(Deserialize)]
struct Secret {
    name: String,
    value: String,
}

struct RedactorSlot {
    redactor: Redactor,
    /// The scanner for strings: fresh, or in the middle of a string of several pieces. `None` before the first string.
    scanner: Option<Utf16Scanner>,
}

struct StreamSlot {
    redactor: Redactor,
    stream: RedactStream,
}

/// Values by their numbers, which begin at 1.
struct Slots<T>(Vec<Option<T>>);

impl<T> Slots<T> {
    fn put(&mut self, value: T) -> u32 {
        let free = self.0.iter().position(Option::is_none);
        let index = free.unwrap_or_else(|| {
            self.0.push(None);
            self.0.len() - 1
        });
        self.0[index] = Some(value);
        u32::try_from(index + 1).unwrap_or(0)
    }

    fn slot(&mut self, number: u32) -> Option<&mut Option<T>> {
        self.0.get_mut((number as usize).checked_sub(1)?)
    }
}

thread_local! {
    static REDACTORS: RefCell<Slots<RedactorSlot>> = const { RefCell::new(Slots(Vec::new())) };
    static STREAMS: RefCell<Slots<StreamSlot>> = const { RefCell::new(Slots(Vec::new())) };
}

/// Calls `work` with the redactor of this number.
fn with_redactor(number: u32, work: impl FnOnce(&mut RedactorSlot) -> u32) -> u32 {
    REDACTORS.with_borrow_mut(|slots| match slots.slot(number).and_then(Option::as_mut) {
        Some(slot) => work(slot),
        None => fail("ERR_INTERNAL", &"there is no redactor of this number"),
    })
}

/// Calls `read` with the redactor of this number, which stays unchanged.
pub(crate) fn read_redactor(number: u32, read: impl FnOnce(&Redactor) -> u32) -> u32 {
    with_redactor(number, |slot| read(&slot.redactor))
}

fn with_stream(number: u32, work: impl FnOnce(&mut StreamSlot) -> u32) -> u32 {
    STREAMS.with_borrow_mut(|slots| match slots.slot(number).and_then(Option::as_mut) {
        Some(slot) => work(slot),
        None => fail("ERR_INTERNAL", &"there is no stream of this number"),
    })
}

/// Makes a redactor from the options in the input, JSON. The result is its number, four bytes.
#[unsafe(no_mangle)]
pub extern "C" fn redactor_new() -> u32 {
    match with_input(handrail_reports::redactor) {
        Ok(redactor) => {
            let slot = RedactorSlot { redactor, scanner: None };
            give(&REDACTORS.with_borrow_mut(|slots| slots.put(slot)).to_le_bytes())
        }
        Err(problem) => fail(problem.code, &problem.message),
    }
}

/// Frees it.
#[unsafe(no_mangle)]
pub extern "C" fn redactor_free(number: u32) {
    REDACTORS.with_borrow_mut(|slots| slots.slot(number).map(Option::take));
}

/// Gives, as JSON, the notes about those entries of the redactor's rule files that have no effect.
#[unsafe(no_mangle)]
pub extern "C" fn redactor_notes(number: u32) -> u32 {
    with_redactor(number, |slot| give_json(&*slot.redactor.rule_notes()))
}

/// Masks one more known value: the input has its name and value, JSON.
#[unsafe(no_mangle)]
pub extern "C" fn redactor_add_secret(number: u32) -> u32 {
    let secret: Secret = match read_json() {
        Ok(secret) => secret,
        Err(error) => return fail("ERR_INVALID_ARGUMENT", &error),
    };
    with_redactor(number, |slot| match slot.redactor.add_secret(&secret.name, &secret.value) {
        Ok(()) => NOTHING,
        Err(error) => fail(error.code(), &error),
    })
}

/// The input with its secrets masked; nothing when it has none.
#[unsafe(no_mangle)]
pub extern "C" fn redact_bytes(number: u32) -> u32 {
    with_redactor(number, |slot| match with_input(|bytes| slot.redactor.redact(bytes)) {
        Some(masked) => write(|output| *output = masked),
        None => NOTHING,
    })
}

/// Takes the next piece of a string, UTF-8. `more` says that further pieces follow. The result has the marks that are final now,
/// each as start, end and code.
#[unsafe(no_mangle)]
pub extern "C" fn scan(number: u32, more: u32) -> u32 {
    with_redactor(number, |slot| {
        let scanner = slot.scanner.take();
        let mut scanner = scanner.unwrap_or_else(|| slot.redactor.utf16_scanner());
        write(|output| {
            let mut add =
                |mark: Mark| output.extend(mark_numbers(mark).map(u32::to_le_bytes).as_flattened());
            with_input(|bytes| match std::str::from_utf8(bytes) {
                Ok(text) => scanner.push_str(text, &mut add),
                Err(_) => scanner.push_str(&String::from_utf8_lossy(bytes), &mut add),
            });
            if more == 0 {
                scanner.finish(&mut add);
            }
        });
        slot.scanner = Some(scanner);
        RESULT
    })
}

/// The text that replaces a mark with this code.
#[unsafe(no_mangle)]
pub extern "C" fn mask(number: u32, code: u32) -> u32 {
    read_redactor(number, |redactor| give_text(&handrail_reports::mask(redactor, code)))
}

/// The id of the rule in a code.
#[unsafe(no_mangle)]
pub extern "C" fn rule(number: u32, code: u32) -> u32 {
    read_redactor(number, |redactor| give_text(&handrail_reports::rule(redactor, code)))
}

/// Makes a stream of this redactor. The result is its number, four bytes.
#[unsafe(no_mangle)]
pub extern "C" fn stream_new(number: u32) -> u32 {
    with_redactor(number, |slot| {
        let redactor = slot.redactor.clone();
        let stream = redactor.stream();
        let made = STREAMS.with_borrow_mut(|slots| slots.put(StreamSlot { redactor, stream }));
        give(&made.to_le_bytes())
    })
}

/// Frees it.
#[unsafe(no_mangle)]
pub extern "C" fn stream_free(number: u32) {
    STREAMS.with_borrow_mut(|slots| slots.slot(number).map(Option::take));
}

/// Takes the bytes of the input. The result is the output that is final now.
#[unsafe(no_mangle)]
pub extern "C" fn stream_write(number: u32) -> u32 {
    with_stream(number, |slot| {
        with_input(|bytes| {
            write(|output| {
                slot.stream.push(bytes, &mut |text: &[u8]| output.extend_from_slice(text));
            })
        })
    })
}

/// Nothing came for a while. The result is the part of an unfinished line that can be shown.
#[unsafe(no_mangle)]
pub extern "C" fn stream_idle(number: u32) -> u32 {
    with_stream(number, |slot| {
        write(|output| slot.stream.idle(&mut |text: &[u8]| output.extend_from_slice(text)))
    })
}

/// Ends the stream. The result is the rest of the output.
#[unsafe(no_mangle)]
pub extern "C" fn stream_end(number: u32) -> u32 {
    with_stream(number, |slot| {
        write(|output| slot.stream.finish(&mut |text: &[u8]| output.extend_from_slice(text)))
    })
}

/// How many secrets each rule has masked so far: JSON, `[rule, count][]`.
#[unsafe(no_mangle)]
pub extern "C" fn stream_counts(number: u32) -> u32 {
    with_stream(number, |StreamSlot { redactor, stream }| {
        let counts = stream.counts().map(|(rule, count)| (redactor.rule_name(rule), count));
        give_json(&counts.collect::<Vec<_>>())
    })
}

/// How many secrets were masked so far.
#[unsafe(no_mangle)]
pub extern "C" fn stream_findings(number: u32) -> u32 {
    let mut findings = 0;
    with_stream(number, |slot| {
        findings = u32::try_from(slot.stream.findings()).unwrap_or(u32::MAX);
        NOTHING
    });
    findings
}
