//! Launchers that look for the inner program in a folder of the project first.

use crate::program::Program;
use crate::syntax::word::Word;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finder {
    /// Names of the launcher, with blanks between them.
    names: &'static str,
    /// The words after its name that make it one.
    subcommand: &'static str,
    /// Its options before the inner program.
    pub(crate) short: &'static str,
    pub(crate) long: &'static str,
    /// Options with which it takes programs or code from elsewhere.
    pub(crate) elsewhere: &'static str,
    /// The folder of programs, in the working directory or a folder above it.
    pub(crate) folder: &'static str,
    /// Whether it starts a program of the search path where the project has none of this name.
    pub(crate) searches_path: bool,
    /// Whether it hands a file of Python to Python.
    pub(crate) runs_python: bool,
}

const NODE: &str = "node_modules/.bin";
const PYTHON: &str = ".venv/bin";

/// An option that is missing here makes a command a question, never an allowance.
pub(crate) const FINDERS: &[Finder] = &[
    node(
        "npx bunx",
        "",
        "yqp:c:",
        "yes no no-install quiet silent bun package= call=",
        "p package c call bun",
    ),
    node("npm", "exec", "yqp:c:", "yes no quiet silent package= call=", "p package c call"),
    node("npm", "x", "yqp:c:", "yes no quiet silent package= call=", "p package c call"),
    node("pnpm", "exec", "c", "silent shell-mode", "c shell-mode"),
    python(
        "uv",
        "run",
        "qvp:m",
        UV_OPTIONS,
        "with with-editable with-requirements directory project p python script",
    ),
    python("poetry", "run", "", "", ""),
];

const UV_OPTIONS: &str = "quiet verbose no-sync frozen locked offline no-dev dev all-extras all-groups isolated active \
    extra= group= only-group= no-group= no-progress module with= with-editable= with-requirements= directory= project= \
    python= script";

const fn node(
    names: &'static str,
    subcommand: &'static str,
    short: &'static str,
    long: &'static str,
    elsewhere: &'static str,
) -> Finder {
    let (searches_path, runs_python) = (false, false);
    Finder { names, subcommand, short, long, elsewhere, folder: NODE, searches_path, runs_python }
}

const fn python(
    names: &'static str,
    subcommand: &'static str,
    short: &'static str,
    long: &'static str,
    elsewhere: &'static str,
) -> Finder {
    Finder {
        names,
        subcommand,
        short,
        long,
        elsewhere,
        folder: PYTHON,
        searches_path: true,
        runs_python: true,
    }
}

impl Finder {
    /// The row of a command, and its words after the subcommand.
    pub(crate) fn find<'w>(
        program: &Program,
        words: &'w [Word],
    ) -> Option<(&'static Finder, &'w [Word])> {
        FINDERS.iter().find_map(|row| {
            let is_named = super::holds(row.names, &program.folded);
            let count = usize::from(!row.subcommand.is_empty());
            let is_subcommand =
                count == 0 || words.get(1).is_some_and(|word| word.text == row.subcommand);
            (is_named && is_subcommand).then(|| (row, &words[1 + count..]))
        })
    }
}
