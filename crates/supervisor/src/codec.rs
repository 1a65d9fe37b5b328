//! Little-endian, length-prefixed fields. Decoding never panics: a short or odd message is `None`.

/// Appends fields to a message.
#[derive(Default)]
pub(crate) struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new(tag: u8) -> Self {
        Encoder { bytes: vec![tag] }
    }

    pub(crate) fn u8(mut self, value: u8) -> Self {
        self.bytes.push(value);
        self
    }

    pub(crate) fn u32(mut self, value: u32) -> Self {
        self.bytes.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(crate) fn u64(mut self, value: u64) -> Self {
        self.bytes.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(crate) fn i32(self, value: i32) -> Self {
        self.u32(value.cast_unsigned())
    }

    pub(crate) fn bytes(self, value: &[u8]) -> Self {
        let length = u32::try_from(value.len()).expect("fields are far below 4 GiB");
        let mut encoder = self.u32(length);
        encoder.bytes.extend_from_slice(value);
        encoder
    }

    pub(crate) fn list(self, values: &[Vec<u8>]) -> Self {
        let count = u32::try_from(values.len()).expect("lists are far below 4 Gi entries");
        values.iter().fold(self.u32(count), |encoder, value| encoder.bytes(value))
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads fields in the order they were written.
pub(crate) struct Decoder<'a> {
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Decoder { rest: bytes }
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(head)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(crate) fn i32(&mut self) -> Option<i32> {
        self.u32().map(u32::cast_signed)
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.u32()?).ok()?;
        self.take(length)
    }

    pub(crate) fn list(&mut self) -> Option<Vec<Vec<u8>>> {
        let count = self.u32()?;
        // No capacity from the wire: a false count fails at its first missing element.
        (0..count).map(|_| self.bytes().map(<[u8]>::to_vec)).collect()
    }

    /// The value, if the whole message was read.
    pub(crate) fn end<T>(&self, value: T) -> Option<T> {
        self.rest.is_empty().then_some(value)
    }
}
