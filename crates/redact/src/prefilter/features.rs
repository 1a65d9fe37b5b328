//! What the first test looks at in a window: eight numbers of four bits, each from one or two of its bytes.
//!
//! None of them depends on the bit that tells letters of both cases apart.

use super::window::{WINDOW_BYTES, Window};

/// Features of a window.
pub(super) const FEATURES: usize = 8;

/// The features of four bytes.
pub(super) fn features([a, b, c, d]: [u8; WINDOW_BYTES]) -> [u8; FEATURES] {
    let low = |byte: u8| byte & LOW;
    // Digits, marks and letters are told apart by two bits of the upper half.
    let kinds = |one: u8, other: u8| one >> 4 & FIRST_KIND | other >> 3 & SECOND_KIND;
    let sum = |one: u8, other: u8| low(one.wrapping_add(other));
    [low(a), low(b), low(c), low(d), kinds(a, b), kinds(c, d), sum(a, b), sum(b, c)]
}

/// The lower half of a byte.
pub(super) const LOW: u8 = 15;

/// Where the kind of the first of two bytes is, once its upper half was moved down.
pub(super) const FIRST_KIND: u8 = 0b0101;

/// Where that of the second one is, moved down by one less.
pub(super) const SECOND_KIND: u8 = 0b1010;

/// For each feature the values that a window can have there; more than one where a byte is open.
pub(super) fn values(window: Window) -> [u16; FEATURES] {
    let byte = |place: usize| window.byte(place).unwrap_or_default();
    let mut values = [0; FEATURES];
    let open = if window.is_short() { 0..=u8::MAX } else { byte(3)..=byte(3) };
    for last in open {
        for (values, value) in values.iter_mut().zip(features([byte(0), byte(1), byte(2), last])) {
            *values |= 1 << value;
        }
    }
    values
}
