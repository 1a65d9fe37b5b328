//! Checksums in tokens. A correct checksum proves a token that is joined to a word.

/// The number of digits of a checksum, and of the random part before it.
const CHECKSUM_BYTES: usize = 6;
const RANDOM_BYTES: usize = 30;

/// The length of a body that ends with a checksum.
pub(crate) const BODY_BYTES: usize = RANDOM_BYTES + CHECKSUM_BYTES;

/// Whether the last six base-62 digits of `body` are the CRC-32 of those before.
pub(crate) fn is_right(body: &[u8]) -> bool {
    body.len() == BODY_BYTES && sum(&body[..RANDOM_BYTES]) == body[RANDOM_BYTES..]
}

fn sum(random: &[u8]) -> [u8; CHECKSUM_BYTES] {
    const BASE62_DIGITS: &[u8; 62] =
        b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut rest = crc32(random);
    let mut digits = [b'0'; CHECKSUM_BYTES];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62_DIGITS[(rest % 62) as usize];
        rest /= 62;
    }
    digits
}

/// The CRC-32 of Ethernet, computed bit by bit: it is needed so rarely that no table is worth it.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 0 { crc >> 1 } else { (crc >> 1) ^ 0xedb8_8320 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}
