//! Checksums that tokens carry. A right one proves a token where nothing parts it from a word.

/// Which checksum a token carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Checksum {
    #[default]
    None,
    /// The last six digits of a body of 36, to the base of 62, are the CRC-32 of the others. Not asked of a token that stands
    /// alone: an old or a mistyped one is one as well.
    Crc32,
    /// A seed of NATS: the last two of 36 bytes in base 32 are the CRC-16 of those before. Words in capitals may look like one.
    Nkey,
}

impl Checksum {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        match name {
            "crc32" => Some(Self::Crc32),
            "nkey" => Some(Self::Nkey),
            _ => None,
        }
    }

    /// False when the checksum of a token that stands alone says that it is none.
    pub(super) fn allows(self, token: &[u8]) -> bool {
        self != Self::Nkey || is_nkey(token)
    }
}

/// Digits of a checksum, and of the random part before it.
const SUM_BYTES: usize = 6;
const RANDOM_BYTES: usize = 30;

/// Length of a body that ends in a checksum.
pub(crate) const BODY_BYTES: usize = RANDOM_BYTES + SUM_BYTES;

/// True when the last six digits of `body`, to the base of 62, are the CRC-32 of those before.
pub(crate) fn is_right(body: &[u8]) -> bool {
    body.len() == BODY_BYTES && sum(&body[..RANDOM_BYTES]) == body[RANDOM_BYTES..]
}

fn sum(random: &[u8]) -> [u8; SUM_BYTES] {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut rest = crc32(random);
    let mut digits = [b'0'; SUM_BYTES];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(rest % 62) as usize];
        rest /= 62;
    }
    digits
}

/// The CRC of Ethernet, bit by bit: it is asked for so rarely that no table is worth it.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 0 { crc >> 1 } else { (crc >> 1) ^ 0xedb8_8320 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

fn is_nkey(token: &[u8]) -> bool {
    let mut bytes = Vec::with_capacity(NKEY_BYTES);
    let (mut bits, mut held) = (0_u32, 0);
    for &byte in token {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'2'..=b'7' => byte - b'2' + 26,
            _ => return false,
        };
        bits = (bits << 5) | u32::from(value);
        held += 5;
        if held >= 8 {
            held -= 8;
            bytes.extend((bits >> held).to_le_bytes().first());
        }
    }
    let Some((body, &[low, high])) = bytes.split_last_chunk() else { return false };
    bytes.len() == NKEY_BYTES && crc16(body) == u16::from_le_bytes([low, high])
}

/// The CRC of XMODEM.
fn crc16(bytes: &[u8]) -> u16 {
    let step = |crc: u16, _| if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 };
    bytes.iter().fold(0, |crc, &byte| (0..8).fold(crc ^ (u16::from(byte) << 8), step))
}

/// What a seed of NATS holds: two bytes that say what it is, 32 of the key, the checksum.
const NKEY_BYTES: usize = 36;

/// The seed of a user with this key.
#[cfg(test)]
pub(crate) fn nkey(key: [u8; 32]) -> String {
    let mut bytes = vec![0x92, 0x14 << 3];
    bytes.extend(key);
    bytes.extend(crc16(&bytes).to_le_bytes());
    let bit = |byte: u8, at: u8| byte >> (7 - at) & 1;
    let bits: Vec<u8> =
        bytes.iter().flat_map(|&byte| (0..8).map(move |at| bit(byte, at))).collect();
    let digit = |bits: &[u8]| {
        let value = bits.iter().fold(0, |value, bit| value * 2 + bit);
        let value = value << (5 - bits.len());
        char::from(if value < 26 { b'A' + value } else { b'2' + value - 26 })
    };
    bits.chunks(5).map(digit).collect()
}

#[cfg(test)]
pub(crate) fn with_sum(random: &str) -> String {
    let sum = sum(random.as_bytes());
    format!("{random}{}", String::from_utf8_lossy(&sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc16(b"123456789"), 0x31c3);
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        let random = "a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0P";
        let body = with_sum(random);
        assert!(is_right(body.as_bytes()));
        for at in 0..body.len() {
            let mut changed = body.clone().into_bytes();
            changed[at] = if changed[at] == b'x' { b'y' } else { b'x' };
            assert!(!is_right(&changed), "{at}");
        }
        assert!(!is_right(&body.as_bytes()[1..]));
    }
}
