//! Attempts to reach a host that is not allowed, or to be taken for another. Each is stopped; with the check off, each works.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::time::Duration;

use handrail_egress::{Checks, Resolve, SystemResolver};

use crate::fixture::{Server, Setup, client_hello, on, read_all};

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// `good.example` at this port, and loopback at this port, where the tests' servers are.
fn only(port: u16) -> [String; 2] {
    [format!("good.example:{port}"), format!("localhost:{port}")]
}

fn no_targets() -> Checks {
    Checks { targets: false, addresses: false, ..on() }
}

/// The bytes with which a client of SOCKS5 asks for an address of IPv4.
fn socks_v4(address: Ipv4Addr, port: u16) -> Vec<u8> {
    [&[5, 1, 0, 5, 1, 0, 1][..], &address.octets(), &port.to_be_bytes(), b"hello\r\n\r\n"].concat()
}

fn socks_name(name: &str, port: u16) -> Vec<u8> {
    let length = u8::try_from(name.len()).unwrap();
    [&[5, 1, 0, 5, 1, 0, 3, length][..], name.as_bytes(), &port.to_be_bytes(), b"hello\r\n\r\n"]
        .concat()
}

#[test]
fn a_host_or_port_that_no_entry_names_is_not_reached() {
    let (good, evil) = (Server::start(OK), Server::start(OK));
    let port = evil.port;
    let mut setup = Setup::new(&only(good.port));
    let requests: Vec<Vec<u8>> = [
        format!("CONNECT evil.example:{port} HTTP/1.1\r\n\r\nhello\r\n\r\n"),
        format!("CONNECT good.example:{port} HTTP/1.1\r\n\r\nhello\r\n\r\n"),
        format!("CONNECT localhost:{port} HTTP/1.1\r\n\r\nhello\r\n\r\n"),
        format!("CONNECT LocalHost.:{port} HTTP/1.1\r\n\r\nhello\r\n\r\n"),
        format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\nhello\r\n\r\n"),
        format!("CONNECT [::ffff:127.0.0.1]:{port} HTTP/1.1\r\n\r\nhello\r\n\r\n"),
        format!("CONNECT [::ffff:7f00:1]:{port} HTTP/1.1\r\n\r\nhello\r\n\r\n"),
        format!("GET http://evil.example:{port}/ HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n"),
        format!("GET http://EVIL.example.:{port}/ HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n"),
        format!("GET http://good.example:{port}/ HTTP/1.0\r\n\r\n"),
        format!("GET http://127.0.0.1:{port}/ HTTP/1.0\r\n\r\n"),
    ]
    .map(String::into_bytes)
    .into_iter()
    .chain([
        socks_name("evil.example", port),
        socks_name("good.example", port),
        socks_name("localhost", port),
        socks_name("127.0.0.1", port),
        socks_v4(Ipv4Addr::LOCALHOST, port),
        socks_v4(Ipv4Addr::UNSPECIFIED, port),
    ])
    .collect();
    let way_out = setup.start();
    for request in &requests {
        let answer = way_out.exchange(request);
        let refused = answer.starts_with("HTTP/1.1 403 handrail: ")
            || answer.as_bytes().get(2..4) == Some(&[5, 2]);
        assert!(refused, "{answer:?} to {:?}", String::from_utf8_lossy(request));
        assert!(!answer.contains("ok"));
    }
    evil.was_not_reached();
    setup.checks = no_targets();
    let open = setup.start();
    for request in &requests {
        let answer = open.exchange(request);
        assert!(answer.ends_with("ok"), "{answer:?} to {:?}", String::from_utf8_lossy(request));
        evil.next();
    }
}

