//! A loop that only reads the output of a command through one pipe into one buffer. Pipe and buffer
//! are as large as those of the product, so that only the handling of the bytes differs.

use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Taken;

const READ_BYTES: usize = 128 * 1024;
const PIPE_BYTES: libc::c_int = 1024 * 1024;

/// Lets this program write `bytes` and reads them to the end.
pub(crate) fn read(bytes: u64) -> io::Result<Taken> {
    let mut buffer = vec![0; READ_BYTES];
    let mut total = 0;
    let begun = Instant::now();
    let mut child = Command::new(std::env::current_exe()?)
        .args(["write", &bytes.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut pipe = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
    // SAFETY: the call takes a descriptor and a number.
    if unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETPIPE_SZ, PIPE_BYTES) } < 0 {
        return Err(io::Error::last_os_error());
    }
    loop {
        match pipe.read(&mut buffer)? {
            0 => break,
            count => total += count as u64,
        }
    }
    let status = child.wait()?;
    let nanoseconds = begun.elapsed().as_nanos();
    if !status.success() {
        return Err(io::ErrorKind::Other.into());
    }
    Ok(Taken { nanoseconds, bytes: total })
}
