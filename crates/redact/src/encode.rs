//! The forms in which a known value turns up besides itself.

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Shortest encoded form searched for.
const FORM_BYTES: usize = 8;

/// All forms of a value that differ from it.
pub(crate) fn forms(value: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    for alphabet in [BASE64, BASE64_URL] {
        for offset in 0..3 {
            forms.push(base64_core(value, alphabet, offset));
        }
    }
    forms.push(hex(value, b"0123456789abcdef"));
    forms.push(hex(value, b"0123456789ABCDEF"));
    forms.push(percent(value, false));
    forms.push(percent(value, true));
    let json = json(value);
    forms.push(self::json(&json));
    forms.push(json);
    forms.push(shell(value));
    forms.retain(|form| form.len() >= FORM_BYTES && form != value);
    forms.sort();
    forms.dedup();
    forms
}

/// The characters of base64 that depend on the value alone when `offset` foreign bytes precede it in its group of three.
fn base64_core(value: &[u8], alphabet: &[u8; 64], offset: usize) -> Vec<u8> {
    let mut bits = 0_u32;
    let mut held = 0;
    let mut core = Vec::with_capacity(value.len() * 4 / 3 + 2);
    // The first character after a foreign byte mixes in bits of it.
    let mut skip = match offset {
        0 => 0,
        1 => 4,
        _ => 2,
    };
    for &byte in value {
        bits = bits << 8 | u32::from(byte);
        held += 8;
        if skip > 0 {
            held -= skip;
            skip = 0;
        }
        while held >= 6 {
            held -= 6;
            core.push(alphabet[(bits >> held) as usize & 63]);
        }
    }
    core
}

fn hex(value: &[u8], digits: &[u8; 16]) -> Vec<u8> {
    value
        .iter()
        .flat_map(|byte| [digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]])
        .collect()
}

fn percent(value: &[u8], lower: bool) -> Vec<u8> {
    let digits = if lower { b"0123456789abcdef" } else { b"0123456789ABCDEF" };
    let mut text = Vec::with_capacity(value.len() * 3);
    for &byte in value {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(byte);
        } else {
            text.extend([b'%', digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]]);
        }
    }
    text
}

/// The inside of a JSON string.
fn json(value: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len() + 8);
    for &byte in value {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', byte]),
            b'\t' => text.extend(b"\\t"),
            b'\r' => text.extend(b"\\r"),
            0..=0x1f => text.extend(format!("\\u{byte:04x}").bytes()),
            _ => text.push(byte),
        }
    }
    text
}

/// The inside of single quotes in a shell.
fn shell(value: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len() + 8);
    for &byte in value {
        if byte == b'\'' {
            text.extend(b"'\\''");
        } else {
            text.push(byte);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_is_part_of_every_encoding_that_holds_the_value() {
        let value = b"correct-horse";
        for (before, after) in [("", ""), ("a", ""), ("ab", "c"), ("abc", "de"), ("abcd", "f")] {
            let whole = [before.as_bytes(), value, after.as_bytes()].concat();
            let encoded = base64_core(&whole, BASE64, 0);
            let core = base64_core(value, BASE64, before.len() % 3);
            assert!(memchr::memmem::find(&encoded, &core).is_some(), "{before} {after}");
            assert!(core.len() * 6 + 10 >= value.len() * 8, "{before}");
        }
    }

    #[test]
    fn forms_are_those_in_use() {
        let forms = forms(b"a\"b'c d/e");
        for form in [
            &b"612262276320642f65"[..],
            b"a%22b%27c%20d%2Fe",
            b"a\\\"b'c d/e",
            b"a\"b'\\''c d/e",
            b"YSJiJ2MgZC9l",
        ] {
            assert!(forms.iter().any(|known| known == form), "{}", String::from_utf8_lossy(form));
        }
    }
}
