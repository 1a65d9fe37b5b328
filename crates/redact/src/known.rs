//! Which known values are searched for, and which are refused.

use crate::encode;
use crate::error::Error;
use crate::literal::{Literal, MAX_LITERAL_BYTES};
use crate::options::Options;
use crate::span::RuleId;

/// Shortest line of a value of several lines that is masked on its own.
const LINE_CHARACTERS: usize = 8;

/// Values that stand in any text.
const COMMON: &[&str] = &[
    "admin",
    "administrator",
    "changeme",
    "default",
    "development",
    "disabled",
    "enabled",
    "example",
    "false",
    "localhost",
    "none",
    "null",
    "password",
    "production",
    "public",
    "secret",
    "staging",
    "testing",
    "true",
    "undefined",
    "unknown",
    "username",
];

/// The literals of all known secrets.
pub(crate) fn literals(options: &Options, rule: RuleId) -> Result<Vec<Literal>, Error> {
    let mut found = Vec::new();
    let mut encoded = Vec::new();
    for (name, value) in &options.secrets {
        accept(name, value, options.min_secret_length)?;
        let mut lines: Vec<&str> = value.lines().map(str::trim).collect();
        if lines.len() > 1 {
            lines.retain(|line| line.chars().count() >= LINE_CHARACTERS && is_worth(line));
            found.extend(encode::forms(value.as_bytes()));
            encoded.extend(encode::base64_forms(value.as_bytes()));
        } else {
            // Blanks around a value of one line belong to it.
            lines = vec![value.trim_end_matches(['\r', '\n'])];
        }
        for line in lines {
            found.extend(encode::forms(line.as_bytes()));
            encoded.extend(encode::base64_forms(line.as_bytes()));
            found.push(line.as_bytes().to_vec());
        }
    }
    let mut literals = pieces(found, rule, false);
    literals.extend(pieces(encoded, rule, true));
    Ok(literals)
}

fn pieces(values: Vec<Vec<u8>>, rule: RuleId, in_base64: bool) -> Vec<Literal> {
    let mut pieces: Vec<Vec<u8>> = values.into_iter().flat_map(split).collect();
    pieces.sort();
    pieces.dedup();
    pieces.into_iter().map(|bytes| Literal { bytes, rule, in_base64 }).collect()
}

fn accept(name: &str, value: &str, min_length: usize) -> Result<(), Error> {
    let length = value.trim().chars().count();
    if length == 0 {
        return Err(Error::secret_refused(name, "its value is empty".to_owned()));
    }
    if length < min_length {
        return Err(Error::secret_refused(
            name,
            format!("its value has fewer than {min_length} characters"),
        ));
    }
    if COMMON.iter().any(|word| value.trim().eq_ignore_ascii_case(word)) {
        return Err(Error::secret_refused(name, "its value is a common word".to_owned()));
    }
    Ok(())
}

/// Lines of punctuation and markers are no secret.
fn is_worth(line: &str) -> bool {
    !line.starts_with("-----") && line.chars().any(char::is_alphanumeric)
}

/// Cuts what is longer than a literal may be; the last piece reaches back so that it is as long as the others.
fn split(bytes: Vec<u8>) -> Vec<Vec<u8>> {
    if bytes.len() <= MAX_LITERAL_BYTES {
        return vec![bytes];
    }
    let mut pieces: Vec<Vec<u8>> =
        bytes.chunks_exact(MAX_LITERAL_BYTES).map(<[u8]>::to_vec).collect();
    pieces.push(bytes[bytes.len() - MAX_LITERAL_BYTES..].to_vec());
    pieces
}
