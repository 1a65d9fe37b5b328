//! Reports on what commands reached over the network.

use serde::Serialize;

/// A host that programs asked for, and what became of that.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct NetworkContact {
    /// The host, in its canonical form. Absent for a request that named none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// `reached`, `refused`, or `failed` where the host is not there or something did not come in time.
    #[cfg_attr(test, ts(type = "'reached' | 'refused' | 'failed'"))]
    pub outcome: &'static str,
    /// Why it was not reached, as a sentence without its full stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The entry of the allow list that lifts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// How often.
    pub times: u64,
}

/// A question about a host that no entry of an allow list names.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct HostQuestion {
    /// The number of the question, for the answer.
    pub number: u64,
    /// The host, in its canonical form.
    pub host: String,
    /// The port.
    pub port: u16,
    /// What kind of address it is, with its article, where it is one that leads into the machine's own network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
}
