//! What a terminal answers to the questions of a program. No reply has bytes that the program chose, except the numbers of
//! a position.

use crate::watch::Query;

/// The largest number of bytes that are replied to one piece of output.
pub(crate) const MAX_REPLY_BYTES: usize = 256;

/// The facts that replies contain.
pub(crate) struct Facts {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// The row and the column of the cursor, counted from 1.
    pub(crate) cursor: (usize, usize),
}

/// The reply to a question: of a VT220 with colours, whose text is light and whose background is black.
pub(crate) fn reply(query: Query, facts: &Facts) -> String {
    let end = |bell: bool| if bell { "\x07" } else { "\x1b\\" };
    let Facts { columns, rows, cursor: (row, column) } = facts;
    match query {
        Query::Attributes => "\x1b[?62;22c".to_owned(),
        Query::Version => "\x1b[>1;10;0c".to_owned(),
        Query::Status => "\x1b[0n".to_owned(),
        Query::Cursor => format!("\x1b[{row};{column}R"),
        Query::Size => format!("\x1b[8;{rows};{columns}t"),
        Query::Foreground { bell } => format!("\x1b]10;rgb:e5e5/e5e5/e5e5{}", end(bell)),
        Query::Background { bell } => format!("\x1b]11;rgb:0000/0000/0000{}", end(bell)),
    }
}
