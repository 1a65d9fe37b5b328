use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a program cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// No directory of the search path has it.
    NotFound,
    /// There is nothing at its path.
    NoFile,
    /// What is at its path is no file that may be executed.
    NotExecutable,
    /// It lies outside of the search path, or where a command could have written it.
    NotTrusted,
    /// It is a script whose interpreter cannot be used.
    Interpreter,
    /// A directory of the search path cannot be used.
    SearchDirectory(PathBuf, &'static str),
    /// The system could not open this path, with the error number. So it is unknown whether the program exists.
    System(PathBuf, i32),
}

/// The problem, then what the host can do about it.
impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgramError::NotFound => f.write_str(
                "no such program in the search path; the host can add its folder to the search path",
            ),
            ProgramError::NoFile => f.write_str("there is no file at the path of the program; it may have to be installed first"),
            ProgramError::NotExecutable => f.write_str(
                "the file of the program may not be executed: it lacks that permission, or is a directory",
            ),
            ProgramError::NotTrusted => f.write_str(
                "the program lies outside the search path, or where commands or others may write; \
                 the host can add its folder, write-protected, to the search path",
            ),
            ProgramError::Interpreter => f.write_str(
                "the script's `#!` line names no interpreter of the search path; \
                 the host can add that one's folder to the search path",
            ),
            ProgramError::SearchDirectory(path, why) => {
                write!(f, "search directory {}: {why}", path.display())
            }
            ProgramError::System(path, errno) => {
                let error = io::Error::from_raw_os_error(*errno);
                write!(f, "{} could not be opened: {error}", path.display())
            }
        }
    }
}
