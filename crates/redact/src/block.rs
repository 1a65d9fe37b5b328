//! Stub until the merge.
use crate::detect::identifier::NAME_BYTES;
use crate::detect::name::Kind;
use crate::output::Output;
use crate::span::RuleId;
use std::ops::Range;
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    Scalar(()),
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Promised {
    pub(crate) kind: Kind,
}
impl Promised {
    pub(crate) fn new(kind: Kind, _lone: bool, _name: &[u8]) -> Self {
        let _ = NAME_BYTES;
        Self { kind }
    }
}
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Taken,
    Last,
    Text,
    Outside,
}
pub(crate) fn may_begin(_: &[u8], _: usize, _: usize) -> bool {
    false
}
pub(crate) fn begins(
    _: &[u8],
    _: usize,
    _: RuleId,
    _: impl FnOnce() -> Promised,
    _: Range<usize>,
) -> Option<(usize, Block)> {
    None
}
pub(crate) fn header(
    _: &[u8],
    _: usize,
    _: RuleId,
    _: impl FnOnce() -> Promised,
    _: Range<usize>,
    _: usize,
    _: usize,
) -> Option<(usize, ())> {
    None
}
impl Block {
    pub(crate) fn line(&mut self, _: &[u8], _: &mut impl Output) -> Line {
        Line::Outside
    }
    pub(crate) fn second(&self) -> Self {
        self.clone()
    }
    pub(crate) fn lead(&self, _: &[u8]) -> usize {
        0
    }
    pub(crate) fn window(&mut self, _: &[u8], _: &mut impl Output) -> bool {
        false
    }
}
