//! What processes share by a key: memory, semaphores and message queues of System V. They belong to a
//! namespace, and outlive whoever made them.

use std::ffi::c_int;

// Numbers that glibc's headers give only with its extensions, and libc not for every target.
const SHM_INFO: c_int = 14;
const SEM_INFO: c_int = 19;
const MSG_INFO: c_int = 12;

/// Room for the largest of the answers.
#[repr(C, align(8))]
#[derive(Default)]
struct Answer {
    numbers: [c_int; 32],
}

/// Where an answer says how many there are: `used_ids`, `semusz` and `msgpool`.
const KINDS: [(libc::c_long, c_int, usize); 3] = [
    (libc::SYS_shmctl, SHM_INFO, 0),
    (libc::SYS_semctl, SEM_INFO, 7),
    (libc::SYS_msgctl, MSG_INFO, 0),
];

/// Whether nothing of the kind is in the namespace of this process. Kernels without it have none.
pub(crate) fn are_none() -> bool {
    KINDS.into_iter().all(|(call, info, index)| {
        let mut answer = Answer::default();
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
