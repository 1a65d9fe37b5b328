//! The server name in the first message of TLS (RFC 8446, 4.1.2; RFC 6066, 3). The connection itself is not touched.

/// First byte of a record that holds a handshake.
pub(crate) const HANDSHAKE_RECORD: u8 = 22;
/// An alert, fatal: access denied. Clients print it.
pub(crate) const ACCESS_DENIED: [u8; 7] = [21, 3, 1, 0, 2, 2, 49];
const CLIENT_HELLO: u8 = 1;
const SERVER_NAME_EXTENSION: u16 = 0;
const HOST_NAME: u8 = 0;
/// Most bytes of a record, with the room that encryption may add.
const MAX_RECORD_BYTES: usize = (16 << 10) + 256;

/// What the first bytes of a client are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Hello {
    /// The beginning of a `ClientHello`.
    Incomplete,
    /// A `ClientHello`, with the server that it names.
    Complete(Option<String>),
    /// No TLS, or none that every server reads alike.
    Malformed,
}

/// Reads the first bytes of a client.
pub(crate) fn read_hello(bytes: &[u8]) -> Hello {
    let mut message = Vec::new();
    let mut rest = bytes;
    loop {
        let wanted = match message.first_chunk::<4>() {
            Some([CLIENT_HELLO, length @ ..]) => 4 + big_endian(length),
            Some(_) => return Hello::Malformed,
            None => 4,
        };
        if message.len() >= wanted && wanted > 4 {
            // Bytes after the message within its record would be a second message.
            if message.len() > wanted {
                return Hello::Malformed;
            }
            return server_name(&message[4..]).unwrap_or(Hello::Malformed);
        }
        match record(rest) {
            Record::Whole { payload, after } => {
                message.extend_from_slice(payload);
                rest = after;
            }
            Record::Incomplete => return Hello::Incomplete,
            Record::Malformed => return Hello::Malformed,
        }
    }
}

enum Record<'a> {
    Whole { payload: &'a [u8], after: &'a [u8] },
    Incomplete,
    Malformed,
}

/// The first record of a handshake.
fn record(bytes: &[u8]) -> Record<'_> {
    if bytes.first().is_some_and(|byte| *byte != HANDSHAKE_RECORD)
        || bytes.get(1).is_some_and(|byte| *byte != 3)
    {
        return Record::Malformed;
    }
    let Some(([_, _, _, length @ ..], rest)) = bytes.split_first_chunk::<5>() else {
        return Record::Incomplete;
    };
    let length = big_endian(length);
    if length == 0 || length > MAX_RECORD_BYTES {
        return Record::Malformed;
    }
    match rest.split_at_checked(length) {
        Some((payload, after)) => Record::Whole { payload, after },
        None => Record::Incomplete,
    }
}

/// Reads the server name of a `ClientHello`. None where a field is broken.
fn server_name(body: &[u8]) -> Option<Hello> {
    let mut fields = Fields(body);
    fields.take(2 + 32)?;
    fields.vector(1)?;
    fields.vector(2)?;
    fields.vector(1)?;
    if fields.0.is_empty() {
        return Some(Hello::Complete(None));
    }
    let mut extensions = Fields(fields.vector(2)?);
    if !fields.0.is_empty() {
        return None;
    }
    let mut found = None;
    while !extensions.0.is_empty() {
        let kind = extensions.number(2)?;
        let content = extensions.vector(2)?;
        if kind == usize::from(SERVER_NAME_EXTENSION) {
            if found.is_some() {
                return None;
            }
            found = Some(host_name(content)?);
        }
    }
    Some(Hello::Complete(found))
}

/// The only host name of the extension.
fn host_name(content: &[u8]) -> Option<String> {
    let mut outer = Fields(content);
    let mut names = Fields(outer.vector(2)?);
    let kind = names.number(1)?;
    let name = names.vector(2)?;
    if kind != usize::from(HOST_NAME) || !names.0.is_empty() || !outer.0.is_empty() {
        return None;
    }
    String::from_utf8(name.to_vec()).ok()
}

/// Reads fields from the beginning of bytes.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, bytes: usize) -> Option<usize> {
        self.take(bytes).map(big_endian)
    }

    /// Bytes after their length, which has this many bytes itself.
    fn vector(&mut self, length_bytes: usize) -> Option<&'a [u8]> {
        let length = self.number(length_bytes)?;
        self.take(length)
    }
}

fn big_endian(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(length_bytes: usize, content: &[u8]) -> Vec<u8> {
        let length = content.len().to_be_bytes();
        [&length[length.len() - length_bytes..], content].concat()
    }

    fn extension(names: &[&str]) -> Vec<u8> {
        let list: Vec<u8> =
            names.iter().flat_map(|name| [vec![0], vector(2, name.as_bytes())].concat()).collect();
        [vec![0, 0], vector(2, &vector(2, &list))].concat()
    }

    fn hello(extensions: &[u8]) -> Vec<u8> {
        let body = [
            [3, 3].as_slice(),
            &[7; 32],
            &vector(1, &[1; 32]),
            &vector(2, &[0x13, 1]),
            &vector(1, &[0]),
            &vector(2, extensions),
        ]
        .concat();
        [vec![1], vector(3, &body)].concat()
    }

    fn records(message: &[u8], size: usize) -> Vec<u8> {
        message.chunks(size).flat_map(|part| [vec![22, 3, 1], vector(2, part)].concat()).collect()
    }

    #[test]
    fn the_server_name_is_read_however_the_message_is_cut() {
        let message = hello(&[vec![0, 10, 0, 1, 9], extension(&["a.example"])].concat());
        for size in [1, 3, 4, 5, 50, 1000] {
            let bytes = records(&message, size);
            let expected = Hello::Complete(Some("a.example".to_owned()));
            assert_eq!(read_hello(&bytes), expected, "{size}");
            for end in 0..bytes.len() {
                assert_eq!(read_hello(&bytes[..end]), Hello::Incomplete, "{size} {end}");
            }
        }
        assert_eq!(read_hello(&records(&hello(&[]), 1000)), Hello::Complete(None));
    }

    #[test]
    fn two_names_and_broken_lengths_are_malformed() {
        let two = hello(&extension(&["a.example", "b.example"]));
        let twice = hello(&[extension(&["a.example"]), extension(&["b.example"])].concat());
        let mut short = hello(&extension(&["a.example"]));
        let at = short.len() - 10;
        short[at] = 200;
        let followed = [hello(&extension(&["a.example"])), vec![1]].concat();
        for message in [two, twice, short, followed, vec![2, 0, 0, 1, 0]] {
            assert_eq!(read_hello(&records(&message, 2000)), Hello::Malformed);
        }
        for bytes in
            [b"GET / HTTP/1.1".as_slice(), &[22, 2, 0], &[0x80, 0x2e, 1], &[22, 3, 1, 0, 0]]
        {
            assert_eq!(read_hello(bytes), Hello::Malformed);
        }
    }
}
