use super::*;

/// Text between the quotes, and what GNU bash 5.2 makes of it.
const DECODED: &[(&str, &[u8])] = &[
    ("rm", b"rm"),
    ("\\x72m", b"rm"),
    ("\\162\\155", b"rm"),
    ("\\u0072m", b"rm"),
    ("\\U00000072m", b"rm"),
    ("\\1234", b"S4"),
    ("\\4011", b"\x011"),
    ("\\xzz", b"\\xzz"),
    ("\\u", b"\\u"),
    ("\\u{72}", b"\\u{72}"),
    ("\\q", b"\\q"),
    ("a\\tb\\nc\\\\d\\'e\\\"f\\?g", b"a\tb\nc\\d'e\"f?g"),
    ("\\e[0m\\E", b"\x1b[0m\x1b"),
    ("\\a\\b\\f\\r\\v", b"\x07\x08\x0c\r\x0b"),
    ("\\xc3\\xa9", "é".as_bytes()),
    ("\\u20ac\\U0001f600", "€😀".as_bytes()),
];

#[test]
fn decodes_like_bash() {
    for (text, expected) in DECODED {
        assert_eq!(decode(text).as_deref(), Ok(*expected), "{text}");
    }
}

#[test]
fn refuses_nul_and_what_shells_read_differently() {
    for text in ["a\\0b", "\\x00", "\\u0000", "\\400", "\\U0"] {
        assert_eq!(decode(text), Err(Construct::Nul), "{text}");
    }
    for text in ["\\x{72}m", "\\ca", "\\c\\\\"] {
        assert_eq!(decode(text), Err(Construct::AmbiguousEscape), "{text}");
    }
    for text in ["\\ud800", "\\U00110000", "\\Uffffffff"] {
        assert_eq!(decode(text), Err(Construct::Encoding), "{text}");
    }
}
