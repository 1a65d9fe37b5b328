//! What the processes in the foreground of a terminal do, and whether one of them listens on a port.

use std::fs;
use std::time::Duration;

use handrail_pty::{Activity, MAX_OWN_PAUSE, Rest};
use handrail_supervisor::proc::{OWN_PROC, Stat};

use super::calls::{self, Limit, Source, ThreadCall};
use super::sockets::{self, Sockets};
use super::tree::{Tree, threads_of};

/// Most threads that one sample examines, of all processes together. With more, it is not known what they do.
const MAX_SAMPLED_THREADS: usize = 512;
/// Most descriptors of one process that are compared with listening sockets.
const MAX_DESCRIPTORS: usize = 4096;
/// The link of a descriptor that reports changes of files.
const INOTIFY: &str = "anon_inode:inotify";
const FANOTIFY: &str = "anon_inode:[fanotify]";
/// The link of a descriptor that becomes readable at a time.
const TIMER: &str = "anon_inode:[timerfd]";

/// Something that a thread does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    /// It runs, or waits for a disk.
    Running,
    /// The kernel does not show what it does.
    Hidden,
    /// It sleeps, and its process serves nobody.
    Sleeping,
    /// It waits for clients, or for changes of files.
    Serving,
    /// It waits for the answer of a connected peer, or for a timer.
    Awaiting,
    /// Its wait has a time limit.
    Limited,
}

/// What the threads do that were examined so far.
#[derive(Default)]
struct Threads {
    doing: Vec<Doing>,
    count: usize,
    /// The longest time after which one of them continues by itself, of those up to [`MAX_OWN_PAUSE`].
    pause: Option<Duration>,
}

impl Threads {
    fn add(&mut self, doing: Doing) {
        if !self.doing.contains(&doing) {
            self.doing.push(doing);
        }
    }

    /// Notes that a wait ends by itself after this time.
    fn continues_after(&mut self, pause: Option<Duration>) {
        if pause == Some(Duration::ZERO) {
            // The time is up: the thread goes on as soon as a processor has woken it.
            self.add(Doing::Running);
        }
        self.pause = self.pause.max(pause.filter(|&pause| pause <= MAX_OWN_PAUSE));
    }

    fn do_some(&self, doing: Doing) -> bool {
        self.doing.contains(&doing)
    }

    /// The first of these that a thread does decides.
    fn rest(&self) -> Rest {
        let decisive = [
            (Doing::Running, Rest::Running),
            (Doing::Hidden, Rest::Unknown),
            (Doing::Sleeping, Rest::Timed),
            (Doing::Serving, Rest::Served),
            (Doing::Awaiting, Rest::Timed),
            (Doing::Limited, Rest::Limited),
        ];
        let found = decisive.into_iter().find(|&(doing, _)| self.do_some(doing));
        found.map_or(Rest::Blocked, |(_, rest)| rest)
    }
}

