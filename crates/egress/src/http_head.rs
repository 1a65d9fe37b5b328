//! The head of a request in HTTP/1, read strictly: a head that two programs may read in two ways is refused, never repaired.

use crate::refusal::Refusal;

/// The end of a head.
pub(crate) const HEAD_END: &[u8] = b"\r\n\r\n";
/// Most headers of a request.
const MAX_HEADERS: usize = 256;
/// Headers that concern one connection only, or that are written anew.
const HOP_BY_HOP: [&str; 10] = [
    "connection",
    "host",
    "keep-alive",
    // It would make a proxy answer in place of the host.
    "max-forwards",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "upgrade",
];
/// Headers that no `Connection` header can take away.
const KEPT: [&str; 3] = ["content-length", "transfer-encoding", "host"];

/// The head of a request.
#[derive(Debug)]
pub(crate) struct RequestHead<'a> {
    pub(crate) method: &'a str,
    pub(crate) target: &'a str,
    /// Whether it is HTTP/1.1, not 1.0.
    pub(crate) is_1_1: bool,
    headers: Vec<(&'a str, &'a str)>,
    /// The value of the only `Host`.
    pub(crate) host: Option<&'a str>,
    pub(crate) body: BodyLength,
    /// Bytes of the head, its empty line included.
    pub(crate) bytes: usize,
}

/// How the end of a body is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyLength {
    Bytes(u64),
    Chunked,
}

impl<'a> RequestHead<'a> {
    /// Reads a head. None as long as its end is not there.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Option<Self>, Refusal> {
        let end = bytes.windows(HEAD_END.len()).position(|window| window == HEAD_END);
        check_bytes(&bytes[..end.map_or(bytes.len(), |end| end + HEAD_END.len())])?;
        let Some(end) = end else { return Ok(None) };
        let text = std::str::from_utf8(&bytes[..end]).map_err(|_| {
            Refusal::malformed("its head has bytes beyond ASCII that are not UTF-8")
        })?;
        let mut lines = text.split("\r\n");
        let (method, target, is_1_1) = request_line(lines.next().unwrap_or_default())?;
        let headers = lines.map(header).collect::<Result<Vec<_>, _>>()?;
        if headers.len() > MAX_HEADERS {
            return Err(Refusal::malformed("it has more than 256 headers"));
        }
        let host = single(&headers, "host", "it has two Host headers")?;
        let body = body_length(&headers, is_1_1)?;
        Ok(Some(Self { method, target, is_1_1, headers, host, body, bytes: end + HEAD_END.len() }))
    }

    /// The head for the server, which closes the connection after its answer.
    pub(crate) fn rewritten(&self, target: &str, host: &str, more: &str) -> Vec<u8> {
        let version = if self.is_1_1 { "1.1" } else { "1.0" };
        let mut head = format!("{} {target} HTTP/{version}\r\nHost: {host}\r\n", self.method);
        let named = self.named_by_connection();
        for (name, value) in &self.headers {
            let lower = name.to_ascii_lowercase();
            if !HOP_BY_HOP.contains(&lower.as_str()) && !named.contains(&lower) {
                head.push_str(name);
                head.push_str(": ");
                head.push_str(value);
                head.push_str("\r\n");
            }
        }
        head.push_str(more);
        head.push_str("Connection: close\r\n\r\n");
        head.into_bytes()
    }

    /// The headers that `Connection` says are for one connection only.
    fn named_by_connection(&self) -> Vec<String> {
        let connection = |(name, _): &&(&str, &str)| name.eq_ignore_ascii_case("connection");
        let values = self.headers.iter().filter(connection).flat_map(|(_, value)| value.split(','));
        let names = values.map(|name| name.trim().to_ascii_lowercase());
        names.filter(|name| !KEPT.contains(&name.as_str())).collect()
    }
}

/// Refuses line ends other than CR LF, and control characters.
fn check_bytes(bytes: &[u8]) -> Result<(), Refusal> {
    let mut previous = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        let complete = match byte {
            b'\n' => previous == b'\r',
            b'\r' => bytes.get(index + 1).is_none_or(|next| *next == b'\n'),
            b'\t' => true,
            _ => byte >= b' ' && byte != 0x7f,
        };
        if !complete {
            return Err(Refusal::malformed(
                "its head has a control character, or a line that does not end with CR LF",
            ));
        }
        previous = byte;
    }
    Ok(())
}

