//! The filter of system calls. It refuses calls that act on other processes or on the machine, that connect to the network, or
//! that run a file which nobody could have judged.
//!
//! The filter lists what is refused, and everything else passes. It reads only arguments that are plain numbers, because the
//! memory behind a pointer can change after the filter has read it.

use std::io;
use std::os::fd::OwnedFd;

use super::syscall::{check, owned_fd};

/// A refusal that programs understand as "permission denied".
const NOT_PERMITTED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned();
/// A refusal that programs understand as "this kernel has no such call", so that they use another.
const NO_SUCH_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned();
const NO_SUCH_SOCKET_FAMILY: u32 = libc::SECCOMP_RET_ERRNO | libc::EAFNOSUPPORT.cast_unsigned();

/// Calls from this number on belong to the x32 ABI.
#[cfg(target_arch = "x86_64")]
const FIRST_X32_CALL: u32 = 0x4000_0000;
#[cfg(not(target_arch = "x86_64"))]
const FIRST_X32_CALL: u32 = u32::MAX;
#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCHITECTURE: u32 = 0;

const CALL_NUMBER_OFFSET: u32 = 0;
const ARCHITECTURE_OFFSET: u32 = 4;
const ARGUMENTS_OFFSET: u32 = 16;
/// The type of a socket without its flags.
const SOCKET_TYPE_BITS: u32 = 0xf;
/// The first argument of `setpriority` and of `ioprio_set` that means all processes of a user.
const PRIORITY_OF_USER: u32 = 2;
const IO_PRIORITY_OF_USER: u32 = 3;

/// Calls that act on the machine, which are refused for every command. Commands of root lack the capabilities that most of
/// them need, but a program can get some back inside a namespace of its own.
const MACHINE_CALLS: &[libc::c_long] = &[
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

/// Calls whose first argument is a process or a thread. Only 0, which means the caller, passes.
const PROCESS_CALLS: &[libc::c_long] = &[
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
];

/// Calls that connect to another process, or that let another process connect.
const CONNECTION_CALLS: &[libc::c_long] =
    &[libc::SYS_connect, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4];

/// Calls of `io_uring`, which would perform in the background what other calls are refused for.
const IO_URING_CALLS: &[libc::c_long] =
    &[libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// Calls that make files in memory, to which no rule about paths applies.
const MEMORY_FILE_CALLS: &[libc::c_long] = &[libc::SYS_memfd_create, libc::SYS_memfd_secret];

/// Calls that execute a program.
const PROGRAM_CALLS: &[libc::c_long] = &[libc::SYS_execve, libc::SYS_execveat];

/// Calls that give an entry another name.
const RENAME_CALLS: &[libc::c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_renameat2,
];

/// Whether a reported call executes a program.
pub(crate) fn is_program_call(call: libc::c_int) -> bool {
    PROGRAM_CALLS.contains(&call.into())
}

/// Whether a reported call gives an entry another name.
pub(crate) fn is_rename_call(call: libc::c_int) -> bool {
    RENAME_CALLS.contains(&call.into())
}

/// The flags of a filter that reports calls, the better ones first.
const REPORTING_FLAGS: [libc::c_ulong; 2] = [
    libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW
        | libc::SECCOMP_FILTER_FLAG_NEW_LISTENER
        | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
    libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW | libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
];

/// The sockets that commands may make.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AllowedSockets {
    /// Pairs within the run. The network is out of reach.
    Pairs,
    /// Those whose network namespace decides what they reach, and those of files.
    OfNamespace,
    /// All.
    All,
}

/// Which calls of commands may be filtered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filtering {
    Nothing,
    Calls,
    /// Those, and renames, which a layer needs help with.
    CallsAndRenames,
}

impl Filtering {
    pub(crate) fn new(filters: bool, in_layer: bool) -> Filtering {
        match (filters, in_layer) {
            (false, _) => Filtering::Nothing,
            (true, false) => Filtering::Calls,
            (true, true) => Filtering::CallsAndRenames,
        }
    }
}

/// The optional parts of the filter.
#[derive(Clone, Copy)]
pub(crate) struct Filter {
    /// Which sockets commands may make.
    pub(crate) sockets: AllowedSockets,
    /// Whether files in memory are forbidden, because only certain paths may be executed.
    pub(crate) no_memory_files: bool,
    /// Whether this process is to be told of each program that is executed, before that happens.
    pub(crate) reports_programs: bool,
    /// Whether this process is to be told of each rename before it happens.
    pub(crate) reports_renames: bool,
}

