//! What an allowed client gets, in each of the protocols, and what is remembered of it.

use std::io::{Read, Write};

use handrail_egress::{AllowList, ListenerKind, Mark, Outcome};

use crate::fixture::{Server, Setup, read_all};

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

#[test]
fn connect_http_and_socks_reach_what_is_allowed() {
    let good = Server::start(OK);
    let port = good.port;
    let setup = Setup::new(&[format!("*.example:{port}"), format!("localhost:{port}")]);
    let way_out = setup.start();
    let target = format!("good.example:{port}");
    let request = format!("GET /a?b HTTP/1.1\r\nHost: {target}\r\nX-Own: 1\r\n\r\n");
    assert_eq!(way_out.exchange_in_tunnel(&target, request.as_bytes()), OK);
    let expected =
        format!("GET /a?b HTTP/1.1\r\nHost: {target}\r\nX-Own: 1\r\nConnection: close\r\n\r\n");
    assert_eq!(good.next(), expected);
    let proxied = format!("GET http://{target}/a?b HTTP/1.1\r\nHost: {target}\r\nX-Own: 1\r\n\r\n");
    assert_eq!(way_out.exchange(proxied.as_bytes()), OK);
    assert_eq!(good.next(), expected);
    let name = b"localhost";
    let socks =
        [&[5, 2, 0, 2, 5, 1, 0, 3, 9], &name[..], &port.to_be_bytes(), b"x\r\n\r\n"].concat();
    let mut stream = way_out.connect();
    stream.write_all(&socks).unwrap();
    let mut replies = [0; 12];
    stream.read_exact(&mut replies).unwrap();
    assert_eq!(replies, [5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(read_all(&mut stream), OK);
    drop(stream);
    assert_eq!(good.next(), "x\r\n\r\n");
    let events = way_out.egress.log().since(Mark::default());
    let reached: Vec<_> = events
        .iter()
        .map(|event| {
            (event.target.as_ref().unwrap().to_string(), event.outcome.clone(), event.times)
        })
        .collect();
    let localhost = format!("localhost:{port}");
    assert_eq!(reached, [(target, Outcome::Reached, 2), (localhost, Outcome::Reached, 1)]);
}

#[test]
fn a_listener_of_an_address_leads_to_that_address() {
    let good = Server::start(OK);
    let entry = format!("localhost:{}", good.port);
    let target = AllowList::parse(&[&entry]).unwrap().addresses().remove(0);
    let setup = Setup::new(&[entry]);
    let way_out = setup.start_as(ListenerKind::Address(target.clone()));
    assert_eq!(way_out.exchange(b"any bytes\r\n\r\n"), OK);
    assert_eq!(good.next(), "any bytes\r\n\r\n");
    let other = Setup::new(&[]).start_as(ListenerKind::Address(target.clone()));
    assert_eq!(other.exchange(b"any bytes\r\n\r\n"), "");
    assert_eq!(other.refusals(), [format!("{target} is not allowed (network.allow)")]);
    good.was_not_reached();
}

#[test]
fn a_client_that_asks_for_authentication_or_listening_is_told() {
    let way_out = Setup::new(&["good.example".to_owned()]).start();
    let mut stream = way_out.connect();
    stream.write_all(&[5, 1, 2]).unwrap();
    let mut reply = [0; 2];
    stream.read_exact(&mut reply).unwrap();
    assert_eq!(reply, [5, 0xff]);
    let mut stream = way_out.connect();
    stream.write_all(&[5, 1, 0, 5, 2, 0, 1, 1, 1, 1, 1, 0, 80]).unwrap();
    let mut replies = [0; 4];
    stream.read_exact(&mut replies).unwrap();
    assert_eq!(replies, [5, 0, 5, 7]);
}

#[test]
fn an_unknown_name_and_a_closed_port_are_told_apart_from_a_refusal() {
    let setup = Setup::new(&["nobody.example".to_owned(), "localhost:1".to_owned()]);
    let way_out = setup.start();
    let unknown = way_out.tunnel("nobody.example:443").unwrap_err();
    assert!(unknown.starts_with("HTTP/1.1 502 handrail: nobody.example:443 has no address\r\n"));
    let closed = way_out.tunnel("localhost:1").unwrap_err();
    assert!(closed.starts_with("HTTP/1.1 504 handrail: localhost:1 does not answer\r\n"));
}
