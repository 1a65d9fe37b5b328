//! What decides the way out of a network namespace.

use std::fmt;

/// The entry that stands for the hosts of package registries.
pub(crate) const REGISTRIES: &str = "registries";

/// The way out of an owner's programs.
#[derive(Clone, Debug, Default)]
pub struct WayOutConfig {
    /// The entries of the allow list. [`REGISTRIES`] stands for `registries` and `own_registries`.
    pub allow: Vec<String>,
    /// Hosts of package registries that the settings of a project name.
    pub registries: Vec<String>,
    /// Hosts of package registries that the machine's own settings name, or the tools by themselves. They may lead into the
    /// machine's own network.
    pub own_registries: Vec<String>,
    /// How long an answer about a host that no entry names may take, in milliseconds. `None`: nobody is asked.
    pub answer_ms: Option<u32>,
    /// The port of the proxy, at 127.0.0.1 in the namespace.
    pub proxy_port: u16,
    /// `HTTPS_PROXY` of the host; empty for none.
    pub https_proxy: String,
    /// `HTTP_PROXY` of the host; empty for none.
    pub http_proxy: String,
    /// `NO_PROXY` of the host.
    pub no_proxy: String,
}

/// Why there cannot be such a way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WayOutError {
    /// The entry at this index of the list cannot be read.
    Entry(usize, &'static str),
    /// The proxy of the host cannot be used.
    Proxy(String),
    /// An entry names the address of the proxy itself.
    PortInUse(u16),
    /// More addresses than can have a listener, of which there may be so many.
    TooManyAddresses(usize),
}

impl fmt::Display for WayOutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry(index, reason) => write!(f, "confine.network.allow[{index}]: {reason}"),
            Self::Proxy(message) => f.write_str(message),
            Self::PortInUse(port) => {
                write!(f, "confine.network.allow: port {port} is that of the way out itself")
            }
            Self::TooManyAddresses(most) => write!(
                f,
                "confine.network.allow: at most {most} addresses can have a port of their own, and \
                 `localhost` counts as two"
            ),
        }
    }
}

impl std::error::Error for WayOutError {}
