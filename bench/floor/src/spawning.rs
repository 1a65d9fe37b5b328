//! One program from start to end: `posix_spawn` and `waitpid`, no pipes, an empty environment.

use std::ffi::CString;
use std::io;
use std::time::Instant;

use crate::Taken;

pub(crate) fn spawn(program: &str) -> io::Result<Taken> {
    let program = CString::new(program)?;
    let arguments = [program.as_ptr().cast_mut(), std::ptr::null_mut()];
    let environment = [std::ptr::null_mut()];
    let mut pid = 0;
    let mut status = 0;
    let begun = Instant::now();
    // SAFETY: the strings outlive the call and both lists end with a null pointer.
    let error = unsafe {
        libc::posix_spawn(
            &raw mut pid,
            program.as_ptr(),
            std::ptr::null(),
            std::ptr::null(),
            arguments.as_ptr(),
            environment.as_ptr(),
        )
    };
    if error != 0 {
        return Err(io::Error::from_raw_os_error(error));
    }
    // SAFETY: the status pointer is valid for the call.
    if unsafe { libc::waitpid(pid, &raw mut status, 0) } != pid {
        return Err(io::Error::last_os_error());
    }
    let nanoseconds = begun.elapsed().as_nanos();
    if status != 0 {
        return Err(io::ErrorKind::Other.into());
    }
    Ok(Taken { nanoseconds, bytes: 0 })
}
