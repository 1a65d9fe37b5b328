//! The system call in which a thread is blocked, as `/proc/PID/task/TID/syscall` shows it: which descriptors can wake the
//! thread, and whether the wait has a time limit.

use std::fs;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::time::{ClockId, clock_gettime};

/// Most descriptors that are examined of a set that a thread polls.
const MAX_POLLED_DESCRIPTORS: usize = 64;
/// The size of a `pollfd`: the descriptor, the requested events and the returned events.
const POLLFD_BYTES: usize = 8;
/// Longer than the line of a call: a number of 20 digits, and eight of 18.
pub(crate) const MAX_LINE_BYTES: usize = 256;
/// The size of a time: seconds and nanoseconds.
const TIMESPEC_BYTES: usize = 16;
/// The argument with the time of `clock_nanosleep`, whose second argument says whether it is one of the clock.
const CLOCK_ARGUMENT: usize = 2;
/// The event that a descriptor can be read.
const POLL_IN: u16 = 1;
/// The part of the operation of a `futex` call that is no flag.
const FUTEX_COMMAND: u64 = 0x7f;
/// The flag of a `futex` call whose time is one of the clock on the wall.
const FUTEX_REALTIME: u64 = 0x100;
/// The place of an argument that there is not.
const NO_ARGUMENT: usize = 6;
/// The operations of `futex` that wait: `WAIT`, `LOCK_PI`, `WAIT_BITSET`, `WAIT_REQUEUE_PI`, `LOCK_PI2`.
const FUTEX_WAITS: &[u64] = &[0, 6, 9, 11, 13];

/// A system call that waits, with the indices of the arguments that say how long.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitingCall {
    /// For one descriptor, which is the first argument.
    Descriptor,
    /// `poll`, with milliseconds.
    Poll,
    /// `ppoll`, with a pointer to a time.
    PollAt,
    /// `select`, with a pointer to a time.
    Select,
    /// `epoll_wait`, with milliseconds.
    Epoll,
    /// `epoll_pwait2`, with a pointer to a time.
    EpollAt,
    Futex,
    /// A sleep, with a pointer to a time in this argument, and a call that was interrupted and goes on with its old time
    /// limit.
    Sleep(usize),
    /// Another call with a pointer to a time in this argument.
    Limited(usize),
}

/// The numbers of these calls on this processor. A call that is not in the table waits without a time limit.
#[cfg(target_arch = "x86_64")]
const CALL_NUMBERS: &[(i64, WaitingCall)] = &[
    (0, WaitingCall::Descriptor),
    (19, WaitingCall::Descriptor),
    (43, WaitingCall::Descriptor),
    (45, WaitingCall::Descriptor),
    (47, WaitingCall::Descriptor),
    (288, WaitingCall::Descriptor),
    (7, WaitingCall::Poll),
    (271, WaitingCall::PollAt),
    (23, WaitingCall::Select),
    (270, WaitingCall::Select),
    (232, WaitingCall::Epoll),
    (281, WaitingCall::Epoll),
    (441, WaitingCall::EpollAt),
    (202, WaitingCall::Futex),
    (35, WaitingCall::Sleep(0)),
    (219, WaitingCall::Sleep(NO_ARGUMENT)),
    (230, WaitingCall::Sleep(2)),
    (128, WaitingCall::Limited(2)),
    (208, WaitingCall::Limited(4)),
    (220, WaitingCall::Limited(3)),
    (242, WaitingCall::Limited(4)),
    (243, WaitingCall::Limited(4)),
    (299, WaitingCall::Limited(4)),
    (333, WaitingCall::Limited(4)),
    (449, WaitingCall::Limited(3)),
    (455, WaitingCall::Limited(4)),
];

