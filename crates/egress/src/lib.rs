//! The way out of a network namespace that has none: a proxy that reaches the hosts of an allow list and nothing else.
//!
//! Commands live in a namespace where only this proxy listens. The listening sockets belong to that namespace; connections are
//! accepted here and dialed from the namespace of the host. So a program that ignores the proxy reaches nothing, and this crate
//! needs no namespace of its own.
//!
//! What is asked for is judged three times: the host and port by the allow list ([`AllowList`]), each address that the name
//! resolves to by the kind of address, and the first bytes by the name within them (the server name of TLS, `Host` of HTTP).
//! The address that was judged is the address that is dialed.
#![cfg(target_os = "linux")]

mod address;
mod allow_list;
mod authority;
mod connection;
mod dial;
mod gate;
mod guard;
mod http;
mod http_body;
mod http_head;
mod interfaces;
mod limits;
mod log;
mod priority;
mod questions;
mod refusal;
mod relay;
mod resolve;
mod server;
mod socks;
mod stop;
mod tls;
mod upstream;

pub use address::AddressKind;
pub use allow_list::{AllowList, EntryError, MAX_ENTRIES};
pub use authority::{Host, Target};
pub use guard::Checks;
pub use limits::Limits;
pub use log::{Event, Log, Mark, Outcome};
pub use questions::{Answer, Question, Questions};
pub use refusal::{Reason, Refusal};
pub use resolve::{Resolve, SystemResolver};
pub use server::{Egress, EgressConfig, Listener, ListenerKind};
pub use upstream::{Upstream, UpstreamError};