impl Filter {
    /// Installs the filter for this process and everything it starts, for good. Returns the descriptor that calls are
    /// reported by. A kernel that reports none, or reports to somebody else already, installs the rest.
    pub(crate) fn install(self) -> io::Result<Option<OwnedFd>> {
        // Before Linux 5.19 a signal interrupts the call that is being reported.
        for flags in
            REPORTING_FLAGS.into_iter().filter(|_| self.reports_programs || self.reports_renames)
        {
            if let Ok(listener) = install(&self.program(), flags).and_then(owned_fd) {
                return Ok(Some(listener));
            }
        }
        let program = Filter { reports_programs: false, reports_renames: false, ..self }.program();
        check(install(&program, libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW)?)?;
        Ok(None)
    }

    fn program(self) -> Vec<libc::sock_filter> {
        let mut program = FilterProgram::default();
        program.check_architecture();
        program.refuse(MACHINE_CALLS, NOT_PERMITTED);
        program.allow_own_only(PROCESS_CALLS);
        program.refuse_limits_of_others();
        program.refuse_priorities_of_others(libc::SYS_setpriority, PRIORITY_OF_USER);
        program.refuse_priorities_of_others(libc::SYS_ioprio_set, IO_PRIORITY_OF_USER);
        program.refuse_terminal_input();
        program.refuse_user_namespaces();
        if self.no_memory_files {
            program.refuse(MEMORY_FILE_CALLS, NOT_PERMITTED);
        }
        if self.sockets != AllowedSockets::All {
            program.refuse(IO_URING_CALLS, NO_SUCH_CALL);
        }
        if self.sockets == AllowedSockets::Pairs {
            program.refuse(CONNECTION_CALLS, NOT_PERMITTED);
            program.allow_netlink_bind_only();
            program.allow_socket_pairs_only();
        }
        if self.sockets == AllowedSockets::OfNamespace {
            program.allow_namespace_sockets_only();
        }
        if self.reports_programs {
            program.refuse(PROGRAM_CALLS, libc::SECCOMP_RET_USER_NOTIF);
        }
        if self.reports_renames {
            program.refuse(RENAME_CALLS, libc::SECCOMP_RET_USER_NOTIF);
            program.report_own_walls();
        }
        program.answer(libc::SECCOMP_RET_ALLOW);
        program.instructions
    }
}

/// Installs a filter, and returns what the kernel did.
fn install(program: &[libc::sock_filter], flags: libc::c_ulong) -> io::Result<libc::c_long> {
    let length = u16::try_from(program.len()).map_err(|_| io::ErrorKind::InvalidData)?;
    let program = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
    // SAFETY: the program is valid for the call, which copies it.
    Ok(unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program)
    })
}

/// The low 16 bits of a code: codes of classic BPF have no more.
const fn low_half(code: u32) -> u16 {
    let [low, high, ..] = code.to_le_bytes();
    u16::from_le_bytes([low, high])
}