/// Samples these processes. The sockets are read once, and only when a thread waits for one.
pub(crate) fn sample(pids: &[i32]) -> Activity {
    let mut threads = Threads::default();
    let mut sockets = None;
    let (mut ticks, mut processes) = (0, 0_u64);
    for &pid in pids {
        let Some(stat) = Stat::of(OWN_PROC, pid) else { continue };
        ticks += stat.processor_ticks_with_children().unwrap_or(0);
        // The order does not matter, and the numbers of processes that exchange places do not cancel out.
        processes = processes
            .wrapping_add(u64::from(pid.unsigned_abs()).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        if !stat.is_dead() && !stat.is_stopped() && !threads.do_some(Doing::Running) {
            examine(pid, &mut threads, &mut sockets);
        }
    }
    Activity { rest: threads.rest(), ticks, processes, pause: threads.pause }
}

fn examine(pid: i32, threads: &mut Threads, sockets: &mut Option<Sockets>) {
    let (mut sleeps, mut serves) = (false, false);
    for thread in threads_of(pid) {
        threads.count += 1;
        if threads.count > MAX_SAMPLED_THREADS {
            threads.add(Doing::Hidden);
            break;
        }
        if is_working(pid, thread) {
            threads.add(Doing::Running);
            return;
        }
        let call = match calls::of(pid, thread) {
            ThreadCall::Gone => continue,
            ThreadCall::Hidden => {
                threads.add(Doing::Hidden);
                continue;
            }
            ThreadCall::Running => {
                threads.add(Doing::Running);
                return;
            }
            ThreadCall::In(call) => call,
        };
        let descriptors = match call.source() {
            Source::Descriptors(descriptors) => descriptors,
            Source::Nothing => Vec::new(),
            Source::Hidden => {
                threads.add(Doing::Hidden);
                continue;
            }
        };
        for &descriptor in &descriptors {
            let Ok(link) = fs::read_link(format!("/proc/{pid}/fd/{descriptor}")) else { continue };
            let link = link.to_string_lossy();
            if link == INOTIFY || link == FANOTIFY {
                serves = true;
            } else if link == TIMER {
                threads.add(Doing::Awaiting);
            } else if let Some(inode) = sockets::inode(&link) {
                let sockets = sockets.get_or_insert_with(|| Sockets::of(pid));
                serves |= sockets.listens(inode);
                if sockets.is_connected(inode) {
                    threads.add(Doing::Awaiting);
                }
            }
        }
        match call.limit(descriptors.len()) {
            Limit::None => continue,
            Limit::Time => threads.add(Doing::Limited),
            Limit::Sleep => sleeps = true,
        }
        threads.continues_after(call.pause());
    }
    if serves {
        threads.add(Doing::Serving);
    } else if sleeps {
        threads.add(Doing::Sleeping);
    }
}

/// Whether a thread runs, or waits for a disk.
fn is_working(pid: i32, thread: i32) -> bool {
    let stat = fs::read(format!("/proc/{pid}/task/{thread}/stat")).unwrap_or_default();
    let state = stat.iter().rposition(|&byte| byte == b')').and_then(|at| stat.get(at + 2));
    matches!(state, Some(b'R' | b'D' | b'W'))
}

/// Whether a descendant of a process listens on this TCP port.
pub fn listens(ancestor: i32, port: u16) -> bool {
    tree_listens(&Tree::of(ancestor), port)
}

/// Whether a process of the session listens on this TCP port. A socket whose owner the kernel does not show counts.
pub(crate) fn tree_listens(tree: &Tree, port: u16) -> bool {
    let pids = tree.pids();
    let Some(sockets) =
        pids.iter().map(|&pid| sockets::listeners(pid, port)).find(|found| !found.is_empty())
    else {
        return false;
    };
    pids.iter().any(|&pid| {
        let Ok(descriptors) = fs::read_dir(format!("/proc/{pid}/fd")) else {
            return Stat::of(OWN_PROC, pid).is_some_and(|stat| !stat.is_dead());
        };
        descriptors.take(MAX_DESCRIPTORS).filter_map(Result::ok).any(|descriptor| {
            let link = fs::read_link(descriptor.path()).unwrap_or_default();
            sockets::inode(&link.to_string_lossy()).is_some_and(|inode| sockets.contains(&inode))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_whose_time_is_up_is_no_rest() {
        let limited = |pauses: &[Duration]| {
            let mut threads = Threads::default();
            for &pause in pauses {
                threads.add(Doing::Limited);
                threads.continues_after(Some(pause));
            }
            (threads.rest(), threads.pause)
        };
        let second = Duration::from_secs(1);
        let longer = MAX_OWN_PAUSE + Duration::from_nanos(1);
        assert_eq!(limited(&[second, longer]), (Rest::Limited, Some(second)));
        assert_eq!(limited(&[longer]), (Rest::Limited, None));
        assert_eq!(limited(&[MAX_OWN_PAUSE]), (Rest::Limited, Some(MAX_OWN_PAUSE)));
        assert_eq!(limited(&[second, Duration::ZERO]).0, Rest::Running);
    }
}