#[cfg(target_arch = "aarch64")]
const CALL_NUMBERS: &[(i64, WaitingCall)] = &[
    (63, WaitingCall::Descriptor),
    (65, WaitingCall::Descriptor),
    (202, WaitingCall::Descriptor),
    (207, WaitingCall::Descriptor),
    (212, WaitingCall::Descriptor),
    (242, WaitingCall::Descriptor),
    (73, WaitingCall::PollAt),
    (72, WaitingCall::Select),
    (22, WaitingCall::Epoll),
    (441, WaitingCall::EpollAt),
    (98, WaitingCall::Futex),
    (101, WaitingCall::Sleep(0)),
    (115, WaitingCall::Sleep(2)),
    (128, WaitingCall::Sleep(NO_ARGUMENT)),
    (4, WaitingCall::Limited(4)),
    (137, WaitingCall::Limited(2)),
    (182, WaitingCall::Limited(4)),
    (183, WaitingCall::Limited(4)),
    (192, WaitingCall::Limited(3)),
    (243, WaitingCall::Limited(4)),
    (292, WaitingCall::Limited(4)),
    (449, WaitingCall::Limited(3)),
    (455, WaitingCall::Limited(4)),
];

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const CALL_NUMBERS: &[(i64, WaitingCall)] = &[];

/// `io_uring_enter`, the same on all processors: what it waits for cannot be read.
const IO_URING_ENTER: i64 = 426;

/// Whether calls are recognised on this processor. Where they are not, a read ends when the program is quiet.
pub(crate) const ARE_KNOWN: bool = !CALL_NUMBERS.is_empty();

/// What a thread does.
#[derive(PartialEq, Eq)]
pub(crate) enum ThreadCall {
    /// The thread has ended.
    Gone,
    /// The kernel does not show the call, or what it waits for.
    Hidden,
    /// The thread runs, or is blocked outside of a call.
    Running,
    /// The thread is in this call.
    In(Call),
}

/// A call that waits.
#[derive(PartialEq, Eq)]
pub(crate) struct Call {
    pid: i32,
    kind: Option<WaitingCall>,
    arguments: [u64; 6],
}

/// What a wait can be ended by.
pub(crate) enum Source {
    /// One of these descriptors.
    Descriptors(Vec<u64>),
    /// No descriptor.
    Nothing,
    /// It cannot be read.
    Hidden,
}

/// How long a wait can last.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    None,
    /// The wait ends by itself.
    Time,
    /// The call is a sleep: nothing but the time is waited for.
    Sleep,
}

/// The call of a thread.
pub(crate) fn of(pid: i32, thread: i32) -> ThreadCall {
    let mut buffer = [0; MAX_LINE_BYTES];
    match read_line(&format!("/proc/{pid}/task/{thread}/syscall"), &mut buffer) {
        Ok(call) => parse(pid, call),
        Err(Errno::NOENT | Errno::SRCH) => ThreadCall::Gone,
        Err(_) => ThreadCall::Hidden,
    }
}

/// Reads a file of one line with as few calls as possible: a look at a program is made of such reads.
pub(crate) fn read_line<'a>(path: &str, buffer: &'a mut [u8]) -> Result<&'a str, Errno> {
    let file = rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let length = rustix::io::read(file, &mut *buffer)?;
    Ok(str::from_utf8(&buffer[..length]).unwrap_or_default())
}

/// The call in a line such as `35 0x7ffd… 0x0 … 0x7ffd… 0x7f2a…`: its number, six arguments, the stack and the code.
fn parse(pid: i32, call: &str) -> ThreadCall {
    let mut words = call.split_ascii_whitespace();
    let number = words.next().and_then(|word| word.parse::<i64>().ok());
    let number = match number {
        Some(IO_URING_ENTER) => return ThreadCall::Hidden,
        Some(number) if number >= 0 => number,
        _ => return ThreadCall::Running,
    };
    let mut arguments = [0; 6];
    let mut next = || {
        let word = words.next().unwrap_or_default();
        u64::from_str_radix(word.strip_prefix("0x").unwrap_or(word), 16).unwrap_or(0)
    };
    arguments.fill_with(&mut next);
    let stack = next();
    if u32::try_from(stack).is_ok() {
        // The number is one of a 32-bit program, whose calls have other numbers.
        return ThreadCall::Hidden;
    }
    let kind = CALL_NUMBERS.iter().find(|&&(known, _)| known == number).map(|&(_, kind)| kind);
    ThreadCall::In(Call { pid, kind, arguments })
}

