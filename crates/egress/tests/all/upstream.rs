//! The machine's own proxy: what is refused never reaches it, and its password is shown nowhere.

use handrail_egress::Upstream;

use crate::fixture::{Server, Setup};

const ESTABLISHED: &str = "HTTP/1.1 200 OK\r\n\r\nfrom afar";
const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

#[test]
fn tunnels_go_through_the_proxy_of_the_machine() {
    let proxy = Server::start(ESTABLISHED);
    let mut setup = Setup::new(&["far.example:22".to_owned()]);
    let url = format!("http://user:word@127.0.0.1:{}", proxy.port);
    setup.upstream = Upstream::new(&url, &url, "").unwrap();
    let way_out = setup.start();
    let refused = way_out.tunnel("evil.example:22").unwrap_err();
    assert!(refused.starts_with("HTTP/1.1 403 handrail: "), "{refused}");
    assert_eq!(way_out.exchange_in_tunnel("far.example:22", b"SSH-2.0-x\r\n"), "from afar");
    let expected = "CONNECT far.example:22 HTTP/1.1\r\nHost: far.example:22\r\n\
        Proxy-Authorization: Basic dXNlcjp3b3Jk\r\n\r\nSSH-2.0-x\r\n";
    assert_eq!(proxy.next(), expected);
    proxy.was_not_reached();
}

#[test]
fn plain_http_goes_through_it_as_to_a_proxy() {
    let proxy = Server::start(OK);
    let mut setup = Setup::new(&["far.example".to_owned()]);
    let url = format!("http://user:word@127.0.0.1:{}", proxy.port);
    setup.upstream = Upstream::new("", &url, "").unwrap();
    let way_out = setup.start();
    let request = b"GET http://far.example/a HTTP/1.1\r\nHost: far.example\r\nProxy-Authorization: own\r\n\r\n";
    assert_eq!(way_out.exchange(request), OK);
    let expected = "GET http://far.example/a HTTP/1.1\r\nHost: far.example\r\n\
        Proxy-Authorization: Basic dXNlcjp3b3Jk\r\nConnection: close\r\n\r\n";
    assert_eq!(proxy.next(), expected);
}

#[test]
fn nothing_makes_it_quote_its_password() {
    let proxy = Server::start(OK);
    let mut setup = Setup::new(&["far.example".to_owned()]);
    let url = format!("http://user:word@127.0.0.1:{}", proxy.port);
    setup.upstream = Upstream::new("", &url, "").unwrap();
    let way_out = setup.start();
    let trace =
        b"TRACE http://far.example/ HTTP/1.1\r\nHost: far.example\r\nMax-Forwards: 0\r\n\r\n";
    let answer = way_out.exchange(trace);
    assert!(answer.starts_with("HTTP/1.1 400 handrail: "), "{answer}");
    let options =
        b"OPTIONS http://far.example/ HTTP/1.1\r\nHost: far.example\r\nMax-Forwards: 0\r\n\r\n";
    assert_eq!(way_out.exchange(options), OK);
    assert!(!proxy.next().to_ascii_lowercase().contains("max-forwards"));
    proxy.was_not_reached();
}

#[test]
fn no_proxy_is_direct_and_is_judged() {
    let (proxy, good) = (Server::start(ESTABLISHED), Server::start(OK));
    let port = good.port;
    let url = format!("http://127.0.0.1:{}", proxy.port);
    let mut setup = Setup::new(&[format!("good.example:{port}"), format!("inner.example:{port}")]);
    setup.names.add("good.example", &[&["127.0.0.1"]]);
    setup.upstream = Upstream::new(&url, &url, ".example").unwrap();
    // Direct, the name leads to this machine, which no entry names.
    let refused = setup.start().tunnel(&format!("good.example:{port}")).unwrap_err();
    assert!(refused.contains("leads to 127.0.0.1, a loopback address"), "{refused}");
    setup.allow.push(format!("localhost:{port}"));
    let answer = setup.start().exchange_in_tunnel(&format!("good.example:{port}"), b"x y\r\n\r\n");
    assert_eq!(answer, OK);
    assert_eq!(good.next(), "x y\r\n\r\n");
    proxy.was_not_reached();
}

#[test]
fn a_refusal_of_the_proxy_is_told() {
    let proxy = Server::start("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    let mut setup = Setup::new(&["far.example".to_owned()]);
    let url = format!("http://127.0.0.1:{}", proxy.port);
    setup.upstream = Upstream::new(&url, "", "").unwrap();
    let refused = setup.start().tunnel("far.example:443").unwrap_err();
    let expected = "HTTP/1.1 502 handrail: far.example:443 is refused by the proxy of this machine with status 407\r\n";
    assert!(refused.starts_with(expected), "{refused}");
}

#[test]
fn private_addresses_are_refused_before_the_proxy_is_asked() {
    let proxy = Server::start(ESTABLISHED);
    let mut setup = Setup::new(&["10.0.0.7:22".to_owned()]);
    let url = format!("http://127.0.0.1:{}", proxy.port);
    setup.upstream = Upstream::new(&url, &url, "").unwrap();
    let way_out = setup.start();
    assert!(way_out.tunnel("10.0.0.8:22").is_err());
    assert!(way_out.tunnel("169.254.169.254:80").is_err());
    assert_eq!(way_out.exchange_in_tunnel("10.0.0.7:22", b"x"), "from afar");
    assert!(proxy.next().starts_with("CONNECT 10.0.0.7:22 HTTP/1.1\r\n"));
}
