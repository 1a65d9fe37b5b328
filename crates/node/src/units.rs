//! Strings of JavaScript as UTF-16, into memory that is used again.
//!
//! V8 reads a string of two-byte units as UTF-8 twenty times slower than as what it is.

use napi::{JsString, JsValue, Status, sys};

use crate::code::{Result, error};

/// Makes `units` the first `length` units of `text`, or all of it when it has fewer.
pub(crate) fn read(text: &JsString<'_>, length: u32, units: &mut Vec<u16>) -> Result<()> {
    let string = text.value();
    units.clear();
    // V8 writes a zero behind the last unit.
    let room = length as usize + 1;
    units.reserve(room);
    let mut written = 0;
    let target = units.as_mut_ptr();
    // SAFETY: `target` has place for `room` units, and `string` is alive as long as `text`.
    let status = unsafe {
        sys::napi_get_value_string_utf16(string.env, string.value, target, room, &raw mut written)
    };
    if status != sys::Status::napi_ok || written >= room {
        return Err(error("ERR_INVALID_ARGUMENT", &Status::from(status)));
    }
    // SAFETY: that many units were written, fewer than there is place for.
    unsafe { units.set_len(written) };
    Ok(())
}
