//! Both ends against the whole stream.

use proptest::prelude::*;

use super::{CONTEXT_BYTES, Ends, SLACK_BYTES};
use crate::counts::{self, Unit};

impl Ends {
    /// What holds between two calls.
    fn verify(&self, stream: &[u8]) {
        assert!(stream.starts_with(&self.head));
        let border = self.border.unwrap_or(stream.len());
        match self.border {
            None => assert_eq!(self.head.len(), stream.len()),
            Some(border) => {
                assert_eq!(counts::first(self.unit, self.head_units, stream), Some(border));
                assert_eq!(self.head.len(), stream.len().min(border + CONTEXT_BYTES));
            }
        }
        let offset = usize::try_from(self.offset).unwrap();
        assert_eq!(&stream[offset..], &self.tail[..]);
        assert!(self.tail.len() <= self.limit);
        let wanted = border + counts::last(self.unit, self.tail_units, &stream[border..]);
        assert_eq!(offset + self.last_units(), wanted);
        assert!(offset == border || wanted - offset >= CONTEXT_BYTES);
        if self.unit != Unit::Lines {
            let most = 4 * self.tail_units + CONTEXT_BYTES;
            assert!(self.limit <= most + most / 2 + SLACK_BYTES);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_ends_are_the_ends_of_the_stream(
        pieces in prop::collection::vec(("[a-zé日\n]{0,80}", 1_usize..400), 0..12),
        unit in prop::sample::select(vec![Unit::Bytes, Unit::Chars, Unit::Lines]),
        head in 0_usize..600,
        tail in 0_usize..600,
    ) {
        let mut stream = Vec::new();
        let mut ends = Ends::new(unit, head, tail);
        for (text, times) in pieces {
            let text = text.repeat(times).into_bytes();
            stream.extend_from_slice(&text);
            ends.push(&text);
            ends.verify(&stream);
        }
    }
}
