//! The limits, each at its value and above, and the end of everything.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::fixture::{Server, Setup, read_all};

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const SHORT: Duration = Duration::from_millis(50);

#[test]
fn one_connection_too_many_is_told() {
    let good = Server::start(OK);
    let target = format!("localhost:{}", good.port);
    let mut setup = Setup::new(std::slice::from_ref(&target));
    setup.limits.connections = 2;
    let way_out = setup.start();
    let held = [way_out.tunnel(&target).unwrap(), way_out.tunnel(&target).unwrap()];
    let answer = read_all(&mut way_out.connect());
    assert!(answer.starts_with("HTTP/1.1 503 handrail: "), "{answer}");
    drop(held);
    // The places are free again once both threads have seen the end.
    while way_out.is_busy(&target) {}
}

#[test]
fn a_head_has_a_limit_of_bytes_and_of_time() {
    let mut setup = Setup::new(&[]);
    setup.limits.head_bytes = 1000;
    setup.limits.head_time = SHORT;
    let way_out = setup.start();
    let start = "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nX: ";
    let exact = format!("{start}{}\r\n\r\n", "a".repeat(1000 - start.len() - 4));
    assert!(way_out.exchange(exact.as_bytes()).starts_with("HTTP/1.1 403 "));
    let long = format!("{start}{}", "a".repeat(1000));
    let answer = way_out.exchange(long.as_bytes());
    assert!(
        answer.starts_with("HTTP/1.1 400 handrail: the request is refused: its head is too long")
    );
    let mut slow = way_out.connect();
    slow.write_all(b"GET ").unwrap();
    assert!(read_all(&mut slow).starts_with("HTTP/1.1 408 "));
    let mut silent = way_out.connect();
    assert_eq!(read_all(&mut silent), "");
}

#[test]
fn a_head_may_come_byte_by_byte() {
    let way_out = Setup::new(&[]).start();
    let mut stream = way_out.connect();
    for byte in b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n" {
        stream.write_all(&[*byte]).unwrap();
    }
    assert!(read_all(&mut stream).starts_with("HTTP/1.1 403 "));
}

#[test]
fn the_first_bytes_of_a_tunnel_have_a_limit_of_time() {
    let good = Server::start(OK);
    let port = good.port;
    let mut setup = Setup::new(&[format!("good.example:{port}"), format!("localhost:{port}")]);
    setup.limits.head_time = SHORT;
    setup.checks.tls_port = port;
    let way_out = setup.start();
    let mut stream = way_out.tunnel(&format!("good.example:{port}")).unwrap();
    stream.write_all(&[22, 3]).unwrap();
    read_all(&mut stream);
    assert_eq!(good.next(), "");
    assert_eq!(way_out.refusals(), [format!("good.example:{port} came too slowly")]);
}

#[test]
fn an_idle_connection_is_closed() {
    let good = Server::start(OK);
    let target = format!("localhost:{}", good.port);
    let mut setup = Setup::new(std::slice::from_ref(&target));
    setup.limits.idle_time = SHORT;
    let mut stream = setup.start().tunnel(&target).unwrap();
    assert_eq!(read_all(&mut stream), "");
    assert_eq!(good.next(), "");
}

#[test]
fn a_client_that_is_gone_frees_its_place() {
    // This host neither reads nor ends.
    let stuck = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let target = format!("localhost:{}", stuck.local_addr().unwrap().port());
    let mut setup = Setup::new(std::slice::from_ref(&target));
    setup.limits.connections = 1;
    setup.limits.half_closed_time = SHORT;
    let way_out = setup.start();
    drop(way_out.tunnel(&target).unwrap());
    while way_out.is_busy(&target) {}
}

#[test]
fn a_second_request_has_to_connect_anew() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let request =
        format!("GET http://localhost:{port}/ HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
    let way_out = Setup::new(&[format!("localhost:{port}")]).start();
    let mut stream = way_out.connect();
    stream.write_all(request.as_bytes()).unwrap();
    let (mut host, _) = listener.accept().unwrap();
    let _ = host.read(&mut [0; 4096]).unwrap();
    // This host keeps the connection, whatever it was asked.
    host.write_all(OK.as_bytes()).unwrap();
    stream.read_exact(&mut [0; OK.len()]).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    assert_eq!(read_all(&mut stream), "");
}

#[test]
fn dropping_the_way_out_ends_its_connections() {
    let good = Server::start(OK);
    let target = format!("localhost:{}", good.port);
    let way_out = Setup::new(std::slice::from_ref(&target)).start();
    let mut stream = way_out.tunnel(&target).unwrap();
    stream.write_all(b"begun").unwrap();
    let address = way_out.address;
    drop(way_out);
    assert!(TcpStream::connect(address).is_err());
    assert!(matches!(stream.read(&mut [0]), Ok(0) | Err(_)));
    good.next();
}

#[test]
fn much_passes_in_both_directions() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let target = format!("localhost:{}", listener.local_addr().unwrap().port());
    let echo = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = stream.try_clone().unwrap();
        std::io::copy(&mut reader, &mut stream).unwrap()
    });
    let way_out = Setup::new(std::slice::from_ref(&target)).start();
    let mut stream = way_out.tunnel(&target).unwrap();
    let sent: Vec<u8> = (0..4_000_000_u32).map(|number| (number % 251) as u8).collect();
    let mut writer = stream.try_clone().unwrap();
    let copy = sent.clone();
    let writing = std::thread::spawn(move || {
        writer.write_all(&copy).unwrap();
        writer.shutdown(std::net::Shutdown::Write).unwrap();
    });
    let mut received = Vec::new();
    stream.read_to_end(&mut received).unwrap();
    writing.join().unwrap();
    assert_eq!(echo.join().unwrap(), sent.len() as u64);
    assert!(received == sent);
}
