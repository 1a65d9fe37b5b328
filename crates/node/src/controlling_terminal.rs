//! The terminal at which a person sits.

use handrail_process::ControllingTerminal;
use napi_derive::napi;

use crate::code::{Result, error};

/// Whether this process has a controlling terminal, and may read from it: `none`, `background` or `foreground`.
#[napi(catch_unwind, ts_return_type = "'none' | 'background' | 'foreground'")]
pub fn controlling_terminal() -> &'static str {
    match handrail_process::controlling_terminal() {
        ControllingTerminal::None => "none",
        ControllingTerminal::Background => "background",
        ControllingTerminal::Foreground => "foreground",
    }
}

/// Discards what was typed on the controlling terminal and not read yet.
#[napi(catch_unwind)]
pub fn discard_typed_input() -> Result<()> {
    handrail_process::discard_typed_input().map_err(|cause| error("ERR_SYSTEM", &cause))
}