#[test]
fn addresses_in_other_forms_are_refused_before_any_resolver_reads_them() {
    let evil = Server::start(OK);
    let port = evil.port;
    let mut setup = Setup::new(&[]);
    setup.checks = no_targets();
    let way_out = setup.start();
    for form in ["0177.0.0.1", "0x7f.0.0.1", "0x7f000001", "2130706433", "127.1", "017700000001"] {
        for request in [
            format!("CONNECT {form}:{port} HTTP/1.1\r\n\r\n"),
            format!("GET http://{form}:{port}/ HTTP/1.0\r\n\r\n"),
        ] {
            let answer = way_out.exchange(request.as_bytes());
            assert!(answer.starts_with("HTTP/1.1 400 handrail: "), "{answer} to {request}");
        }
        assert_eq!(way_out.exchange(&socks_name(form, port)).as_bytes()[3], 1);
        // What stops them is that they are not read: the resolver of the machine takes them for loopback.
        assert_eq!(SystemResolver.resolve(form).unwrap(), [Ipv4Addr::LOCALHOST]);
    }
    for form in [
        "[127.0.0.1]",
        "[::1%lo]",
        "[::1",
        "::1",
        "127.0.0.1@good.example",
        "good.example%00",
        "localhost%2e",
    ] {
        let answer = way_out.exchange(format!("CONNECT {form}:{port} HTTP/1.1\r\n\r\n").as_bytes());
        assert!(answer.starts_with("HTTP/1.1 400 handrail: "), "{answer} to {form}");
    }
    evil.was_not_reached();
}

#[test]
fn a_name_does_not_lead_to_this_machine_or_its_network() {
    let evil = Server::at(Ipv4Addr::UNSPECIFIED, OK);
    let port = evil.port;
    let mut setup = Setup::new(&[format!("*.example:{port}")]);
    let way_out = setup.start();
    let leading = ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::ffff:127.0.0.1", "::ffff:0.0.0.0"];
    for (number, address) in leading.into_iter().enumerate() {
        setup.names.add(&format!("n{number}.example"), &[&[address]]);
    }
    let not_dialed =
        ["169.254.169.254", "fd00:ec2::254", "10.0.0.7", "64:ff9b::7f00:1", "2002:7f00:1::1"];
    for (number, address) in not_dialed.into_iter().enumerate() {
        setup.names.add(&format!("m{number}.example"), &[&[address, "127.0.0.1"]]);
        let answer = way_out.tunnel(&format!("m{number}.example:{port}")).unwrap_err();
        assert!(answer.starts_with("HTTP/1.1 403 "), "{address}: {answer}");
    }
    for number in 0..leading.len() {
        let answer = way_out.tunnel(&format!("n{number}.example:{port}")).unwrap_err();
        assert!(answer.contains("which network.allow does not name"), "{answer}");
    }
    evil.was_not_reached();
    setup.checks = Checks { addresses: false, ..on() };
    let open = setup.start();
    for (number, address) in leading.iter().enumerate() {
        let answer =
            open.exchange_in_tunnel(&format!("n{number}.example:{port}"), b"hello\r\n\r\n");
        assert_eq!(answer, OK, "{address}");
        evil.next();
    }
}

#[test]
fn the_address_that_was_judged_is_dialed_whatever_the_resolver_says_next() {
    let (good, evil) = (Server::start(OK), Server::at(Ipv4Addr::new(127, 0, 0, 2), OK));
    // At the port of `evil`, 127.0.0.1 is allowed and 127.0.0.2 is not. Nobody listens at the former.
    let port = evil.port;
    let setup = Setup::new(&[format!("good.example:{port}"), format!("127.0.0.1:{port}")]);
    let answers: [&[&str]; 2] = [&["127.0.0.1"], &["127.0.0.2"]];
    setup.names.add("good.example", &answers);
    let way_out = setup.start();
    let answer = way_out.tunnel(&format!("good.example:{port}")).unwrap_err();
    assert!(answer.starts_with("HTTP/1.1 504 "), "{answer}");
    let answer = way_out.tunnel(&format!("good.example:{port}")).unwrap_err();
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    // Who resolves once to judge and once more to dial reaches the other.
    setup.names.add("good.example", &answers);
    let judged = setup.names.resolve("good.example").unwrap();
    assert_eq!(judged, [IpAddr::V4(Ipv4Addr::LOCALHOST)]);
    let dialed = setup.names.resolve("good.example").unwrap()[0];
    let mut stream = TcpStream::connect((dialed, port)).unwrap();
    stream.write_all(b"rebound\r\n\r\n").unwrap();
    assert_eq!(read_all(&mut stream), OK);
    drop(stream);
    assert_eq!(evil.next(), "rebound\r\n\r\n");
    good.was_not_reached();
}

