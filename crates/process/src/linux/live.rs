//! Programs that live on: sessions on a terminal of their own, and services that talk over pipes. Neither has a deadline;
//! both are owned, confined and ended as runs are.

mod activity;
mod calls;
mod context;
mod foreground;
mod input_queue;
mod links;
mod onlookers;
mod pty;
mod question;
mod replies;
mod service;
mod service_stderr;
mod session;
mod sockets;
mod tree;
mod typing;

pub use self::activity::listens;
pub(crate) use self::context::{Context, lock};
pub(crate) use self::input_queue::{InputQueue, MAX_QUEUED_BYTES, pipe as input_pipe};
pub use self::links::process_link;
pub(crate) use self::pty::{MAX_EDITED_LINE_BYTES, Pty, echo, resize};
pub(crate) use self::question::Questions;
pub(crate) use self::service::Service;
pub use self::service_stderr::ServiceStderr;
pub(crate) use self::session::Session;