impl Call {
    /// What can end the wait.
    pub(crate) fn source(&self) -> Source {
        let [first, second, ..] = self.arguments;
        let descriptors = match self.kind {
            Some(WaitingCall::Descriptor) => Some(vec![first]),
            Some(WaitingCall::Poll | WaitingCall::PollAt) => polled(self.pid, first, second),
            Some(WaitingCall::Select) => selected(self.pid, first, second),
            Some(WaitingCall::Epoll | WaitingCall::EpollAt) => watched(self.pid, first),
            _ => return Source::Nothing,
        };
        descriptors.map_or(Source::Hidden, Source::Descriptors)
    }

    /// How long the wait can last. `descriptors` is the number of descriptors that can end it.
    pub(crate) fn limit(&self, descriptors: usize) -> Limit {
        let [_, second, third, fourth, fifth, _] = self.arguments;
        // A negative number of milliseconds is no limit. The upper half of the register means nothing.
        let is_negative = |milliseconds: u64| milliseconds & 0x8000_0000 != 0;
        let limit = match self.kind {
            Some(WaitingCall::Sleep(_)) => return Limit::Sleep,
            Some(WaitingCall::Poll) => !is_negative(third),
            Some(WaitingCall::Epoll) => !is_negative(fourth),
            Some(WaitingCall::PollAt) => third != 0,
            Some(WaitingCall::EpollAt) => fourth != 0,
            Some(WaitingCall::Select) => fifth != 0,
            Some(WaitingCall::Futex) => {
                fourth != 0 && FUTEX_WAITS.contains(&(second & FUTEX_COMMAND))
            }
            Some(WaitingCall::Limited(argument)) => self.arguments[argument] != 0,
            Some(WaitingCall::Descriptor) | None => false,
        };
        let polls = matches!(
            self.kind,
            Some(
                WaitingCall::Poll
                    | WaitingCall::PollAt
                    | WaitingCall::Select
                    | WaitingCall::Epoll
                    | WaitingCall::EpollAt
            )
        );
        match limit {
            true if polls && descriptors == 0 => Limit::Sleep,
            true => Limit::Time,
            false => Limit::None,
        }
    }
}

impl Call {
    /// The time after which the wait ends by itself, where that can be read. Of a wait that has begun already it may be
    /// longer than what is left.
    pub(crate) fn pause(&self) -> Option<Duration> {
        let [first, second, third, fourth, fifth, _] = self.arguments;
        // The upper half of the register means nothing.
        let milliseconds = |count: u64| Some(Duration::from_millis(count & 0xffff_ffff));
        match self.kind? {
            WaitingCall::Poll => milliseconds(third),
            WaitingCall::Epoll => milliseconds(fourth),
            WaitingCall::PollAt => self.time(third),
            WaitingCall::EpollAt => self.time(fourth),
            WaitingCall::Select => self.time(fifth),
            WaitingCall::Limited(argument) => self.time(self.arguments[argument]),
            WaitingCall::Sleep(argument) => {
                let time = self.time(*self.arguments.get(argument)?)?;
                let is_absolute = argument == CLOCK_ARGUMENT && second & 1 == 1;
                if is_absolute { until(time, first == 0) } else { Some(time) }
            }
            WaitingCall::Futex => {
                let time = self.time(fourth)?;
                let is_absolute = second & FUTEX_COMMAND != 0;
                if is_absolute { until(time, second & FUTEX_REALTIME != 0) } else { Some(time) }
            }
            WaitingCall::Descriptor => None,
        }
    }

