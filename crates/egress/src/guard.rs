//! The judgement of targets and addresses.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use crate::address::{AddressKind, canonical, kind_of};
use crate::allow_list::AllowList;
use crate::authority::{Host, Target};
use crate::questions::Questions;
use crate::refusal::{Reason, Refusal};

/// Which checks are made. All are, except in a test that shows what one of them stops.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is switched off alone")]
pub struct Checks {
    /// Whether an entry has to name the host and port.
    pub targets: bool,
    /// Whether the addresses of a name are judged.
    pub addresses: bool,
    /// Whether TLS has to name the target, and port 443 has to be TLS.
    pub server_names: bool,
    /// Whether `Host` has to be the target, and port 80 has to be HTTP.
    pub hosts: bool,
    /// The port where the first bytes have to be TLS. 443, except in a test.
    pub tls_port: u16,
    /// The port where the first bytes have to be HTTP. 80, except in a test.
    pub http_port: u16,
}

impl Default for Checks {
    fn default() -> Self {
        Self {
            targets: true,
            addresses: true,
            server_names: true,
            hosts: true,
            tls_port: 443,
            http_port: 80,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) allow: AllowList,
    pub(crate) checks: Checks,
    /// Who is asked about what no entry names, if anybody is.
    pub(crate) questions: Option<Arc<Questions>>,
    /// How long an answer may take.
    pub(crate) answer_time: Duration,
}

impl Guard {
    /// With every check, and nobody who is asked.
    #[cfg(test)]
    pub(crate) fn listed(allow: AllowList) -> Self {
        Self { allow, checks: Checks::default(), questions: None, answer_time: Duration::ZERO }
    }

    /// Refuses a target that no entry names. Where somebody is asked, this waits for the answer.
    pub(crate) fn judge_target(&self, target: &Target) -> Result<(), Refusal> {
        if !self.checks.targets || self.allow.names(target) {
            return Ok(());
        }
        let Some(questions) = &self.questions else {
            return Err(Refusal::new(target, Reason::NotAllowed));
        };
        questions.judge(target, self.answer_time).map_err(|reason| Refusal::new(target, reason))
    }

    /// Refuses an address of a target that is special and that no entry names.
    pub(crate) fn judge_address(&self, target: &Target, address: IpAddr) -> Result<(), Refusal> {
        let address = canonical(address);
        let is_named = self.allow.names_address(address, target.port);
        let asked = self.questions.as_ref();
        if !self.checks.addresses
            || is_named
            || asked.is_some_and(|asked| asked.names_address(address, target.port))
        {
            return Ok(());
        }
        match kind_of(address) {
            // `localhost` was named, or the target would not have been allowed.
            Some(_) if target.host == Host::Localhost && address.is_loopback() => Ok(()),
            Some(kind) if kind != AddressKind::Metadata && self.allow.trusts(target) => Ok(()),
            Some(kind) => Err(Refusal::new(target, Reason::Special(address, kind))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_into_this_network_where_its_entry_is_trusted() {
        let addresses = ["10.0.0.7", "127.0.0.1", "fd00::1", "203.0.113.9"];
        for (entry, is_trusted) in [("a.example", false), ("b.example", true)] {
            let allow = AllowList::parse(&["a.example"]).unwrap();
            let allow = allow.with_trusted(AllowList::parse(&["b.example"]).unwrap());
            let guard = Guard::listed(allow);
            let target = Target::parse(entry, Some(443)).unwrap();
            let passes =
                |address: &str| guard.judge_address(&target, address.parse().unwrap()).is_ok();
            for address in addresses {
                assert_eq!(passes(address), is_trusted, "{entry} {address}");
            }
            for metadata in ["169.254.169.254", "::ffff:169.254.169.254", "fd00:ec2::254"] {
                assert!(!passes(metadata), "{entry} {metadata}");
            }
        }
    }
}
