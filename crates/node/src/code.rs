//! Errors that carry a stable code to JavaScript.

use std::fmt::Display;

/// An error code such as `ERR_CLOSED`, which becomes `error.code`.
#[derive(Debug)]
pub struct Code(&'static str);

impl AsRef<str> for Code {
    fn as_ref(&self) -> &str {
        self.0
    }
}

impl From<napi::Status> for Code {
    /// An error of napi itself is about a value of the wrong type.
    fn from(_: napi::Status) -> Code {
        Code("ERR_INVALID_ARGUMENT")
    }
}

/// A result whose error has a stable code.
pub(crate) type Result<T> = std::result::Result<T, napi::Error<Code>>;

pub(crate) fn error(code: &'static str, message: &impl Display) -> napi::Error<Code> {
    napi::Error::new(Code(code), message.to_string())
}