    /// The seconds and nanoseconds at an address.
    fn time(&self, address: u64) -> Option<Duration> {
        let bytes = memory(self.pid, address, TIMESPEC_BYTES)?;
        let word = |at: usize| Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        Some(Duration::new(word(0)?, u32::try_from(word(8)?).ok()?.min(999_999_999)))
    }
}

/// How long it is until a time of a clock.
fn until(time: Duration, is_realtime: bool) -> Option<Duration> {
    let clock = if is_realtime { ClockId::Realtime } else { ClockId::Monotonic };
    let now = clock_gettime(clock);
    Some(
        time.saturating_sub(Duration::new(
            now.tv_sec.try_into().ok()?,
            now.tv_nsec.try_into().ok()?,
        )),
    )
}

/// The descriptors of a `poll` call.
fn polled(pid: i32, address: u64, count: u64) -> Option<Vec<u64>> {
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(MAX_POLLED_DESCRIPTORS);
    let entries = memory(pid, address, count * POLLFD_BYTES)?;
    let entries = entries.chunks_exact(POLLFD_BYTES).filter_map(|entry| {
        let descriptor = i32::from_ne_bytes(entry[..4].try_into().ok()?);
        let asked = u16::from_ne_bytes(entry[4..6].try_into().ok()?);
        (asked & POLL_IN != 0).then(|| u64::try_from(descriptor).ok()).flatten()
    });
    Some(entries.collect())
}

/// The descriptors of a `select` call.
fn selected(pid: i32, count: u64, address: u64) -> Option<Vec<u64>> {
    if address == 0 {
        return Some(Vec::new());
    }
    let count = count.min(MAX_POLLED_DESCRIPTORS as u64);
    let bits = memory(pid, address, MAX_POLLED_DESCRIPTORS / 8)?;
    let is_set = |fd: &u64| {
        let byte = usize::try_from(fd / 8).ok().and_then(|index| bits.get(index));
        byte.is_some_and(|byte| byte >> (fd % 8) & 1 == 1)
    };
    Some((0..count).filter(is_set).collect())
}

/// The descriptors that an epoll descriptor watches for reading: the kernel lists each in a `tfd:` line.
fn watched(pid: i32, epoll: u64) -> Option<Vec<u64>> {
    let list = fs::read_to_string(format!("/proc/{pid}/fdinfo/{epoll}")).ok()?;
    let watched = list.lines().filter_map(|line| {
        let mut words = line.strip_prefix("tfd:")?.split_ascii_whitespace();
        let descriptor = words.next()?.parse().ok()?;
        let events = u32::from_str_radix(words.nth(1)?, 16).ok()?;
        (events & u32::from(POLL_IN) != 0).then_some(descriptor)
    });
    Some(watched.collect())
}