/// The low 32 bits of a request of `ioctl`, which has no more.
const fn low_word(request: libc::c_ulong) -> u32 {
    let [a, b, c, d, ..] = request.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// The number of a system call, which is small and positive.
const fn number(call: libc::c_long) -> u32 {
    low_word(call.cast_unsigned())
}

/// A filter program that is being built. Every block either ends with an answer or leaves the number of the call loaded for the
/// next block.
#[derive(Default)]
struct FilterProgram {
    instructions: Vec<libc::sock_filter>,
}

impl FilterProgram {
    fn add(&mut self, code: u32, k: u32, on_true: u8, on_false: u8) {
        let code = low_half(code);
        self.instructions.push(libc::sock_filter { code, jt: on_true, jf: on_false, k });
    }

    fn load(&mut self, offset: u32) {
        self.add(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0);
    }

    /// Loads the low half of an argument. Every argument that is read here has 32 bits.
    fn load_argument(&mut self, index: u32) {
        self.load(ARGUMENTS_OFFSET + 8 * index);
    }

    fn jump(&mut self, test: u32, value: u32, on_true: u8, on_false: u8) {
        self.add(libc::BPF_JMP | test | libc::BPF_K, value, on_true, on_false);
    }

    fn answer(&mut self, answer: u32) {
        self.add(libc::BPF_RET | libc::BPF_K, answer, 0, 0);
    }

    /// Skips the next `count` instructions unless the call is this one.
    fn skip_unless(&mut self, call: libc::c_long, count: u8) {
        self.jump(libc::BPF_JEQ, number(call), 0, count);
    }

    /// Refuses every call of another ABI: other ABIs have other numbers for calls, so the rest of the filter would not apply.
    fn check_architecture(&mut self) {
        self.load(ARCHITECTURE_OFFSET);
        self.jump(libc::BPF_JEQ, ARCHITECTURE, 1, 0);
        self.answer(NO_SUCH_CALL);
        self.load(CALL_NUMBER_OFFSET);
        self.jump(libc::BPF_JGE, FIRST_X32_CALL, 0, 1);
        self.answer(NO_SUCH_CALL);
    }

    fn refuse(&mut self, calls: &[libc::c_long], answer: u32) {
        for &call in calls {
            self.skip_unless(call, 1);
            self.answer(answer);
        }
    }

    /// Reports the call by which a process begins to confine itself, so that nobody else makes its calls under the same rules.
    /// With flags the call only asks for what the kernel knows.
    fn report_own_walls(&mut self) {
        self.skip_unless(libc::SYS_landlock_create_ruleset, 4);
        self.load_argument(2);
        self.jump(libc::BPF_JEQ, 0, 0, 1);
        self.answer(libc::SECCOMP_RET_USER_NOTIF);
        self.load(CALL_NUMBER_OFFSET);
    }

    fn allow_own_only(&mut self, calls: &[libc::c_long]) {
        for &call in calls {
            self.skip_unless(call, 4);
            self.load_argument(0);
            self.jump(libc::BPF_JEQ, 0, 1, 0);
            self.answer(NOT_PERMITTED);
            self.load(CALL_NUMBER_OFFSET);
        }
    }

    /// Lets `prlimit` read the limits of other processes and not set them. A null pointer for the new limit sets nothing.
    fn refuse_limits_of_others(&mut self) {
        self.skip_unless(libc::SYS_prlimit64, 8);
        self.load_argument(0);
        self.jump(libc::BPF_JEQ, 0, 5, 0);
        self.load_argument(2);
        self.jump(libc::BPF_JEQ, 0, 0, 2);
        self.load(ARGUMENTS_OFFSET + 8 * 2 + 4);
        self.jump(libc::BPF_JEQ, 0, 1, 0);
        self.answer(NOT_PERMITTED);
        self.load(CALL_NUMBER_OFFSET);
    }

    /// Lets a process set the priority only of itself and of its own group, which 0 stands for.
    fn refuse_priorities_of_others(&mut self, call: libc::c_long, of_user: u32) {
        self.skip_unless(call, 6);
        self.load_argument(0);
        self.jump(libc::BPF_JEQ, of_user, 2, 0);
        self.load_argument(1);
        self.jump(libc::BPF_JEQ, 0, 1, 0);
        self.answer(NOT_PERMITTED);
        self.load(CALL_NUMBER_OFFSET);
    }

    /// Refuses the requests that insert text into the input of a terminal as if somebody had typed it.
    fn refuse_terminal_input(&mut self) {
        self.skip_unless(libc::SYS_ioctl, 5);
        self.load_argument(1);
        self.jump(libc::BPF_JEQ, low_word(libc::TIOCSTI), 1, 0);
        self.jump(libc::BPF_JEQ, low_word(libc::TIOCLINUX), 0, 1);
        self.answer(NOT_PERMITTED);
        self.load(CALL_NUMBER_OFFSET);
    }

    /// Refuses new user namespaces: each user may have only a few, and the view of a later worker needs one. The filter cannot
    /// read the flags of `clone3`, so that is refused, and programs use `clone`.
    fn refuse_user_namespaces(&mut self) {
        for call in [libc::SYS_unshare, libc::SYS_clone] {
            self.skip_unless(call, 4);
            self.load_argument(0);
            self.jump(libc::BPF_JSET, libc::CLONE_NEWUSER.cast_unsigned(), 0, 1);
            self.answer(NOT_PERMITTED);
            self.load(CALL_NUMBER_OFFSET);
        }
        self.refuse(&[libc::SYS_clone3], NO_SUCH_CALL);
    }

    /// Lets a socket be bound only to an address of netlink's length, as programs that ask the kernel about network interfaces
    /// do. Another socket could get a name of that length, but nobody can listen on it.
    fn allow_netlink_bind_only(&mut self) {
        const ADDRESS_BYTES: u32 = 12;
        const _: () = assert!(size_of::<libc::sockaddr_nl>() == ADDRESS_BYTES as usize);
        self.skip_unless(libc::SYS_bind, 4);
        self.load_argument(2);
        self.jump(libc::BPF_JEQ, ADDRESS_BYTES, 1, 0);
        self.answer(NOT_PERMITTED);
        self.load(CALL_NUMBER_OFFSET);
    }

    /// Lets programs make Unix stream sockets, which serve as pairs inside a run, and netlink sockets for questions about network
    /// interfaces. Datagram sockets are refused because they can send to a name without a connection.
    fn allow_socket_pairs_only(&mut self) {
        const UNIX_FAMILY: u32 = libc::AF_UNIX.cast_unsigned();
        const NETLINK_FAMILY: u32 = libc::AF_NETLINK.cast_unsigned();
        for call in [libc::SYS_socket, libc::SYS_socketpair] {
            self.skip_unless(call, 12);
            self.load_argument(0);
            self.jump(libc::BPF_JEQ, UNIX_FAMILY, 4, 0);
            // The family is not Unix: only protocol 0 of netlink passes, which answers about interfaces.
            self.jump(libc::BPF_JEQ, NETLINK_FAMILY, 0, 2);
            self.load_argument(2);
            self.jump(libc::BPF_JEQ, 0, 6, 0);
            self.answer(NO_SUCH_SOCKET_FAMILY);
            self.load_argument(1);
            self.add(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, SOCKET_TYPE_BITS, 0, 0);
            self.jump(libc::BPF_JEQ, libc::SOCK_STREAM.cast_unsigned(), 2, 0);
            self.jump(libc::BPF_JEQ, libc::SOCK_SEQPACKET.cast_unsigned(), 1, 0);
            self.answer(NO_SUCH_SOCKET_FAMILY);
            self.load(CALL_NUMBER_OFFSET);
        }
    }

    /// Lets programs make sockets of TCP and UDP, of Unix, and those netlink sockets that answer about network interfaces. Other
    /// families are not bound to a network namespace (`AF_VSOCK`) or are of no use on a loopback (raw sockets, Bluetooth).
    fn allow_namespace_sockets_only(&mut self) {
        let family = |family: libc::c_int| family.cast_unsigned();
        let protocol = |protocol: libc::c_int| protocol.cast_unsigned();
        for call in [libc::SYS_socket, libc::SYS_socketpair] {
            self.skip_unless(call, 18);
            self.load_argument(0);
            self.jump(libc::BPF_JEQ, family(libc::AF_UNIX), 15, 0);
            self.jump(libc::BPF_JEQ, family(libc::AF_NETLINK), 2, 0);
            self.jump(libc::BPF_JEQ, family(libc::AF_INET), 3, 0);
            self.jump(libc::BPF_JEQ, family(libc::AF_INET6), 2, 11);
            // Netlink: only protocol 0 passes, which answers about interfaces.
            self.load_argument(2);
            self.jump(libc::BPF_JEQ, 0, 10, 9);
            // TCP and UDP, by the type of the socket and its protocol.
            self.load_argument(1);
            self.add(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, SOCKET_TYPE_BITS, 0, 0);
            self.jump(libc::BPF_JEQ, libc::SOCK_STREAM.cast_unsigned(), 1, 0);
            self.jump(libc::BPF_JEQ, libc::SOCK_DGRAM.cast_unsigned(), 0, 5);
            self.load_argument(2);
            self.jump(libc::BPF_JEQ, 0, 4, 0);
            self.jump(libc::BPF_JEQ, protocol(libc::IPPROTO_TCP), 3, 0);
            self.jump(libc::BPF_JEQ, protocol(libc::IPPROTO_UDP), 2, 0);
            self.jump(libc::BPF_JEQ, protocol(libc::IPPROTO_MPTCP), 1, 0);
            self.answer(NO_SUCH_SOCKET_FAMILY);
            self.load(CALL_NUMBER_OFFSET);
        }
    }
}