fn request_line(line: &str) -> Result<(&str, &str, bool), Refusal> {
    const BAD_LINE: &str =
        "its first line is not a method, a target and HTTP/1.1 with one space between";
    let parts: Vec<_> = line.split(' ').collect();
    let [method, target, version] = parts[..] else { return Err(Refusal::malformed(BAD_LINE)) };
    let is_1_1 = match version {
        "HTTP/1.1" => true,
        "HTTP/1.0" => false,
        _ => return Err(Refusal::malformed(BAD_LINE)),
    };
    let visible = !target.is_empty() && target.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_token(method) || !visible || target.contains('#') {
        return Err(Refusal::malformed(BAD_LINE));
    }
    Ok((method, target, is_1_1))
}

fn header(line: &str) -> Result<(&str, &str), Refusal> {
    if line.starts_with([' ', '\t']) {
        return Err(Refusal::malformed("a header goes on in a second line"));
    }
    let (name, value) = line.split_once(':').unwrap_or_default();
    if !is_token(name) {
        return Err(Refusal::malformed("a header has no name that is followed by a colon"));
    }
    Ok((name, value.trim_matches([' ', '\t'])))
}

/// The value of a header that may be there once.
fn single<'a>(
    headers: &[(&'a str, &'a str)],
    wanted: &str,
    twice: &'static str,
) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
    let first = values.next().map(|(_, value)| *value);
    if values.next().is_some() {
        return Err(Refusal::malformed(twice));
    }
    Ok(first)
}

fn body_length(headers: &[(&str, &str)], is_1_1: bool) -> Result<BodyLength, Refusal> {
    let length = single(headers, "content-length", "it has two Content-Length headers")?;
    let coding = single(headers, "transfer-encoding", "it has two Transfer-Encoding headers")?;
    match (length, coding) {
        (None, None) => Ok(BodyLength::Bytes(0)),
        (Some(_), Some(_)) => {
            Err(Refusal::malformed("it has both Content-Length and Transfer-Encoding"))
        }
        (Some(length), None) => {
            let digits = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
            let number = length.parse().ok().filter(|_| digits);
            number
                .map(BodyLength::Bytes)
                .ok_or_else(|| Refusal::malformed("its Content-Length is no number"))
        }
        (None, Some(coding)) if is_1_1 && coding.eq_ignore_ascii_case("chunked") => {
            Ok(BodyLength::Chunked)
        }
        (None, Some(_)) => Err(Refusal::malformed("its Transfer-Encoding is not `chunked`")),
    }
}

fn is_token(text: &str) -> bool {
    let of_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(of_token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_head_is_read_once_it_is_whole() {
        let bytes = b"POST http://a.example/x HTTP/1.1\r\nHost: a.example\r\nX-A:  b \r\nContent-Length: 3\r\n\r\nabc";
        let head = RequestHead::parse(bytes).unwrap().unwrap();
        assert_eq!((head.method, head.target), ("POST", "http://a.example/x"));
        assert_eq!((head.host, head.body), (Some("a.example"), BodyLength::Bytes(3)));
        assert_eq!(&bytes[head.bytes..], b"abc");
        for end in 0..head.bytes {
            assert!(RequestHead::parse(&bytes[..end]).unwrap().is_none());
        }
    }

    #[test]
    fn ambiguous_heads_are_refused() {
        for head in [
            "GET / HTTP/1.1\nHost: a\n\n",
            "GET / HTTP/1.1\r\nHost: a\n\r\n\r\n",
            "GET / HTTP/1.1\r\nX: a\rb\r\n\r\n",
            "\r\nGET / HTTP/1.1\r\n\r\n",
            "GET  / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1 \r\n\r\n",
            " GET / HTTP/1.1\r\n\r\n",
            "GET /\tHTTP/1.1\r\n\r\n",
            "GET / HTTP/2.0\r\n\r\n",
            "GET / http/1.1\r\n\r\n",
            "GET /\r\n\r\n",
            "G(T / HTTP/1.1\r\n\r\n",
            "GET /# HTTP/1.1\r\n\r\n",
            "GET /\u{e9} HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
            "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
            "GET / HTTP/1.1\r\n: a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost\r\n\r\n",
            "GET / HTTP/1.1\r\nX: \0\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        ] {
            assert!(RequestHead::parse(head.as_bytes()).is_err(), "{head:?}");
        }
    }

    #[test]
    fn headers_of_one_connection_do_not_go_on() {
        let bytes = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: X-Own, Content-Length\r\nX-Own: 1\r\nX-Else: 2\r\n\
            Proxy-Authorization: x\r\nContent-Length: 0\r\nUpgrade: h2c\r\n\r\n";
        let head = RequestHead::parse(bytes).unwrap().unwrap();
        let expected = "GET /p HTTP/1.1\r\nHost: b\r\nX-Else: 2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        assert_eq!(String::from_utf8(head.rewritten("/p", "b", "")).unwrap(), expected);
    }
}
