//! The places of a host that commands do not read.

use std::path::PathBuf;

use handrail_policy::paths::CommandPlace;

/// What the limits of reading start from.
#[derive(Debug, Default)]
pub struct ReadPlaces {
    /// The user's home folder, absolute.
    pub home: Option<PathBuf>,
    /// The home folder that the user has for the system, absolute. The first can be another.
    pub login_home: Option<PathBuf>,
    /// The protected places.
    pub places: Vec<CommandPlace>,
    /// The default working directory, absolute. It stays readable where there are no roots.
    pub directory: PathBuf,
    /// Folders of the host's own, such as that of the wrappers of hooks, that programs read under every plan.
    pub own: Vec<PathBuf>,
}
