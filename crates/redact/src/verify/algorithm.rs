//! Names of encodings, digests and ciphers, which stand among the arguments of calls that take a secret.

use super::set::Set;

/// Longest name: `pbkdf2_hmac_sha256`.
const NAME_BYTES: usize = 24;

/// Most digits: `windows-1252`, `iso-8859-15`.
const DIGITS: usize = 6;

/// What such names are made of, besides digits and what joins them.
static PARTS: Set<128> = Set::new(&[
    "aes",
    "argon",
    "ascii",
    "b",
    "base",
    "bcrypt",
    "be",
    "bf",
    "big",
    "binary",
    "blake",
    "cbc",
    "cfb",
    "chacha",
    "cp",
    "crc",
    "ctr",
    "des",
    "ecb",
    "eddsa",
    "ede",
    "es",
    "euc",
    "gb",
    "gbk",
    "gcm",
    "hex",
    "hmac",
    "hmacsha",
    "hs",
    "i",
    "id",
    "idna",
    "iso",
    "jp",
    "keccak",
    "kr",
    "latin",
    "le",
    "mb",
    "md",
    "ofb",
    "pbkdf",
    "poly",
    "ps",
    "rs",
    "rsa",
    "ripemd",
    "s",
    "scrypt",
    "sha",
    "shake",
    "sig",
    "ucs",
    "url",
    "us",
    "utf",
    "whirlpool",
    "windows",
    "xts",
]);

/// Parts that are not a name without another one.
static ENDINGS: [&[u8]; 9] = [b"b", b"be", b"i", b"id", b"jp", b"kr", b"le", b"s", b"us"];

/// `utf-8`, `SHA256`, `base64url`, `aes-256-gcm`.
pub(super) fn is_algorithm(body: &[u8]) -> bool {
    if body.len() > NAME_BYTES || !body.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let digits = body.iter().filter(|byte| byte.is_ascii_digit()).count();
    let joined = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_/ ".contains(byte);
    let parts = || body.split(|byte| !byte.is_ascii_alphabetic()).filter(|part| !part.is_empty());
    digits <= DIGITS
        && body.iter().all(joined)
        && parts().all(|part| PARTS.has(part))
        && parts().any(|part| !ENDINGS.iter().any(|ending| part.eq_ignore_ascii_case(ending)))
}

#[cfg(test)]
mod tests {
    use super::is_algorithm;

    #[test]
    fn names_are_told_from_values() {
        for name in [
            "utf-8",
            "UTF8",
            "utf-16le",
            "ascii",
            "us-ascii",
            "latin1",
            "iso-8859-15",
            "hex",
            "base64",
            "base64url",
            "binary",
            "md5",
            "sha256",
            "SHA-512/256",
            "sha3-256",
            "blake2b",
            "HmacSHA256",
            "aes-256-gcm",
            "RS256",
            "pbkdf2_sha256",
            "windows-1252",
            "argon2id",
        ] {
            assert!(is_algorithm(name.as_bytes()), "{name}");
        }
        for value in
            ["", "hunter2", "a7Kq2Zx9", "id", "s3", "i", "letmein", "sha", "sha256-a7Kq2Zx9"]
        {
            assert_eq!(is_algorithm(value.as_bytes()), value == "sha", "{value}");
        }
    }
}
