//! The request to the process that makes views of the file system, and its answer.

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

/// What was made. The namespaces of the view come with it.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[derive(Debug, PartialEq, Eq)]
pub struct ViewAnswer {
    /// Whether every loader of the plan is a copy that cannot be run by name.
    pub loaders_bound: bool,
    /// Whether the folder of shared memory is the worker's own.
    pub own_memory: bool,
    /// Whether the folder of temporary files is.
    pub own_temporary: bool,
    /// Whether the view has a root directory of its own.
    pub own_root: bool,
    /// The plan with its roots and places as they are in its layer, if it has one.
    pub layered: Option<Plan>,
}

wire!(struct ViewRequest { plan, state, own });
wire!(struct ViewAnswer { loaders_bound, own_memory, own_temporary, own_root, layered });
messages!(ViewRequest, ViewAnswer);
