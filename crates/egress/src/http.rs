//! Requests of plain HTTP: where each leads, and how it is passed on.

use crate::authority::Target;
use crate::http_head::{BodyLength, RequestHead};
use crate::refusal::{Reason, Refusal};

/// The port of `http://` without one.
const HTTP_PORT: u16 = 80;

/// How a request names its host.
#[derive(Debug)]
pub(crate) enum Form<'a> {
    /// By its target: `GET http://host/path`.
    Proxy,
    /// As to a proxy, to be passed on to another proxy in that form, with these headers.
    Chained(&'a str),
    /// By the tunnel in which it is sent: `GET /path`.
    Tunnel(&'a Target),
}

/// A request that may be passed on to its target.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) target: Target,
    /// The head for the server.
    pub(crate) head: Vec<u8>,
    pub(crate) body: BodyLength,
    /// Bytes of the head that was read.
    pub(crate) bytes: usize,
}

/// Reads the head of a request and writes it anew. None as long as the head is not whole. With `hosts_agree`, `Host` has to be
/// the target.
pub(crate) fn rewrite(
    bytes: &[u8],
    form: &Form<'_>,
    hosts_agree: bool,
) -> Result<Option<Request>, Refusal> {
    let about = |refusal: Refusal| match form {
        Form::Tunnel(target) => Refusal::new(target, refusal.reason),
        Form::Proxy | Form::Chained(_) => refusal,
    };
    let Some(head) = RequestHead::parse(bytes).map_err(about)? else { return Ok(None) };
    if head.method == "CONNECT" {
        return Err(about(Refusal::malformed("CONNECT does not go to a second proxy")));
    }
    if head.method == "TRACE" && matches!(form, Form::Chained(_)) {
        // The answer would quote the password of that proxy.
        return Err(about(Refusal::malformed("TRACE does not go to a second proxy")));
    }
    let (target, path) = match (form, split_target(head.target).map_err(about)?) {
        (Form::Tunnel(tunnel), (None, path)) => ((*tunnel).clone(), path),
        (Form::Tunnel(tunnel), (Some(named), path)) if named == **tunnel => (named, path),
        (Form::Tunnel(tunnel), _) => return Err(Refusal::new(tunnel, Reason::OtherHost)),
        (_, (Some(named), path)) => (named, path),
        (_, (None, _)) => {
            return Err(Refusal::malformed(
                "a request to a proxy names its host: GET http://host/",
            ));
        }
    };
    match head.host {
        Some(host) => {
            let named = Target::parse(host, Some(HTTP_PORT));
            if hosts_agree && named.as_ref() != Ok(&target) {
                return Err(Refusal::new(&target, Reason::OtherHost));
            }
        }
        None if head.is_1_1 => {
            return Err(Refusal::new(&target, Reason::Malformed("it has no Host header")));
        }
        None => {}
    }
    let own_host =
        if target.port == HTTP_PORT { target.host.to_string() } else { target.to_string() };
    let host = head.host.filter(|_| !hosts_agree).unwrap_or(&own_host);
    let rewritten = match form {
        Form::Chained(more) => head.rewritten(&format!("http://{own_host}{path}"), host, more),
        Form::Proxy | Form::Tunnel(_) => head.rewritten(&path, host, ""),
    };
    Ok(Some(Request { target, head: rewritten, body: head.body, bytes: head.bytes }))
}

/// The host that the target of a request names, and its path with the query.
fn split_target(target: &str) -> Result<(Option<Target>, String), Refusal> {
    if target.starts_with('/') || target == "*" {
        return Ok((None, target.to_owned()));
    }
    let (scheme, rest) = target
        .split_once("://")
        .ok_or_else(|| Refusal::malformed("its target is neither a path nor a URL"))?;
    if !scheme.eq_ignore_ascii_case("http") {
        return Err(Refusal::malformed(
            "a proxy passes on http:// only; other schemes use CONNECT",
        ));
    }
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let named = Target::parse(authority, Some(HTTP_PORT)).map_err(Refusal::malformed)?;
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    Ok((Some(named), path))
}
