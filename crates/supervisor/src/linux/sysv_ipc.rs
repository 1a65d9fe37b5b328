//! The memory, semaphores and message queues of System V, which processes share by a key. They belong to an IPC namespace and
//! outlive the process that made them.

use std::ffi::c_int;

// glibc's headers define these numbers only with its extensions, and libc does not have them for every target.
const SHM_INFO: c_int = 14;
const SEM_INFO: c_int = 19;
const MSG_INFO: c_int = 12;

/// A buffer with room for the largest of the three answers.
#[repr(C, align(8))]
#[derive(Default)]
struct IpcAnswer {
    numbers: [c_int; 32],
}

/// For each of the three, the index of the number in the answer that counts the objects in use: `used_ids`, `semusz` and
/// `msgpool`.
const QUERIES: [(libc::c_long, c_int, usize); 3] = [
    (libc::SYS_shmctl, SHM_INFO, 0),
    (libc::SYS_semctl, SEM_INFO, 7),
    (libc::SYS_msgctl, MSG_INFO, 0),
];

/// Whether the IPC namespace of this process holds no such object. A kernel without System V IPC has none.
pub(crate) fn is_empty() -> bool {
    QUERIES.into_iter().all(|(call, info, index)| {
        let mut answer = IpcAnswer::default();
        let place = &raw mut answer;
        let done = if call == libc::SYS_semctl {
            // SAFETY: the kernel writes less than the answer has room for.
            unsafe { libc::syscall(call, 0, 0, info, place) }
        } else {
            // SAFETY: likewise.
            unsafe { libc::syscall(call, 0, info, place) }
        };
        done < 0 || answer.numbers[index] == 0
    })
}
