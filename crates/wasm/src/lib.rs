//! What needs no machine, for WASM: redaction, texts and judgement. No logic.
//!
//! The host and this crate share one buffer each way. The host asks for room by [`input`], writes, calls, and reads what is at
//! [`output`]. A function says by a number what is there: 0 nothing, 1 the result, 2 an error as JSON, `{code, message}`.
//! Redactors and streams are numbers; the host gives them back by `…_free`.

pub mod judgement;
pub mod redactor;
pub mod text;

use std::cell::RefCell;
use std::fmt::Display;

use serde::Serialize;

/// Nothing is in the output.
const NOTHING: u32 = 0;
/// The result is.
const RESULT: u32 = 1;
/// An error is.
const ERROR: u32 = 2;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The release this module belongs to; another one is refused.
#[unsafe(no_mangle)]
pub extern "C" fn version() -> u32 {
    give_text(env!("CARGO_PKG_VERSION"))
}

/// Room for `length` bytes of the host; what was there is gone.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: u32) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.resize(length as usize, 0);
        input.as_mut_ptr()
    })
}

/// Where the result is.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(Vec::as_ptr)
}

/// Its length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> u32 {
    OUTPUT.with_borrow(|output| u32::try_from(output.len()).unwrap_or(u32::MAX))
}

/// Gives `use_it` what the host wrote.
fn with_input<T>(use_it: impl FnOnce(&[u8]) -> T) -> T {
    INPUT.with_borrow(|input| use_it(input))
}

/// Gives `use_it` the text that the host wrote.
fn with_text(use_it: impl FnOnce(&str) -> u32) -> u32 {
    with_input(|bytes| match std::str::from_utf8(bytes) {
        Ok(text) => use_it(text),
        Err(error) => fail("ERR_INVALID_ARGUMENT", &error),
    })
}

/// Lets `write` fill the output, which is empty.
fn write(write: impl FnOnce(&mut Vec<u8>)) -> u32 {
    OUTPUT.with_borrow_mut(|output| {
        output.clear();
        write(output);
    });
    RESULT
}

fn give(bytes: &[u8]) -> u32 {
    write(|output| output.extend_from_slice(bytes))
}

fn give_text(text: &str) -> u32 {
    give(text.as_bytes())
}

fn give_json(value: &(impl Serialize + ?Sized)) -> u32 {
    match serde_json::to_vec(value) {
        Ok(json) => give(&json),
        Err(error) => fail("ERR_INTERNAL", &error),
    }
}

fn fail(code: &str, message: &impl Display) -> u32 {
    let json = serde_json::json!({ "code": code, "message": message.to_string() });
    give(json.to_string().as_bytes());
    ERROR
}

/// What the host wrote, as JSON.
fn read_json<T: serde::de::DeserializeOwned>() -> Result<T, serde_json::Error> {
    with_input(|input| serde_json::from_slice(input))
}
