//! The filter of system calls: what acts on other processes or on the machine, what reaches the
//! network, and what runs a file that nobody could have judged.
//!
//! It names what is refused; everything else passes. Arguments are looked at only where they are plain
//! numbers, since what a pointer leads to can change after the look.

use std::io;

/// A refusal that programs understand as "you may not".
const NOT_PERMITTED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned();
/// A refusal that programs understand as "this kernel has no such call"; they do without.
const NO_SUCH_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned();
const NO_SUCH_FAMILY: u32 = libc::SECCOMP_RET_ERRNO | libc::EAFNOSUPPORT.cast_unsigned();

/// Numbers from here on are calls of the x32 ABI.
#[cfg(target_arch = "x86_64")]
const FOREIGN_CALLS: u32 = 0x4000_0000;
#[cfg(not(target_arch = "x86_64"))]
const FOREIGN_CALLS: u32 = u32::MAX;
#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCHITECTURE: u32 = 0;

const OFFSET_NUMBER: u32 = 0;
const OFFSET_ARCHITECTURE: u32 = 4;
const OFFSET_ARGUMENTS: u32 = 16;
/// The type of a socket without its flags.
const SOCKET_TYPE: u32 = 0xf;
/// Whom `setpriority` and `ioprio_set` are about: all processes of a user.
const PRIORITY_OF_USER: u32 = 2;
const IO_PRIORITY_OF_USER: u32 = 3;

/// What is refused for every command: calls that act on the machine. Root lost the capabilities they
/// need, and this holds where a program gets some back within a namespace of its own.
const ON_THE_MACHINE: &[libc::c_long] = &[
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
];

/// Calls whose first argument names a process or a thread: only 0, the caller, passes.
const ON_A_PROCESS: &[libc::c_long] = &[
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
];

/// Calls that connect with somebody, or let somebody connect.
const TO_OTHERS: &[libc::c_long] =
    &[libc::SYS_connect, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4];