#[test]
fn tls_names_the_server_that_was_connected() {
    let good = Server::start("hello of the server");
    let mut setup = Setup::new(&only(good.port));
    let target = format!("good.example:{}", good.port);
    let hostile: [&[u8]; 6] = [
        &client_hello(&["evil.example"]),
        &client_hello(&["good.example.evil.example"]),
        &client_hello(&[]),
        &client_hello(&["good.example", "evil.example"]),
        b"GET / HTTP/1.1\r\nHost: good.example\r\n\r\n",
        b"SSH-2.0-x\r\n\r\n",
    ];
    setup.checks.tls_port = good.port;
    let way_out = setup.start();
    for bytes in hostile {
        let answer = way_out.exchange_in_tunnel(&target, bytes);
        assert!(!answer.contains("hello of"), "{answer} to {:?}", String::from_utf8_lossy(bytes));
        assert_eq!(good.next(), "");
    }
    // In one piece, and byte by byte.
    let fitting = client_hello(&["GOOD.example"]);
    assert_eq!(way_out.exchange_in_tunnel(&target, &fitting), "hello of the server");
    let mut stream = way_out.tunnel(&target).unwrap();
    stream.set_nodelay(true).unwrap();
    for byte in &fitting {
        stream.write_all(&[*byte]).unwrap();
    }
    assert_eq!(read_all(&mut stream), "hello of the server");
    drop(stream);
    assert_eq!([good.next().len(), good.next().len()], [fitting.len(); 2]);
    assert_eq!(way_out.refusals().len(), 3, "{:?}", way_out.refusals());
    setup.checks = Checks { server_names: false, hosts: false, ..on() };
    let open = setup.start();
    for bytes in hostile {
        assert_eq!(open.exchange_in_tunnel(&target, bytes), "hello of the server");
        assert_eq!(good.next(), String::from_utf8_lossy(bytes));
    }
}

#[test]
fn tls_at_other_ports_names_the_server_as_well() {
    let good = Server::start("hello of the server");
    let setup = Setup::new(&only(good.port));
    let target = format!("good.example:{}", good.port);
    let way_out = setup.start();
    let alert = way_out.exchange_in_tunnel(&target, &client_hello(&["evil.example"]));
    assert_eq!(alert.as_bytes()[0], 21, "{alert:?}");
    assert_eq!(good.next(), "");
    // Other protocols, of which either side may speak first, pass.
    assert_eq!(way_out.exchange_in_tunnel(&target, b"\0\x01 any\r\n\r\n"), "hello of the server");
    assert_eq!(good.next(), "\0\x01 any\r\n\r\n");
    assert_eq!(way_out.exchange_in_tunnel(&target, b"EHLO x\r\n\r\n"), "hello of the server");
    assert_eq!(good.next(), "EHLO x\r\n\r\n");
}

