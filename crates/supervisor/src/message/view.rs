//! What the supervisor asks the process for that makes views.

use super::Plan;
use crate::codec::{Decoder, Encoder};

/// Make a view for a worker of this plan. The socket that comes along takes the answer.
#[derive(Debug, PartialEq, Eq)]
pub struct ViewRequest {
    /// What the worker installs.
    pub plan: Plan,
    /// The state directory, whose contents are hidden.
    pub state: Vec<u8>,
    /// The worker's folder beneath it, which is not.
    pub own: Vec<u8>,
}

impl ViewRequest {
    /// The request as bytes.
    pub fn encode(&self) -> Vec<u8> {
        self.plan.encode(Encoder::new(0).bytes(&self.state).bytes(&self.own)).finish()
    }

    /// The request in these bytes, if it is one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        let (0, state, own) = (decoder.u8()?, decoder.bytes()?, decoder.bytes()?) else {
            return None;
        };
        let (state, own) = (state.to_vec(), own.to_vec());
        let request = ViewRequest { plan: Plan::decode(&mut decoder)?, state, own };
        decoder.end(request)
    }
}
