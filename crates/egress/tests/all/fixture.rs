//! A way out on loopback, servers that keep what they are sent, and a resolver that answers as it is told.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use handrail_egress::{
    AllowList, Checks, Egress, EgressConfig, Limits, Listener, ListenerKind, Resolve, Upstream,
};

/// Long enough for a machine that is busy: no test waits this long unless it fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that keeps the bytes of each connection, and answers each with the same text once its head or first line is there.
pub(crate) struct Server {
    pub(crate) port: u16,
    received: mpsc::Receiver<Vec<u8>>,
}

impl Server {
    pub(crate) fn start(answer: &'static str) -> Self {
        Self::at(Ipv4Addr::LOCALHOST, answer)
    }

    pub(crate) fn at(address: Ipv4Addr, answer: &'static str) -> Self {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, received) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let sender = sender.clone();
                thread::spawn(move || sender.send(serve(stream.unwrap(), answer)));
            }
        });
        Self { port, received }
    }

    /// What the next connection sent, all of it.
    pub(crate) fn next(&self) -> String {
        String::from_utf8_lossy(&self.received.recv_timeout(PATIENCE).unwrap()).into_owned()
    }

    /// Checks that nothing was sent here until now: a connection of the test's own is the first.
    pub(crate) fn was_not_reached(&self) {
        let mut own = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        own.write_all(b"the test itself\r\n\r\n").unwrap();
        drop(own);
        assert_eq!(self.next(), "the test itself\r\n\r\n");
    }
}

fn serve(mut stream: TcpStream, answer: &str) -> Vec<u8> {
    let mut received = Vec::new();
    let mut part = [0; 4096];
    let mut answered = false;
    loop {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => break,
            Ok(read) => received.extend_from_slice(&part[..read]),
        }
        if !answered && (received.windows(4).any(|end| end == b"\r\n\r\n") || received[0] == 22) {
            answered = true;
            // The client may be gone.
            let _ = stream.write_all(answer.as_bytes());
            let _ = stream.shutdown(Shutdown::Write);
        }
    }
    received
}

/// Answers with the next of the addresses of a name, and with the last one from then on.
#[derive(Default)]
pub(crate) struct Names(Mutex<HashMap<String, Vec<Vec<IpAddr>>>>);

impl Names {
    pub(crate) fn add(&self, name: &str, answers: &[&[&str]]) {
        let parse = |texts: &&[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        let answers = answers.iter().map(parse).collect();
        self.0.lock().unwrap().insert(name.to_owned(), answers);
    }
}

impl Resolve for Names {
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let mut names = self.0.lock().unwrap();
        let answers = names.get_mut(name).ok_or(io::ErrorKind::NotFound)?;
        if answers.len() > 1 { Ok(answers.remove(0)) } else { Ok(answers[0].clone()) }
    }
}

/// A way out, and its address.
pub(crate) struct WayOut {
    pub(crate) egress: Egress,
    pub(crate) address: SocketAddr,
}

/// How a way out is started.
pub(crate) struct Setup {
    pub(crate) allow: Vec<String>,
    pub(crate) checks: Checks,
    pub(crate) limits: Limits,
    pub(crate) upstream: Upstream,
    pub(crate) names: Arc<Names>,
}

/// Every check.
pub(crate) fn on() -> Checks {
    Checks::default()
}

impl Setup {
    /// `good.example` and `evil.example` lead to loopback.
    pub(crate) fn new(allow: &[String]) -> Self {
        let names = Names::default();
        names.add("good.example", &[&["127.0.0.1"]]);
        names.add("evil.example", &[&["127.0.0.1"]]);
        Self {
            allow: allow.to_vec(),
            checks: on(),
            limits: Limits::default(),
            upstream: Upstream::default(),
            names: Arc::new(names),
        }
    }

    pub(crate) fn config(&self) -> EgressConfig {
        let mut config = EgressConfig::new(AllowList::parse(&self.allow).unwrap());
        config.checks = self.checks;
        config.limits = self.limits;
        config.upstream = self.upstream.clone();
        config.resolver = Arc::clone(&self.names) as Arc<dyn Resolve>;
        config
    }

    pub(crate) fn start(&self) -> WayOut {
        self.start_as(ListenerKind::Proxy)
    }

    pub(crate) fn start_as(&self, kind: ListenerKind) -> WayOut {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let socket = OwnedFd::from(listener);
        let egress = Egress::start(vec![Listener { socket, kind }], self.config()).unwrap();
        WayOut { egress, address }
    }
}

impl WayOut {
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends bytes, and gives everything that comes back.
    pub(crate) fn exchange(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        // A refusal may come before the request was sent, and end the connection.
        let _ = stream.write_all(request).and_then(|()| stream.shutdown(Shutdown::Write));
        read_all(&mut stream)
    }

    /// Opens a tunnel with CONNECT. The rest of the answer, if it was refused, is in the error.
    pub(crate) fn tunnel(&self, target: &str) -> Result<TcpStream, String> {
        let mut stream = self.connect();
        // A connection that is refused before it was read is reset, and its answer may be lost.
        let _ = write!(stream, "CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n");
        let mut answer = Vec::new();
        let mut byte = [0];
        while !answer.ends_with(b"\r\n\r\n") {
            if !stream.read(&mut byte).is_ok_and(|count| count == 1) {
                return Err(String::from_utf8_lossy(&answer).into_owned());
            }
            answer.push(byte[0]);
        }
        let answer = String::from_utf8(answer).unwrap();
        if answer.starts_with("HTTP/1.1 200 ") { Ok(stream) } else { Err(answer) }
    }

    /// Whether a tunnel to an allowed target is refused: too many connections are open.
    pub(crate) fn is_busy(&self, target: &str) -> bool {
        self.tunnel(target).is_err()
    }

    /// Opens a tunnel, sends bytes, and gives everything that comes back.
    pub(crate) fn exchange_in_tunnel(&self, target: &str, bytes: &[u8]) -> String {
        let mut stream = self.tunnel(target).unwrap();
        stream.write_all(bytes).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        read_all(&mut stream)
    }

    /// The words of every refusal, in order.
    pub(crate) fn refusals(&self) -> Vec<String> {
        let events = self.egress.log().since(handrail_egress::Mark::default());
        events.iter().filter_map(|event| Some(event.refusal()?.to_string())).collect()
    }
}

/// Everything up to the end, or to a reset.
pub(crate) fn read_all(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut part) {
        answer.extend_from_slice(&part[..read]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// The first message of TLS, with these server names.
pub(crate) fn client_hello(names: &[&str]) -> Vec<u8> {
    let vector = |length_bytes: usize, content: &[u8]| {
        let length = content.len().to_be_bytes();
        [&length[length.len() - length_bytes..], content].concat()
    };
    let list: Vec<u8> =
        names.iter().flat_map(|name| [vec![0], vector(2, name.as_bytes())].concat()).collect();
    let extensions = if names.is_empty() {
        Vec::new()
    } else {
        [vec![0, 0], vector(2, &vector(2, &list))].concat()
    };
    let random = [7; 32];
    let body = [&[3, 3], &random[..], &[0, 0, 2, 0x13, 1, 1, 0], &vector(2, &extensions)].concat();
    let message = [vec![1], vector(3, &body)].concat();
    [vec![22, 3, 1], vector(2, &message)].concat()
}
