//! Both ends against the whole stream.

use proptest::prelude::*;

use super::{CONTEXT_BYTES, Head, SLACK_BYTES, Tail};
use crate::counts::{self, Unit};

impl Head {
    /// What holds between two calls.
    fn verify(&self, stream: &[u8], budget: usize) {
        assert!(stream.starts_with(&self.bytes));
        match self.border {
            None => assert_eq!(self.bytes.len(), stream.len()),
            Some(border) => {
                assert_eq!(counts::first(self.unit, budget, stream), Some(border));
                assert_eq!(self.bytes.len(), stream.len().min(border + CONTEXT_BYTES));
            }
        }
    }
}

impl Tail {
    /// What holds between two calls.
    fn verify(&self, stream: &[u8]) {
        let offset = usize::try_from(self.offset).unwrap();
        assert_eq!(&stream[offset..], &self.bytes[..]);
        assert!(self.bytes.len() <= self.limit);
        let wanted = counts::last(self.unit, self.budget, stream);
        assert_eq!(offset + self.start_of(self.budget), wanted);
        assert!(offset == 0 || wanted - offset >= CONTEXT_BYTES);
        if self.unit != Unit::Lines {
            let most = 4 * self.budget + CONTEXT_BYTES;
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
        budget in 0_usize..600,
    ) {
        let mut stream = Vec::new();
        let (mut head, mut tail) = (Head::new(unit, budget), Tail::new(unit, budget));
        for (text, times) in pieces {
            let text = text.repeat(times).into_bytes();
            stream.extend_from_slice(&text);
            head.push(&text);
            tail.push(&text);
            head.verify(&stream, budget);
            tail.verify(&stream);
        }
    }
}
