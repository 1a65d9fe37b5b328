use std::fmt;
use std::io;

/// Why an engine cannot serve at all. A command that fails is an [`crate::Outcome`], not an error.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Closed,
    Supervisor(io::Error),
    System(&'static str, io::Error),
}

impl Error {
    pub(crate) fn closed() -> Error {
        Error { kind: Kind::Closed }
    }

    pub(crate) fn supervisor(error: io::Error) -> Error {
        Error { kind: Kind::Supervisor(error) }
    }

    pub(crate) fn system(what: &'static str, error: io::Error) -> Error {
        Error { kind: Kind::System(what, error) }
    }

    /// Whether the machine is short of something, such as descriptors.
    pub(crate) fn is_system(&self) -> bool {
        matches!(self.kind, Kind::System(..))
    }

    /// The stable code of this error.
    pub fn code(&self) -> &'static str {
        match self.kind {
            Kind::Closed => "ERR_CLOSED",
            Kind::Supervisor(_) => "ERR_SUPERVISOR",
            Kind::System(..) => "ERR_SYSTEM",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Closed => write!(f, "it was closed; nothing can be run any more"),
            Kind::Supervisor(error) => write!(
                f,
                "the supervisor executable could not be started: {error}; reinstall the package, \
                 and check that its folder is on a file system that allows execution"
            ),
            Kind::System(what, error) => write!(f, "{what}: {error}"),
        }
    }
}

impl std::error::Error for Error {}