#[test]
fn host_is_the_target() {
    let good = Server::start(OK);
    let port = good.port;
    let mut setup = Setup::new(&only(port));
    let target = format!("good.example:{port}");
    let proxied: [String; 4] = [
        format!("GET http://{target}/ HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
        format!("GET http://{target}/ HTTP/1.1\r\nHost: good.example\r\n\r\n"),
        format!("GET http://{target}/ HTTP/1.1\r\nHost: {target}@evil.example\r\n\r\n"),
        format!("GET http://{target}/ HTTP/1.1\r\nHost:\r\n\r\n"),
    ];
    let tunneled: [String; 3] = [
        "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_owned(),
        format!("GET http://evil.example:{port}/ HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n"),
        format!("GET http://evil.example:{port}/ HTTP/1.1\r\nHost: {target}\r\n\r\n"),
    ];
    let way_out = setup.start();
    for request in &proxied {
        let answer = way_out.exchange(request.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 421 handrail: "), "{answer} to {request}");
    }
    for request in &tunneled {
        let answer = way_out.exchange_in_tunnel(&target, request.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 421 handrail: "), "{answer} to {request}");
        assert_eq!(good.next(), "");
    }
    setup.checks = Checks { hosts: false, ..on() };
    let open = setup.start();
    for request in &proxied {
        assert_eq!(open.exchange(request.as_bytes()), OK);
        assert!(!good.next().contains(&format!("Host: {target}\r\n")));
    }
    for request in &tunneled {
        assert_eq!(open.exchange_in_tunnel(&target, request.as_bytes()), OK);
        assert_eq!(good.next(), *request);
    }
}

#[test]
fn one_connection_carries_one_request() {
    let good = Server::start(OK);
    let mut setup = Setup::new(&only(good.port));
    let target = format!("good.example:{}", good.port);
    let second = "GET /second HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    let way_out = setup.start();
    for (first, kept) in [
        ("GET {}/ HTTP/1.1\r\nHost: {host}\r\n\r\n", "\r\n\r\n"),
        ("POST {}/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 3\r\n\r\nabc", "abc"),
        (
            "POST {}/ HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            "0\r\n\r\n",
        ),
    ] {
        let first = first.replace("{host}", &target);
        let proxied = first.replace("{}", &format!("http://{target}")) + second;
        assert_eq!(way_out.exchange(proxied.as_bytes()), OK);
        let received = good.next();
        assert!(
            received.contains("Connection: close\r\n") && received.ends_with(kept),
            "{received}"
        );
        let tunneled = first.replace("{}", "") + second;
        assert_eq!(way_out.exchange_in_tunnel(&target, tunneled.as_bytes()), OK);
        assert!(!good.next().contains("second"));
    }
    setup.checks = Checks { hosts: false, ..on() };
    let tunneled = format!("GET / HTTP/1.1\r\nHost: {target}\r\n\r\n{second}");
    assert_eq!(setup.start().exchange_in_tunnel(&target, tunneled.as_bytes()), OK);
    assert!(good.next().ends_with(second));
}

#[test]
fn requests_that_can_be_read_in_two_ways_go_nowhere() {
    let good = Server::start(OK);
    let target = format!("good.example:{}", good.port);
    let setup = Setup::new(&only(good.port));
    let way_out = setup.start();
    let start = format!("POST http://{target}/ HTTP/1.1\r\nHost: {target}\r\n");
    for request in [
        format!("{start}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        format!("{start}Content-Length: 3\r\nContent-Length: 0\r\n\r\n"),
        format!("{start}Host: evil.example\r\n\r\n"),
        format!("{start}X: a\r\n b\r\n\r\n"),
        format!("{start}X: a\nHost: evil.example\r\n\r\n"),
        format!("{start}Transfer-Encoding : chunked\r\n\r\n"),
        format!("GET http://{target}/ HTTP/1.1 \r\nHost: {target}\r\n\r\n"),
        format!("GET http://{target}\thttp://evil.example/ HTTP/1.1\r\nHost: {target}\r\n\r\n"),
        format!("GET http://{target}/ http://evil.example/ HTTP/1.1\r\nHost: {target}\r\n\r\n"),
        format!("GET http://evil.example@{target}/ HTTP/1.1\r\nHost: {target}\r\n\r\n"),
        format!("GET http://{target}\\@evil.example/ HTTP/1.1\r\nHost: {target}\r\n\r\n"),
        format!("GET http://{target}#@evil.example/ HTTP/1.1\r\nHost: {target}\r\n\r\n"),
        format!("GET https://{target}/ HTTP/1.1\r\nHost: {target}\r\n\r\n"),
        format!("GET //{target}/ HTTP/1.1\r\nHost: {target}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {target}\r\n\r\n"),
        format!("CONNECT {target} HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"),
        format!("CONNECT {target} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        format!("CONNECT http://{target}/ HTTP/1.1\r\n\r\n"),
        format!("CONNECT {target}/ HTTP/1.1\r\n\r\n"),
        format!("\r\nCONNECT {target} HTTP/1.1\r\n\r\n"),
    ] {
        let answer = way_out.exchange(request.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 400 handrail: "), "{answer} to {request:?}");
    }
    good.was_not_reached();
}

#[test]
fn an_allowed_host_is_not_asked_to_be_a_proxy() {
    let good = Server::start(OK);
    let mut setup = Setup::new(&only(good.port));
    let target = format!("good.example:{}", good.port);
    let requests: [&[u8]; 3] = [
        b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
        b"\r\n\r\nCONNECT evil.example:443 HTTP/1.1\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    ];
    let way_out = setup.start();
    for request in requests {
        let answer = way_out.exchange_in_tunnel(&target, request);
        assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
        assert_eq!(good.next(), "");
    }
    setup.checks = Checks { hosts: false, ..on() };
    let open = setup.start();
    for request in requests {
        assert_eq!(open.exchange_in_tunnel(&target, request), OK);
        assert_eq!(good.next().as_bytes(), request);
    }
}

#[test]
fn a_redirect_leads_nowhere_by_itself() {
    let evil = Server::start(OK);
    let answer =
        "HTTP/1.1 302 Found\r\nLocation: http://evil.example/\r\nContent-Length: 0\r\n\r\n";
    let good = Server::start(answer);
    let setup = Setup::new(&only(good.port));
    let request = format!("GET http://good.example:{}/ HTTP/1.0\r\n\r\n", good.port);
    let way_out = setup.start();
    assert_eq!(way_out.exchange(request.as_bytes()), answer);
    let next = way_out.exchange(b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assert!(
        next.starts_with(
            "HTTP/1.1 403 handrail: evil.example:80 is not allowed (network.allow)\r\n"
        )
    );
    evil.was_not_reached();
}

#[test]
fn a_request_in_a_tunnel_is_known_however_it_comes() {
    let good = Server::start(OK);
    let target = format!("good.example:{}", good.port);
    let rest = b" HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    let long = [b"GET /".as_slice(), &[b'a'; 9000]].concat();
    let mut setup = Setup::new(&only(good.port));
    let way_out = setup.start();
    let long_method = [b'A'; 100];
    for first in [b"GET /\xe9".as_slice(), b"G", b"\r\n\r", b"GET", &long, &long_method] {
        let mut stream = way_out.tunnel(&target).unwrap();
        stream.write_all(first).unwrap();
        // The rest comes by itself, after the first bytes were looked at.
        std::thread::sleep(Duration::from_millis(20));
        stream
            .write_all(if first.starts_with(b"GET") {
                rest
            } else {
                b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"
            })
            .unwrap();
        let answer = read_all(&mut stream);
        drop(stream);
        assert_eq!(good.next(), "", "{answer}");
        assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    setup.checks = Checks { hosts: false, ..on() };
    let open = setup.start();
    let mut stream = open.tunnel(&target).unwrap();
    stream.write_all(&[b"GET /", rest.as_slice()].concat()).unwrap();
    assert_eq!(read_all(&mut stream), OK);
    drop(stream);
    assert!(good.next().contains("evil.example"));
}

#[test]
fn other_protocols_pass_at_other_ports() {
    for first in
        ["PING\r\n", "EHLO a.example\r\n", "\0\0\0\u{8}", "{\"id\":1}", "SET a b\r\n", "get /\n"]
    {
        let good = Server::start(OK);
        let target = format!("good.example:{}", good.port);
        let way_out = Setup::new(&only(good.port)).start();
        let mut stream = way_out.tunnel(&target).unwrap();
        stream.write_all(first.as_bytes()).unwrap();
        stream.write_all(b"\r\n\r\n").unwrap();
        assert_eq!(read_all(&mut stream), OK);
        drop(stream);
        assert_eq!(good.next(), format!("{first}\r\n\r\n"));
    }
}
