//! Removes escape sequences from a text, and nothing else.

use crate::escape::{ESC, Escape, Step};
use crate::plain;

/// The text without escape sequences and C1 controls. Carriage returns, backspaces, tabs and other controls stay.
pub fn strip_ansi(text: &str) -> String {
    let mut kept = Vec::with_capacity(text.len());
    let mut escape = Escape::new();
    let mut unread = text.as_bytes();
    while let Some(&first) = unread.first() {
        if escape.is_open() {
            match escape.step(first) {
                Step::Consumed | Step::LineEdit(_) | Step::ScreenEdit(_) => {}
                Step::Execute => kept.push(first),
                Step::Rejected => continue,
            }
            unread = &unread[1..];
            continue;
        }
        let end = memchr::memchr2(ESC, 0xc2, unread).unwrap_or(unread.len());
        kept.extend_from_slice(&unread[..end]);
        unread = &unread[end..];
        if let Some(second) = plain::c1_at(unread) {
            escape.start_c1(second);
            unread = &unread[2..];
        } else if let Some((&byte, after)) = unread.split_first() {
            if byte == ESC {
                escape.start();
            } else {
                kept.push(byte);
            }
            unread = after;
        }
    }
    crate::cleaner::into_string(kept)
}