fn memory(pid: i32, address: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    fs::File::open(format!("/proc/{pid}/mem")).ok()?.read_exact_at(&mut bytes, address).ok()?;
    Some(bytes)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    fn limit(line: &str, descriptors: usize) -> Option<Limit> {
        match parse(0, line) {
            ThreadCall::In(call) => Some(call.limit(descriptors)),
            ThreadCall::Gone | ThreadCall::Hidden | ThreadCall::Running => None,
        }
    }

    #[test]
    fn the_time_limit_of_a_call_is_known() {
        let end = "0x7ffd5c0b2b08 0x7f4e1b2c3d4e";
        for (call, descriptors, expected) in [
            ("0 0x0 0x7f 0x400 0x0 0x0 0x0", 1, Limit::None),
            ("61 0xffffffff 0x7f 0x0 0x0 0x2 0x1", 0, Limit::None),
            ("230 0x0 0x0 0x7f 0x0 0x0 0x0", 0, Limit::Sleep),
            ("7 0x7f 0x1 0x1f4 0x0 0x0 0x0", 1, Limit::Time),
            ("7 0x7f 0x4 0xffffffff 0x7f 0x0 0x0", 4, Limit::None),
            ("7 0x7f 0x4 0xffffffffffffffff 0x7f 0x0 0x0", 4, Limit::None),
            ("7 0x0 0x0 0x1f4 0x0 0x0 0x0", 0, Limit::Sleep),
            ("271 0x7f 0x2 0x0 0x0 0x0 0x0", 2, Limit::None),
            ("271 0x7f 0x2 0x7f 0x0 0x0 0x0", 2, Limit::Time),
            ("23 0x0 0x0 0x0 0x0 0x7f 0x0", 0, Limit::Sleep),
            ("281 0xe 0x7f 0x400 0xffffffff 0x0 0x8", 3, Limit::None),
            ("281 0xe 0x7f 0x400 0x1ebc 0x0 0x8", 3, Limit::Time),
            ("202 0x7f 0x189 0x0 0x0 0x0 0xffffffff", 0, Limit::None),
            ("202 0x7f 0x189 0x0 0x7f 0x0 0xffffffff", 0, Limit::Time),
            // It wakes others, and its fourth argument is a number.
            ("202 0x7f 0x85 0x1 0x1 0x7f 0x4000001", 0, Limit::None),
        ] {
            assert!(limit(&format!("{call} {end}"), descriptors) == Some(expected), "{call}");
        }
    }

    #[test]
    fn the_time_after_which_a_call_ends_is_known() {
        let end = "0x7ffd5c0b2b08 0x7f4e1b2c3d4e";
        let pid = i32::try_from(std::process::id()).unwrap();
        let pause = |call: &str| match parse(pid, &format!("{call} {end}")) {
            ThreadCall::In(call) => call.pause(),
            ThreadCall::Gone | ThreadCall::Hidden | ThreadCall::Running => None,
        };
        let time = [1_u64, 500_000_000];
        let at = format!("{:#x}", time.as_ptr().addr());
        let half = Some(Duration::from_millis(1_500));
        assert_eq!(pause("7 0x7f 0x1 0x1f4 0x0 0x0 0x0"), Some(Duration::from_millis(500)));
        assert_eq!(pause("281 0xe 0x7f 0x400 0x5dc 0x0 0x8"), half);
        assert_eq!(pause(&format!("230 0x0 0x0 {at} 0x0 0x0 0x0")), half);
        assert_eq!(pause(&format!("35 {at} 0x0 0x0 0x0 0x0 0x0")), half);
        assert_eq!(pause(&format!("270 0x1 0x7f 0x0 0x0 {at} 0x0")), half);
        assert_eq!(pause(&format!("202 0x7f 0x80 0x0 {at} 0x0 0x0")), half);
        // The clock is past this time.
        assert_eq!(pause(&format!("202 0x7f 0x189 0x0 {at} 0x0 0x0")), Some(Duration::ZERO));
        assert_eq!(pause(&format!("230 0x1 0x1 {at} 0x0 0x0 0x0")), Some(Duration::ZERO));
        for call in [
            "219 0x0 0x0 0x0 0x0 0x0 0x0",
            "230 0x0 0x0 0x8 0x0 0x0 0x0",
            "0 0x0 0x0 0x0 0x0 0x0 0x0",
        ] {
            assert_eq!(pause(call), None, "{call}");
        }
        assert_eq!(time[0], 1);
    }

    #[test]
    fn what_cannot_be_known_is_no_call() {
        assert!(matches!(parse(0, "running\n"), ThreadCall::Running));
        assert!(matches!(parse(0, "-1 0x7ffd5c0b2b08 0x7f4e1b2c3d4e\n"), ThreadCall::Running));
        // `pause` of a 32-bit program, and `io_uring_enter`.
        let pause = "29 0x0 0x0 0x0 0x0 0x0 0x0 0xfff335c0 0x804805b\n";
        assert!(matches!(parse(0, pause), ThreadCall::Hidden));
        let ring = "426 0x4 0x0 0x1 0x1 0x0 0x8 0x7ffd5c0b2b08 0x7f4e1b2c3d4e\n";
        assert!(matches!(parse(0, ring), ThreadCall::Hidden));
    }
}
