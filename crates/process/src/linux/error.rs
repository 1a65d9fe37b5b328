use std::fmt;
use std::io;

use handrail_supervisor::message::LayerStage;

/// Why an engine cannot serve at all. A command that fails is an [`crate::Outcome`], not an error.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Busy(&'static str, usize),
    Closed,
    Supervisor(io::Error),
    System(&'static str, io::Error),
    NoLayer(LayerStage, io::Error),
}

impl Error {
    /// The limit of these is reached.
    pub(crate) fn busy(what: &'static str, limit: usize) -> Error {
        Error { kind: Kind::Busy(what, limit) }
    }

    pub(crate) fn closed() -> Error {
        Error { kind: Kind::Closed }
    }

    pub(crate) fn supervisor(error: io::Error) -> Error {
        Error { kind: Kind::Supervisor(error) }
    }

    pub(crate) fn system(what: &'static str, error: io::Error) -> Error {
        Error { kind: Kind::System(what, error) }
    }

    pub(crate) fn no_layer(stage: LayerStage, error: io::Error) -> Error {
        Error { kind: Kind::NoLayer(stage, error) }
    }

    /// Whether the machine is short of something, such as descriptors.
    pub(crate) fn is_system(&self) -> bool {
        matches!(self.kind, Kind::System(..))
    }

    /// The stable code of this error.
    pub fn code(&self) -> &'static str {
        match self.kind {
            Kind::Busy(..) => "ERR_BUSY",
            Kind::Closed => "ERR_CLOSED",
            Kind::Supervisor(_) => "ERR_SUPERVISOR",
            Kind::System(..) => "ERR_SYSTEM",
            Kind::NoLayer(..) => "ERR_GUARANTEE_UNAVAILABLE",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Busy(what, limit) => write!(
                f,
                "{limit} {what} are open, and that is the limit: close one that is not needed, or raise `limits.{what}`"
            ),
            Kind::Closed => write!(f, "it was closed; nothing can be run any more"),
            Kind::Supervisor(error) => write!(
                f,
                "the supervisor executable could not be started: {error}; {}",
                likely_cause(error)
            ),
            Kind::NoLayer(stage, error) => {
                let why = match stage {
                    LayerStage::Namespace => "this machine gives it no mount namespace",
                    LayerStage::Root => {
                        "a root cannot be written to, or is another directory by now"
                    }
                    LayerStage::Beneath => {
                        "something else is mounted beneath a root, or a folder of the host's own lies there"
                    }
                    LayerStage::Overlay => {
                        "the file system of a root or of the user's folder for state carries no overlay"
                    }
                };
                write!(f, "no transaction can be made: {why} ({error})")
            }
            Kind::System(what, error) => match shortage(error.raw_os_error()) {
                Some(why) => write!(f, "{what}: {error}; {why}"),
                None => write!(f, "{what}: {error}"),
            },
        }
    }
}

impl std::error::Error for Error {}

/// An explanation of a shortage that the message of the system does not explain.
pub(crate) fn shortage(errno: Option<i32>) -> Option<&'static str> {
    let errno = rustix::io::Errno::from_raw_os_error(errno?);
    (errno == rustix::io::Errno::TOOMANYREFS).then_some(
        "programs of this user have sent each other as many descriptors that nobody has taken yet as this \
         process may have open: end the one that does, or raise the limit (ulimit -n)",
    )
}

/// Whether a message could not be sent because other processes of this user have too many descriptors in transit.
pub(crate) fn is_short_of_transit(error: &io::Error) -> bool {
    shortage(error.raw_os_error()).is_some()
}

/// Explains why a descriptor cannot be watched where the message of the system does not.
pub(crate) fn of_watching(error: rustix::io::Errno) -> io::Error {
    if error != rustix::io::Errno::NOSPC {
        return error.into();
    }
    io::Error::other(
        "this user watches as many descriptors as the kernel lets it: end the program that does, or raise \
         the limit (sysctl fs.epoll.max_user_watches)",
    )
}

/// The most likely cause in the installation. The kernel's message about an executable describes the file only.
fn likely_cause(error: &io::Error) -> &'static str {
    if let Some(why) = shortage(error.raw_os_error()) {
        return why;
    }
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "most likely it has lost its run bit, or its folder is on a file system that is \
             mounted noexec: install handrail where programs may be executed"
        }
        io::ErrorKind::NotFound => {
            "most likely it was built for another C library (glibc or musl) than this system has: \
             install handrail again on this machine"
        }
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => {
            "it ended before it was ready, most likely because the C library of this system is \
             older than it needs: install handrail again on this machine"
        }
        _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
            "most likely it was built for another processor, or is damaged: install handrail again \
             on this machine"
        }
        _ => "install handrail again on this machine",
    }
}