/// Calls that do in the background what others are refused for.
const IN_THE_BACKGROUND: &[libc::c_long] =
    &[libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// Files that exist in memory only: no rule about places holds for them.
const IN_MEMORY: &[libc::c_long] = &[libc::SYS_memfd_create, libc::SYS_memfd_secret];

/// What is filtered beside what always is.
#[derive(Clone, Copy)]
pub(crate) struct Filter {
    /// Whether the network is out of reach.
    pub(crate) no_network: bool,
    /// Whether only files at their places may be executed.
    pub(crate) no_memory_files: bool,
}

impl Filter {
    /// Installs it for this process and all it starts, for good.
    pub(crate) fn install(self) -> io::Result<()> {
        let program = self.program();
        let length = u16::try_from(program.len()).map_err(|_| io::ErrorKind::InvalidData)?;
        let program = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
        // SAFETY: the program is valid for the call, which copies it.
        let done = unsafe {
            libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                &raw const program,
            )
        };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    fn program(self) -> Vec<libc::sock_filter> {
        let mut program = Program::default();
        program.check_architecture();
        program.refuse(ON_THE_MACHINE, NOT_PERMITTED);
        program.only_own(ON_A_PROCESS);
        program.limits_of_others();
        program.priorities_of_others(libc::SYS_setpriority, PRIORITY_OF_USER);
        program.priorities_of_others(libc::SYS_ioprio_set, IO_PRIORITY_OF_USER);
        program.typing_for_others();
        program.namespaces_of_users();
        if self.no_memory_files {
            program.refuse(IN_MEMORY, NOT_PERMITTED);
        }
        if self.no_network {
            program.refuse(IN_THE_BACKGROUND, NO_SUCH_CALL);
            program.refuse(TO_OTHERS, NOT_PERMITTED);
            program.only_names_of_netlink();
            program.only_pipes_of_sockets();
        }
        program.give(libc::SECCOMP_RET_ALLOW);
        program.instructions
    }
}

/// Codes of classic BPF have 16 bits.
const fn low_half(code: u32) -> u16 {
    let [low, high, ..] = code.to_le_bytes();
    u16::from_le_bytes([low, high])
}

/// Requests of `ioctl` have 32 bits.
const fn low_word(request: libc::c_ulong) -> u32 {
    let [a, b, c, d, ..] = request.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Numbers of system calls are small and positive.
const fn number(call: libc::c_long) -> u32 {
    low_word(call.cast_unsigned())
}

/// A filter program that is being written. Every block ends with an answer or falls through with the
/// call's number loaded again.
#[derive(Default)]
struct Program {
    instructions: Vec<libc::sock_filter>,
}

impl Program {
    fn add(&mut self, code: u32, k: u32, on_true: u8, on_false: u8) {
        let code = low_half(code);
        self.instructions.push(libc::sock_filter { code, jt: on_true, jf: on_false, k });
    }

    fn load(&mut self, offset: u32) {
        self.add(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0);
    }

    /// The low half of an argument: all that are looked at are 32 bits wide.
    fn load_argument(&mut self, index: u32) {
        self.load(OFFSET_ARGUMENTS + 8 * index);
    }

    fn jump(&mut self, test: u32, value: u32, on_true: u8, on_false: u8) {
        self.add(libc::BPF_JMP | test | libc::BPF_K, value, on_true, on_false);
    }

    fn give(&mut self, answer: u32) {
        self.add(libc::BPF_RET | libc::BPF_K, answer, 0, 0);
    }

    /// Skips `count` instructions unless this call was made.
    fn unless(&mut self, call: libc::c_long, count: u8) {
        self.jump(libc::BPF_JEQ, number(call), 0, count);
    }

    /// Other ABIs number their calls in another way: nothing below would hold for them.
    fn check_architecture(&mut self) {
        self.load(OFFSET_ARCHITECTURE);
        self.jump(libc::BPF_JEQ, ARCHITECTURE, 1, 0);
        self.give(NO_SUCH_CALL);
        self.load(OFFSET_NUMBER);
        self.jump(libc::BPF_JGE, FOREIGN_CALLS, 0, 1);
        self.give(NO_SUCH_CALL);
    }

    fn refuse(&mut self, calls: &[libc::c_long], answer: u32) {
        for &call in calls {
            self.unless(call, 1);
            self.give(answer);
        }
    }

    fn only_own(&mut self, calls: &[libc::c_long]) {
        for &call in calls {
            self.unless(call, 4);
            self.load_argument(0);
            self.jump(libc::BPF_JEQ, 0, 1, 0);
            self.give(NOT_PERMITTED);
            self.load(OFFSET_NUMBER);
        }
    }

    /// `prlimit` of a process by number may read, and not set: a null pointer sets nothing.
    fn limits_of_others(&mut self) {
        self.unless(libc::SYS_prlimit64, 8);
        self.load_argument(0);
        self.jump(libc::BPF_JEQ, 0, 5, 0);
        self.load_argument(2);
        self.jump(libc::BPF_JEQ, 0, 0, 2);
        self.load(OFFSET_ARGUMENTS + 8 * 2 + 4);
        self.jump(libc::BPF_JEQ, 0, 1, 0);
        self.give(NOT_PERMITTED);
        self.load(OFFSET_NUMBER);
    }

    /// Only the caller and its own group, by 0.
    fn priorities_of_others(&mut self, call: libc::c_long, of_user: u32) {
        self.unless(call, 6);
        self.load_argument(0);
        self.jump(libc::BPF_JEQ, of_user, 2, 0);
        self.load_argument(1);
        self.jump(libc::BPF_JEQ, 0, 1, 0);
        self.give(NOT_PERMITTED);
        self.load(OFFSET_NUMBER);
    }

    /// A terminal takes what these say as if somebody had typed it.
    fn typing_for_others(&mut self) {
        self.unless(libc::SYS_ioctl, 5);
        self.load_argument(1);
        self.jump(libc::BPF_JEQ, low_word(libc::TIOCSTI), 1, 0);
        self.jump(libc::BPF_JEQ, low_word(libc::TIOCLINUX), 0, 1);
        self.give(NOT_PERMITTED);
        self.load(OFFSET_NUMBER);
    }

    /// They are few for each user, and a view of a later worker needs one. `clone3` has its flags behind a
    /// pointer; whoever knows it knows `clone` as well.
    fn namespaces_of_users(&mut self) {
        for call in [libc::SYS_unshare, libc::SYS_clone] {
            self.unless(call, 4);
            self.load_argument(0);
            self.jump(libc::BPF_JSET, libc::CLONE_NEWUSER.cast_unsigned(), 0, 1);
            self.give(NOT_PERMITTED);
            self.load(OFFSET_NUMBER);
        }
        self.refuse(&[libc::SYS_clone3], NO_SUCH_CALL);
    }

    /// Whoever asks the kernel about network interfaces binds a socket to the address of netlink. A
    /// name that others could find has the same length at best, and nobody listens at it.
    fn only_names_of_netlink(&mut self) {
        const ADDRESS_BYTES: u32 = 12;
        const _: () = assert!(size_of::<libc::sockaddr_nl>() == ADDRESS_BYTES as usize);
        self.unless(libc::SYS_bind, 4);
        self.load_argument(2);
        self.jump(libc::BPF_JEQ, ADDRESS_BYTES, 1, 0);
        self.give(NOT_PERMITTED);
        self.load(OFFSET_NUMBER);
    }

    /// Pairs of sockets within the run, and the kernel's word about network interfaces. Datagrams can be sent to a name without a connection, so there are none.
    fn only_pipes_of_sockets(&mut self) {
        const UNIX: u32 = libc::AF_UNIX.cast_unsigned();
        const NETLINK: u32 = libc::AF_NETLINK.cast_unsigned();
        for call in [libc::SYS_socket, libc::SYS_socketpair] {
            self.unless(call, 12);
            self.load_argument(0);
            self.jump(libc::BPF_JEQ, UNIX, 4, 0);
            // Not a pipe: the interfaces (protocol 0 of netlink) or nothing.
            self.jump(libc::BPF_JEQ, NETLINK, 0, 2);
            self.load_argument(2);
            self.jump(libc::BPF_JEQ, 0, 6, 0);
            self.give(NO_SUCH_FAMILY);
            self.load_argument(1);
            self.add(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, SOCKET_TYPE, 0, 0);
            self.jump(libc::BPF_JEQ, libc::SOCK_STREAM.cast_unsigned(), 2, 0);
            self.jump(libc::BPF_JEQ, libc::SOCK_SEQPACKET.cast_unsigned(), 1, 0);
            self.give(NO_SUCH_FAMILY);
            self.load(OFFSET_NUMBER);
        }
    }
}
