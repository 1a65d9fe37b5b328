//! Which words of well-known programs name the files that they write. The kernel plan holds where a program writes, not
//! under which names: a file that a tool runs later has an ordinary place.

use super::holds;

/// What the operands of a program are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operands {
    /// Files that it writes.
    Written,
    /// Files that it takes, and at last the file or folder that it puts them.
    Moved,
    /// A program text, unless an option gives one, and then files that it writes where the line `only` has an option.
    Edited,
    /// Nothing that it writes.
    Read,
}

/// Programs, and what names the files that they write.
pub(crate) struct Outputs {
    names: &'static str,
    pub(crate) operands: Operands,
    /// Options whose value is a file that it writes, or for `Moved` the folder.
    pub(crate) options: &'static str,
    /// Options without which nothing is written. Empty: it always writes.
    pub(crate) only: &'static str,
}

const ROWS: &[Outputs] = &[
    Outputs {
        names: "cp gcp mv gmv ln gln install ginstall rsync scp",
        operands: Operands::Moved,
        options: "-t --target-directory",
        only: "",
    },
    Outputs {
        names: "tee gtee touch gtouch truncate gtruncate sponge patch",
        operands: Operands::Written,
        options: "-o --output",
        only: "",
    },
    Outputs { names: "sed gsed", operands: Operands::Edited, options: "", only: "-i --in-place" },
    Outputs {
        names: "sort gsort curl",
        operands: Operands::Read,
        options: "-o --output",
        only: "",
    },
    Outputs { names: "wget", operands: Operands::Read, options: "-O --output-document", only: "" },
];

/// The row of a program, by its folded name.
pub(crate) fn outputs_of(program: &str) -> Option<&'static Outputs> {
    ROWS.iter().find(|row| holds(row.names, program))
}
