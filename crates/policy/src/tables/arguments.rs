//! Options that make a program run code, read options from elsewhere, or send files away.

mod build;
mod data;
mod documents;
mod files;
mod network;
mod packages;
mod system;
mod toolchain;

use std::sync::LazyLock;

use super::Index;

/// What the value of such an option is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A command line or a program.
    Code,
    /// `exec=…` with a command line behind it, harmless otherwise.
    Action,
    /// It runs something that cannot be read here: code, a shared object, a module.
    Opaque,
    /// It runs a program of that name, unless it is one of these, which are built in.
    Unless(&'static str),
    /// It runs something when the value contains this.
    Containing(&'static str),
    /// Code or options come from a file or another place.
    Unseen,
    /// A file leaves the machine when the value names one.
    Upload,
    /// It runs the scripts of the packages or projects it is given.
    Scripts,
    /// A file or folder of the caller's choice is written.
    Writes,
    /// A `key=value` of git.
    Setting,
}

/// One option, or several of a kind. `short` is an option of one dash or empty, `long` has names with blanks between,
/// or is empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub(crate) short: &'static str,
    pub(crate) long: &'static str,
    pub(crate) kind: Kind,
}

/// How options are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Clusters, `--long`, abbreviations.
    Gnu,
    /// Clusters and whole `--long` names.
    Whole,
    /// `-name value`, `-name=value`, also with two dashes.
    OneDash,
    /// The same with abbreviations.
    OneDashAbbreviated,
    /// `-name` and `--name`, abbreviated, and clusters: `getopt_long_only`.
    LongOnly,
}

pub(crate) struct Row {
    pub(crate) names: &'static str,
    pub(crate) style: Style,
    /// Letters that take a value, which ends a cluster: only those that do so in every program of the row.
    pub(crate) valued: &'static str,
    /// Whole long names that look like an abbreviation of one in the row.
    pub(crate) harmless: &'static str,
    pub(crate) arguments: &'static [Argument],
}

/// The rows of every program.
pub(crate) static ROWS: LazyLock<Index<Row>> = LazyLock::new(|| {
    let tables = [
        build::ROWS,
        data::ROWS,
        documents::ROWS,
        files::ROWS,
        network::ROWS,
        packages::ROWS,
        system::ROWS,
        toolchain::ROWS,
    ];
    Index::of_texts(tables.into_iter().flatten().map(|row| (row.names, row)))
});

pub(super) const fn code(short: &'static str, long: &'static str) -> Argument {
    Argument { short, long, kind: Kind::Code }
}

pub(super) const fn opaque(short: &'static str, long: &'static str) -> Argument {
    Argument { short, long, kind: Kind::Opaque }
}

pub(super) const fn unless(
    short: &'static str,
    long: &'static str,
    built_in: &'static str,
) -> Argument {
    Argument { short, long, kind: Kind::Unless(built_in) }
}

const fn containing(long: &'static str, text: &'static str) -> Argument {
    Argument { short: "", long, kind: Kind::Containing(text) }
}

const fn unseen(short: &'static str, long: &'static str) -> Argument {
    Argument { short, long, kind: Kind::Unseen }
}

pub(super) const fn writes(short: &'static str, long: &'static str) -> Argument {
    Argument { short, long, kind: Kind::Writes }
}

pub(super) const fn setting(short: &'static str, long: &'static str) -> Argument {
    Argument { short, long, kind: Kind::Setting }
}

const fn upload(short: &'static str, long: &'static str) -> Argument {
    Argument { short, long, kind: Kind::Upload }
}

const fn scripts(short: &'static str, long: &'static str) -> Argument {
    Argument { short, long, kind: Kind::Scripts }
}

const fn row(
    names: &'static str,
    style: Style,
    valued: &'static str,
    harmless: &'static str,
    arguments: &'static [Argument],
) -> Row {
    Row { names, style, valued, harmless, arguments }
}
