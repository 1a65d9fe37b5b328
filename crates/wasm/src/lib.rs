//! Redaction, texts and judgement for WASM, without logic.
//!
//! The host and this crate share one buffer for input and one for output. The host asks for room by [`input`], writes to it, calls
//! a function, and reads at [`output`]. The number that a function returns says what the output has: 0 nothing, 1 the result, 2
//! an error as JSON, `{code, message}`. Redactors and streams are numbers too; the host frees them by `…_free`.

pub mod judgement;
pub mod redactor;
pub mod text;

use std::cell::RefCell;
use std::fmt::Display;

use serde::Serialize;

/// The output is empty.
const NOTHING: u32 = 0;
/// The output has the result.
const RESULT: u32 = 1;
/// The output has an error.
const ERROR: u32 = 2;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The release of this module; the host refuses any other.
#[unsafe(no_mangle)]
pub extern "C" fn version() -> u32 {
    give_text(env!("CARGO_PKG_VERSION"))
}

/// The address of room for `length` bytes of input. Earlier input is lost.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: u32) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.resize(length as usize, 0);
        input.as_mut_ptr()
    })
}

/// The address of the output.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(Vec::as_ptr)
}

/// The length of the output in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> u32 {
    OUTPUT.with_borrow(|output| u32::try_from(output.len()).unwrap_or(u32::MAX))
}

/// Calls `read` with the input.
fn with_input<T>(read: impl FnOnce(&[u8]) -> T) -> T {
    INPUT.with_borrow(|input| read(input))
}

/// Calls `read` with the input as text.
fn with_text(read: impl FnOnce(&str) -> u32) -> u32 {
    with_input(|bytes| match std::str::from_utf8(bytes) {
        Ok(text) => read(text),
        Err(error) => fail("ERR_INVALID_ARGUMENT", &error),
    })
}

/// Calls `write` with the output, which is empty.
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

/// Parses the input as JSON.
fn read_json<T: serde::de::DeserializeOwned>() -> Result<T, serde_json::Error> {
    with_input(|input| serde_json::from_slice(input))
}
