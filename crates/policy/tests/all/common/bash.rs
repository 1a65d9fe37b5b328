//! Runs bash, for tests that ask it how it reads a text.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the oracle is another program, and its absence is said"
)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs one script in a bash of which nothing but `HOME` and `PATH` is in the environment; absent without bash.
pub(crate) fn bash(script: &str, home: &Path) -> Option<String> {
    // By its path: the name alone would be looked up in the `PATH` of the child.
    let real = ["/usr/bin/bash", "/bin/bash", "/usr/local/bin/bash"];
    let real = real.into_iter().find(|path| Path::new(path).exists()).unwrap_or("bash");
    let mut command = Command::new(real);
    command
        .args(["--norc", "--noprofile"])
        .env_clear()
        .env("HOME", home)
        .env("PATH", home.join("bin"));
    command.current_dir(home).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else {
        eprintln!("bash is missing: the oracle says nothing");
        return None;
    };
    let mut input = child.stdin.take().expect("a pipe");
    let text = script.to_owned();
    let writer = std::thread::spawn(move || {
        let _ = input.write_all(text.as_bytes());
    });
    let output = child.wait_with_output().expect("bash ends");
    writer.join().expect("the writer ends");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A folder that goes away again.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("handrail-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("bin")).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
