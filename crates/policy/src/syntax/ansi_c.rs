//! Decodes the escapes of `$'…'` as bash does.

use super::construct::Construct;

/// Decodes the text between the quotes. The result may be a part of a UTF-8 sequence, which is checked when the word is
/// complete.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, Construct> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' || at + 1 == bytes.len() {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let kind = bytes[at + 1];
        at += 2;
        match kind {
            b'a' => out.push(0x07),
            b'b' => out.push(0x08),
            b'e' | b'E' => out.push(0x1b),
            b'f' => out.push(0x0c),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'v' => out.push(0x0b),
            b'\\' | b'\'' | b'"' | b'?' => out.push(kind),
            b'0'..=b'7' => {
                let (value, used) = number(&bytes[at - 1..], 8, 3);
                at += used - 1;
                // Three octal digits reach 0o777; bash keeps the low byte.
                push_byte(&mut out, value & 0xff)?;
            }
            // Versions of bash and other shells decode `\x{…}` and `\c` differently.
            b'c' => return Err(Construct::AmbiguousEscape),
            b'x' if bytes.get(at) == Some(&b'{') => return Err(Construct::AmbiguousEscape),
            b'x' => match number(&bytes[at..], 16, 2) {
                (_, 0) => out.extend_from_slice(b"\\x"),
                (value, used) => {
                    at += used;
                    push_byte(&mut out, value)?;
                }
            },
            b'u' | b'U' => match number(&bytes[at..], 16, if kind == b'u' { 4 } else { 8 }) {
                (_, 0) => out.extend_from_slice(&[b'\\', kind]),
                (value, used) => {
                    at += used;
                    push_character(&mut out, value)?;
                }
            },
            _ => out.extend_from_slice(&[b'\\', kind]),
        }
    }
    Ok(out)
}

fn number(bytes: &[u8], radix: u32, most: usize) -> (u32, usize) {
    let mut value: u32 = 0;
    let mut used = 0;
    while used < most {
        let Some(digit) = bytes.get(used).and_then(|byte| char::from(*byte).to_digit(radix)) else {
            break;
        };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        used += 1;
    }
    (value, used)
}

fn push_byte(out: &mut Vec<u8>, value: u32) -> Result<(), Construct> {
    match u8::try_from(value) {
        Ok(0) => Err(Construct::Nul),
        Ok(byte) => {
            out.push(byte);
            Ok(())
        }
        Err(_) => Err(Construct::Encoding),
    }
}

fn push_character(out: &mut Vec<u8>, value: u32) -> Result<(), Construct> {
    if value == 0 {
        return Err(Construct::Nul);
    }
    let character = char::from_u32(value).ok_or(Construct::Encoding)?;
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    Ok(())
}

#[cfg(test)]
mod tests;
