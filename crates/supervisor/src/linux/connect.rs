//! The program that `ssh` reaches its server by, where a proxy leads out of the network of commands.
//!
//! It is named in the `ProxyCommand` of `ssh` (see `ssh`), as `handrail-connect PORT HOST PORT`: the port of the proxy at
//! 127.0.0.1, and the server. It runs within the plan like the command itself, and can do no more than that.
//!
//! `ssh` starts a `ProxyCommand` by the shell in `SHELL`. Where a plan lists the programs that may start, that is this program
//! as well, so that no shell has to be listed: it does what it is named for itself, and leaves everything else to `/bin/sh`,
//! which the plan may or may not let start.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, TcpStream};
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use handrail_supervisor::CONNECT_NAME;

use super::ssh::quoted;

/// Bytes that are passed on at once.
const PART_BYTES: usize = 32 << 10;
/// The longest line of a proxy's answer, and the most lines.
const MAX_LINE_BYTES: usize = 4 << 10;
const MAX_LINES: usize = 64;
/// What a shell does before it starts a `ProxyCommand`.
const EXEC: &[u8] = b"exec ";
const SHELL: &str = "/bin/sh";

/// Whether this executable is called by the name of this program, perhaps as a login shell.
pub(crate) fn is_connect(name: &OsStr) -> bool {
    let base = Path::new(name).file_name().unwrap_or_default().as_bytes();
    base.strip_prefix(b"-").unwrap_or(base) == CONNECT_NAME.as_bytes()
}

/// The server to connect with, and the port of the proxy.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    proxy_port: u16,
    host: String,
    port: u16,
}

/// Connects standard input and output with a server, or becomes a shell.
pub(crate) fn connect() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let failure = match Request::read(&arguments) {
        Some(request) => match request.serve() {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => error,
        },
        None => Command::new(SHELL).args(&arguments[1..]).exec(),
    };
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(io::stderr(), "handrail: {failure}");
    ExitCode::FAILURE
}

impl Request {
    /// Reads the arguments of the program itself, or those of a shell that is to start it.
    fn read(arguments: &[OsString]) -> Option<Request> {
        match arguments {
            [_, proxy_port, host, port] => {
                Request::from_words([proxy_port, host, port].map(|word| word.to_str()))
            }
            [own, option, text] if option == "-c" => {
                let start = [EXEC, &quoted(own), b" "].concat();
                let words = text.as_bytes().strip_prefix(&start[..])?;
                let mut words = std::str::from_utf8(words).ok()?.split(' ');
                let [proxy_port, host, port] = [words.next(), words.next(), words.next()];
                let host = host?.strip_prefix('\'')?.strip_suffix('\'')?;
                let whole = words.next().is_none() && !host.contains('\'');
                Request::from_words([proxy_port, Some(host).filter(|_| whole), port])
            }
            _ => None,
        }
    }

    fn from_words([proxy_port, host, port]: [Option<&str>; 3]) -> Option<Request> {
        let host =
            host.filter(|host| !host.is_empty() && host.bytes().all(|b| b.is_ascii_graphic()));
        Some(Request {
            proxy_port: proxy_port?.parse().ok()?,
            host: host?.to_owned(),
            port: port?.parse().ok()?,
        })
    }

    /// Passes bytes between standard input and output and the server, until the server ends.
    fn serve(&self) -> io::Result<()> {
        let mut server = self.open()?;
        let mut sending = server.get_ref().try_clone()?;
        // Not the buffered streams: every byte passes at once.
        let (input, output) = (io::stdin(), io::stdout());
        let mut input = File::from(input.as_fd().try_clone_to_owned()?);
        let mut output = File::from(output.as_fd().try_clone_to_owned()?);
        std::thread::Builder::new().spawn(move || {
            // An error here is the end of the connection, which the other direction meets as well.
            let _ = pass(&mut input, &mut sending);
            let _ = sending.shutdown(Shutdown::Write);
        })?;
        pass(&mut server, &mut output)
    }

