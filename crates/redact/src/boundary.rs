//! Where a token may begin and end.

/// Whether a token may begin at `at`: after any byte other than a letter or a digit, or after an escape that ends in
/// one (`\n`, `%3D`, `\u0022`).
pub(crate) fn begins(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    match before {
        [] | [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., last] if !last.is_ascii_alphanumeric() => true,
        [.., b'%', high, low] | [.., b'\\', b'u', b'0', b'0', high, low] => {
            high.is_ascii_hexdigit() && low.is_ascii_hexdigit()
        }
        _ => false,
    }
}

/// Whether a token may end at `at`.
pub(crate) fn ends(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| !byte.is_ascii_alphanumeric())
}
