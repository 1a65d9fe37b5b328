//! The body of a request: how many of the bytes that follow a head belong to it. What follows a body would be another request,
//! which nobody judged, and goes nowhere.

use crate::http_head::BodyLength;
use crate::refusal::Refusal;

/// Most bytes of a line between chunks, and of all trailers.
const MAX_LINE_BYTES: usize = 4096;

/// Counts the bytes of one body.
#[derive(Debug)]
pub(crate) struct Body {
    state: State,
    /// The line that is being read, or for the trailers the number of their bytes.
    line: Vec<u8>,
    trailer_bytes: usize,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    /// This many bytes are left; in a chunk the line end that follows belongs to it.
    Data {
        left: u64,
        chunked: bool,
    },
    ChunkEnd,
    ChunkSize,
    Trailer,
    Done,
}

impl Body {
    pub(crate) fn new(length: BodyLength) -> Self {
        let state = match length {
            BodyLength::Bytes(0) => State::Done,
            BodyLength::Bytes(left) => State::Data { left, chunked: false },
            BodyLength::Chunked => State::ChunkSize,
        };
        Self { state, line: Vec::new(), trailer_bytes: 0 }
    }

    /// Whether every byte of it was admitted.
    pub(crate) fn has_ended(&self) -> bool {
        self.state == State::Done
    }

    /// The number of bytes at the beginning of `bytes` that belong to the body.
    pub(crate) fn admit(&mut self, bytes: &[u8]) -> Result<usize, Refusal> {
        let mut at = 0;
        while at < bytes.len() && self.state != State::Done {
            if let State::Data { left, chunked } = self.state {
                let taken = left.min((bytes.len() - at) as u64);
                at += usize::try_from(taken).unwrap_or(usize::MAX);
                self.state = match (left - taken, chunked) {
                    (0, true) => State::ChunkEnd,
                    (0, false) => State::Done,
                    (left, chunked) => State::Data { left, chunked },
                };
            } else {
                self.line.push(bytes[at]);
                at += 1;
                if self.line.ends_with(b"\r\n") {
                    self.end_line()?;
                } else if self.line.len() >= MAX_LINE_BYTES || self.line.ends_with(b"\n") {
                    return Err(Refusal::malformed("a chunk of its body has no size"));
                }
            }
        }
        Ok(at)
    }

    fn end_line(&mut self) -> Result<(), Refusal> {
        let line = std::mem::take(&mut self.line);
        let line = &line[..line.len() - 2];
        self.state = match self.state {
            State::ChunkEnd if line.is_empty() => State::ChunkSize,
            State::ChunkEnd => return Err(Refusal::malformed("a chunk of its body is too long")),
            State::Trailer if line.is_empty() => State::Done,
            State::Trailer => {
                self.trailer_bytes += line.len();
                if line.contains(&b'\r') || self.trailer_bytes > MAX_LINE_BYTES {
                    return Err(Refusal::malformed("its trailers are too long"));
                }
                State::Trailer
            }
            _ => match chunk_size(line)? {
                0 => State::Trailer,
                left => State::Data { left, chunked: true },
            },
        };
        Ok(())
    }
}

/// The size of a chunk: hexadecimal digits. Extensions, which programs read differently, are refused.
fn chunk_size(line: &[u8]) -> Result<u64, Refusal> {
    let digits = std::str::from_utf8(line).ok().filter(|digits| {
        (1..=16).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    digits
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .ok_or_else(|| Refusal::malformed("a chunk of its body has no size"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_ends_where_its_length_says() {
        for (length, body) in [
            (BodyLength::Bytes(0), ""),
            (BodyLength::Bytes(3), "abc"),
            (BodyLength::Chunked, "3\r\nabc\r\n0\r\n\r\n"),
            (BodyLength::Chunked, "A\r\n0123456789\r\n2\r\nab\r\n0\r\nX: y\r\n\r\n"),
        ] {
            let bytes = [body.as_bytes(), b"GET http://evil.example/ HTTP/1.1\r\n"].concat();
            assert_eq!(Body::new(length).admit(&bytes).unwrap(), body.len(), "{body:?}");
            let mut one_by_one = Body::new(length);
            let admitted = |byte| one_by_one.admit(&[byte]).unwrap();
            assert_eq!(bytes.iter().copied().map(admitted).sum::<usize>(), body.len(), "{body:?}");
        }
    }

    #[test]
    fn broken_chunks_are_refused() {
        for body in [
            "x\r\n",
            "\r\n",
            "3\n",
            "3;a=b\r\n",
            "0x3\r\n",
            "3 \r\n",
            "3\r\nabcd\r\n",
            "10000000000000000\r\n",
        ] {
            assert!(Body::new(BodyLength::Chunked).admit(body.as_bytes()).is_err(), "{body:?}");
        }
    }
}