    /// Connects with the server: through the proxy, or directly where it is within the namespace.
    fn open(&self) -> io::Result<BufReader<TcpStream>> {
        if self.is_inside() {
            let stream = TcpStream::connect((self.host.as_str(), self.port))?;
            stream.set_nodelay(true)?;
            return Ok(BufReader::new(stream));
        }
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.proxy_port))?;
        stream.set_nodelay(true)?;
        let target = match self.host.parse() {
            Ok(IpAddr::V6(address)) => format!("[{address}]:{}", self.port),
            _ => format!("{}:{}", self.host, self.port),
        };
        stream
            .write_all(format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n").as_bytes())?;
        let mut proxy = BufReader::new(stream);
        let status = read_line(&mut proxy)?;
        for _ in 0..MAX_LINES {
            if read_line(&mut proxy)?.is_empty() {
                return accepted(&status).map(|()| proxy);
            }
        }
        Err(io::ErrorKind::InvalidData.into())
    }

    fn is_inside(&self) -> bool {
        self.host.eq_ignore_ascii_case("localhost")
            || self.host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

/// Passes bytes on until there are no more. Not by `io::copy`: it splices between pipes and sockets, which holds bytes back.
fn pass(from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut part = vec![0; PART_BYTES];
    loop {
        match from.read(&mut part) {
            Ok(0) => return Ok(()),
            Ok(read) => to.write_all(&part[..read])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Reads a line without its end.
fn read_line(from: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut line = Vec::new();
    from.take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(String::from_utf8_lossy(line.trim_ascii_end()).into_owned())
}

/// Whether the answer of the proxy is that the connection stands. Otherwise its reason is the error.
fn accepted(status: &str) -> io::Result<()> {
    let mut words = status.splitn(3, ' ').skip(1);
    let (code, reason) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if code == "200" {
        return Ok(());
    }
    Err(io::Error::other(reason.strip_prefix("handrail: ").unwrap_or(reason).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Option<Request> {
        Request::read(&arguments.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_server_is_named_to_the_program_and_to_the_shell_that_it_stands_for() {
        let wanted = Request { proxy_port: 61080, host: "git.example".to_owned(), port: 22 };
        assert_eq!(read(&["/s/p", "61080", "git.example", "22"]).as_ref(), Some(&wanted));
        let text = "exec '/s/p' 61080 'git.example' 22";
        assert_eq!(read(&["/s/p", "-c", text]).as_ref(), Some(&wanted));
    }

    #[test]
    fn everything_else_is_left_to_a_shell() {
        for text in [
            "exec '/s/p' 61080 'git.example' 22; true",
            "exec '/s/p' 61080 'git'$(true)'' 22",
            "exec '/s/p' 61080 git.example 22",
            "exec '/s/other' 61080 'git.example' 22",
            "'/s/p' 61080 'git.example' 22",
            "exec '/s/p' 61080 'git.example' 70000",
            "exec '/s/p' 61080 '' 22",
        ] {
            assert_eq!(read(&["/s/p", "-c", text]), None, "{text}");
        }
        assert_eq!(read(&["/s/p"]), None);
        assert_eq!(read(&["/s/p", "61080", "a\r\nb", "22"]), None);
    }

    #[test]
    fn the_name_decides() {
        for (name, expected) in [
            ("/s/handrail-connect", true),
            ("-handrail-connect", true),
            ("/s/handrail-supervisor", false),
            ("", false),
        ] {
            assert_eq!(is_connect(OsStr::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn the_reason_of_a_refusal_is_the_error() {
        assert!(accepted("HTTP/1.1 200 Connection established").is_ok());
        let refused =
            accepted("HTTP/1.1 403 handrail: a.example:22 is not allowed (network.allow)");
        let message = refused.unwrap_err().to_string();
        assert_eq!(message, "a.example:22 is not allowed (network.allow)");
    }
}
