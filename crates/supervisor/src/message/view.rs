//! The request to the process that makes views of the file system.

use super::Plan;
use crate::wire::{messages, wire};

/// A request to make a view for a worker. The answer is sent over the socket that comes with the request.
#[derive(Debug, PartialEq, Eq)]
pub struct ViewRequest {
    /// The plan that the worker installs.
    pub plan: Plan,
    /// The path of the state directory, whose contents are hidden.
    pub state: Vec<u8>,
    /// The path of the worker's folder beneath it, which stays visible.
    pub own: Vec<u8>,
}

wire!(struct ViewRequest { plan, state, own });
messages!(ViewRequest);
