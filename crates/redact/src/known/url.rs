//! Finding the password in a URL.

/// The password of `scheme://user:password@host`, or the token of `scheme://token@host`, as it is written and decoded.
pub(super) fn passwords(value: &str) -> Vec<String> {
    let Some((scheme, rest)) = value.trim().split_once("://") else { return Vec::new() };
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    if scheme.is_empty() || !scheme.bytes().all(is_scheme) {
        return Vec::new();
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    // A password that nobody encoded may contain bytes that end an authority. It never contains a blank.
    let authority = if authority.contains('@') { authority } else { rest };
    let Some((credentials, _)) = authority.rsplit_once('@') else { return Vec::new() };
    let password = credentials.split_once(':').map_or(credentials, |(_, password)| password);
    if password.contains(char::is_whitespace) {
        return Vec::new();
    }
    let mut found = vec![password.to_owned()];
    found.extend(decoded(password).filter(|decoded| decoded != password));
    found
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        let digits = after.first_chunk::<2>().and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.map(|digits| u8::from_str_radix(digits, 16)) {
            Some(Ok(byte)) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).ok()
}
