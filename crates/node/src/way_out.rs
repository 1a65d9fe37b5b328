//! The way out of the network of programs, as a host configures it.

use std::sync::Arc;

use handrail_process::{WayOut, WayOutConfig};
use napi_derive::napi;

use crate::code::{Result, error};

/// The way out of the network of an owner's programs.
#[napi(object)]
pub struct NativeWayOut {
    /// The hosts that programs reach; `registries` stands for those of the two lists below.
    pub allow: Vec<String>,
    /// Hosts of package registries that the settings of the project name.
    pub registries: Vec<String>,
    /// Hosts of package registries that the machine's own settings name, or the tools by themselves.
    pub own_registries: Vec<String>,
    /// How long an answer about a host that no entry names may take, in milliseconds; nobody is asked when absent.
    pub answer_ms: Option<u32>,
    /// The port of its proxy, at 127.0.0.1 in the network of programs.
    pub proxy_port: u16,
    /// `HTTPS_PROXY` of the host, or empty.
    pub https_proxy: String,
    /// `HTTP_PROXY` of the host, or empty.
    pub http_proxy: String,
    /// `NO_PROXY` of the host, or empty.
    pub no_proxy: String,
}

impl NativeWayOut {
    /// The way out that these values describe.
    pub(crate) fn open(self) -> Result<Arc<WayOut>> {
        let config = WayOutConfig {
            allow: self.allow,
            registries: self.registries,
            own_registries: self.own_registries,
            answer_ms: self.answer_ms,
            proxy_port: self.proxy_port,
            https_proxy: self.https_proxy,
            http_proxy: self.http_proxy,
            no_proxy: self.no_proxy,
        };
        WayOut::new(&config).map(Arc::new).map_err(|e| error("ERR_INVALID_ARGUMENT", &e))
    }
}
