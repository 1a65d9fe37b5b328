//! Both ends against the whole stream.

use proptest::prelude::*;

use super::{CONTEXT_BYTES, HeadAndTail, MIN_TAIL_GROWTH_BYTES};
use crate::counts::{self, Unit};

impl HeadAndTail {
    /// What holds between two calls.
    fn verify(&self, stream: &[u8]) {
        assert!(stream.starts_with(&self.head));
        let head_budget_end = self.head_budget_end.unwrap_or(stream.len());
        match self.head_budget_end {
            None => assert_eq!(self.head.len(), stream.len()),
            Some(head_budget_end) => {
                assert_eq!(
                    counts::end_of_first(self.unit, self.head_units, stream),
                    Some(head_budget_end)
                );
                assert_eq!(self.head.len(), stream.len().min(head_budget_end + CONTEXT_BYTES));
            }
        }
        let tail_offset = usize::try_from(self.tail_offset).unwrap();
        assert_eq!(&stream[tail_offset..], &self.tail[..]);
        assert!(self.tail.len() <= self.max_tail_bytes);
        let wanted = head_budget_end
            + counts::start_of_last(self.unit, self.tail_units, &stream[head_budget_end..]);
        assert_eq!(tail_offset + self.last_units(), wanted);
        assert!(tail_offset == head_budget_end || wanted - tail_offset >= CONTEXT_BYTES);
        if self.unit != Unit::Lines {
            let most = 4 * self.tail_units + CONTEXT_BYTES;
            assert!(self.max_tail_bytes <= most + most / 2 + MIN_TAIL_GROWTH_BYTES);
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
        let mut ends = HeadAndTail::new(unit, head, tail);
        for (text, times) in pieces {
            let text = text.repeat(times).into_bytes();
            stream.extend_from_slice(&text);
            ends.push(&text);
            ends.verify(&stream);
        }
    }
}
