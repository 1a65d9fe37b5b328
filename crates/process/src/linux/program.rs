//! From a program's name to the descriptor that is executed.
//!
//! A name is looked up in directories that were opened when the host set them, never in `PATH` and
//! never in the working directory. The file that is looked at is the descriptor that is executed,
//! so nothing can be swapped in between. A `#!` script runs its interpreter, found the same way. The
//! interpreter gets the script by the name that was found, not by where a link of that name leads:
//! scripts with many names do what their name says.

mod resolved_path;

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use handrail_files::Roots;
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

pub(crate) use self::resolved_path::ResolvedPath;
use crate::program_error::ProgramError;

/// As many bytes of a script as the kernel looks at for its interpreter.
const SCRIPT_LINE_BYTES: usize = 256;
/// Scripts whose interpreter is a script; the kernel's own limit is 5.
const MAX_SCRIPT_DEPTH: usize = 4;

/// The directories that programs are found in, held open.
#[derive(Debug, Default)]
pub struct SearchPath {
    directories: Vec<Directory>,
}

#[derive(Debug)]
struct Directory {
    descriptor: OwnedFd,
    /// Every spelling the host used for it.
    given: Vec<PathBuf>,
    canonical: PathBuf,
}

/// What is executed.
#[derive(Debug)]
pub struct Program {
    /// An ELF file: the program itself, or a script's interpreter.
    pub executable: OwnedFd,
    /// The argument vector it gets.
    pub arguments: Vec<Vec<u8>>,
}

#[derive(Debug)]
struct Found {
    file: File,
    /// The name that was found, with the folder it was found in.
    path: PathBuf,
    /// Where that led when it was opened.
    target: PathBuf,
    is_link: bool,
}

impl Program {
    /// Where the executable lies; empty where that is not known.
    pub(crate) fn path(&self) -> PathBuf {
        real_path(self.executable.as_fd()).unwrap_or_default()
    }
}

impl SearchPath {
    /// Opens the directories. Those that do not exist, or that this user may not enter, are left out;
    /// one that agents may write to is an error, and so is one that the system fails to open.
    pub fn open(directories: &[PathBuf], roots: &Roots) -> Result<SearchPath, ProgramError> {
        let mut opened: Vec<Directory> = Vec::new();
        for given in directories {
            let refuse = |why| ProgramError::SearchDirectory(given.clone(), why);
            if !given.is_absolute() {
                return Err(refuse("it must be an absolute path"));
            }
            let descriptor = match handrail_files::open_directory(given) {
                Ok(descriptor) => descriptor,
                Err(error) if is_absent(error.raw_os_error()) => continue,
                Err(error) => return Err(system(given, error.raw_os_error())),
            };
            let canonical = real_path(descriptor.as_fd())
                .map_err(|error| system(given, error.raw_os_error()))?;
            if roots.is_writable(&canonical) {
                return Err(refuse("it lies in a root that commands may write to"));
            }
            if let Some(known) = opened.iter_mut().find(|known| known.canonical == canonical) {
                known.given.push(given.clone());
            } else {
                let given = vec![given.clone()];
                opened.push(Directory { descriptor, given, canonical });
            }
        }
        Ok(SearchPath { directories: opened })
    }

    /// The directories in use, canonical.
    pub fn directories(&self) -> impl Iterator<Item = &Path> {
        self.directories.iter().map(|directory| directory.canonical.as_path())
    }

    /// Every file that a name stands for in these directories; of a path, that file.
    pub(crate) fn all(&self, name: &Path) -> Vec<PathBuf> {
        if name.is_absolute() {
            return vec![name.to_path_buf()];
        }
        let found = |directory: &Directory| Some(directory.open_program(name).ok()??.path);
        self.directories.iter().filter_map(found).collect()
    }

    /// Finds what `arguments[0]` names. `outside`, for hosts that approved it, also allows paths that
    /// do not lie in the search path, starting at the working directory.
    pub fn find(
        &self,
        arguments: &[Vec<u8>],
        roots: &Roots,
        outside: Option<BorrowedFd<'_>>,
    ) -> Result<Program, ProgramError> {
        let name = arguments.first().ok_or(ProgramError::NotFound)?;
        let found = self.locate(Path::new(std::ffi::OsStr::from_bytes(name)), outside)?;
        if outside.is_none() && !found.is_kept_from_agents(roots) {
            return Err(ProgramError::NotTrusted);
        }
        self.unfold(found, arguments.to_vec(), roots, 0)
    }

    fn locate(&self, name: &Path, outside: Option<BorrowedFd<'_>>) -> Result<Found, ProgramError> {
        if !name.as_os_str().as_bytes().contains(&b'/') {
            for directory in &self.directories {
                if let Some(found) = directory.open_program(name)? {
                    return Ok(found);
                }
            }
            return Err(ProgramError::NotFound);
        }
        if let (Some(parent), Some(file)) = (name.parent(), name.file_name()) {
            let known = self.directories.iter().find(|known| {
                known.canonical == parent || known.given.iter().any(|given| given == parent)
            });
            if let Some(directory) = known {
                return directory.open_program(Path::new(file))?.ok_or(ProgramError::NotFound);
            }
        }
        let base = outside.ok_or(ProgramError::NotTrusted)?;
        open_program(base, name)?.ok_or(ProgramError::NotFound)
    }

    /// Replaces a script by its interpreter until a binary is reached.
    fn unfold(
        &self,
        mut found: Found,
        arguments: Vec<Vec<u8>>,
        roots: &Roots,
        depth: usize,
    ) -> Result<Program, ProgramError> {
        let Some(line) = script_line(&mut found.file) else {
            return Ok(Program { executable: found.file.into(), arguments });
        };
        if depth == MAX_SCRIPT_DEPTH {
            return Err(ProgramError::Interpreter);
        }
        // The interpreter opens the script again by name, so nobody else may be able to swap it, or a
        // link on the way to it.
        let is_trusted = found
            .way()
            .is_some_and(|way| !way.is_in_writable_root(roots) && !way.is_writable_by_others());
        if !is_trusted {
            return Err(ProgramError::NotTrusted);
        }
        let mut command = interpreter(&line).ok_or(ProgramError::Interpreter)?;
        let interpreter = Path::new(std::ffi::OsStr::from_bytes(&command[0])).to_path_buf();
        let interpreter = self.locate(&interpreter, None).map_err(|error| match error {
            ProgramError::System(..) => error,
            _ => ProgramError::Interpreter,
        })?;
        command.push(found.path.into_os_string().into_vec());
        command.extend(arguments.into_iter().skip(1));
        self.unfold(interpreter, command, roots, depth + 1)
    }
}

impl Found {
    /// The way to the file that was opened; none when the name leads elsewhere by now.
    fn way(&self) -> Option<ResolvedPath> {
        ResolvedPath::of(&self.path).ok().filter(|way| way.end == self.target)
    }

    /// Whether agents can change neither the file nor what its name means.
    fn is_kept_from_agents(&self, roots: &Roots) -> bool {
        if !self.is_link {
            return !roots.is_writable(&self.path);
        }
        self.way().is_some_and(|way| !way.is_in_writable_root(roots))
    }
}

impl Directory {
    /// Opens the program by this name. One that is no link lies in the directory itself; only of a
    /// link the kernel has to be asked where it leads.
    fn open_program(&self, name: &Path) -> Result<Option<Found>, ProgramError> {
        let directory = self.descriptor.as_fd();
        match open_executable(directory, name, OFlags::NOFOLLOW) {
            Ok(file) => Ok(file.map(|file| {
                let path = self.canonical.join(name);
                Found { file, target: path.clone(), path, is_link: false }
            })),
            Err(Errno::LOOP) => open_program(directory, name),
            Err(error) => not_opened(name, error),
        }
    }
}

/// Opens a program, through links if need be.
fn open_program(directory: BorrowedFd<'_>, name: &Path) -> Result<Option<Found>, ProgramError> {
    let file = match open_executable(directory, name, OFlags::empty()) {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(None),
        Err(error) => return not_opened(name, error),
    };
    let real =
        |descriptor| real_path(descriptor).map_err(|error| system(name, error.raw_os_error()));
    // An absolute name stays as it is.
    let path = real(directory)?.join(name);
    Ok(Some(Found { target: real(file.as_fd())?, file, path, is_link: true }))
}

/// What cannot be opened is no program, unless nothing could be opened now.
fn not_opened(name: &Path, error: Errno) -> Result<Option<Found>, ProgramError> {
    match error {
        Errno::MFILE | Errno::NFILE | Errno::NOMEM => Err(system(name, Some(error.raw_os_error()))),
        _ => Ok(None),
    }
}

fn is_absent(errno: Option<i32>) -> bool {
    let absent = [Errno::NOENT, Errno::NOTDIR, Errno::ACCESS];
    errno.is_some_and(|errno| absent.contains(&Errno::from_raw_os_error(errno)))
}

fn system(path: &Path, errno: Option<i32>) -> ProgramError {
    ProgramError::System(path.to_path_buf(), errno.unwrap_or(Errno::IO.raw_os_error()))
}

/// Opens a file; `None` when it is not a regular one that somebody may execute.
fn open_executable(
    directory: BorrowedFd<'_>,
    name: &Path,
    links: OFlags,
) -> Result<Option<File>, Errno> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY | links;
    let descriptor = rustix::fs::openat(directory, name, flags, Mode::empty())?;
    let status = rustix::fs::fstat(&descriptor)?;
    let executable =
        Mode::from_raw_mode(status.st_mode).intersects(Mode::XUSR | Mode::XGRP | Mode::XOTH);
    let regular = FileType::from_raw_mode(status.st_mode) == FileType::RegularFile;
    Ok((regular && executable).then(|| File::from(descriptor)))
}

fn real_path(descriptor: BorrowedFd<'_>) -> io::Result<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{}", descriptor.as_raw_fd()))
}

/// What the kernel does with an executable file.
pub(crate) enum Start {
    /// It starts the first of these, absolute; the others may be programs that this starts.
    Script(Vec<PathBuf>),
    /// It maps it.
    Binary,
}

impl Start {
    /// `None` when the file cannot be read.
    pub(crate) fn of(path: &Path) -> Option<Start> {
        let mut file = File::open(path).ok()?;
        let Some(line) = script_line(&mut file) else { return Some(Start::Binary) };
        let as_written = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty())?;
        let mut words = vec![as_written.to_vec()];
        words.extend(interpreter(&line)?.into_iter().next());
        let path = |word: Vec<u8>| PathBuf::from(std::ffi::OsString::from_vec(word));
        Some(Start::Script(words.into_iter().map(path).collect()))
    }
}

/// The rest of the first line of a `#!` script.
fn script_line(file: &mut File) -> Option<Vec<u8>> {
    let mut start = Vec::with_capacity(SCRIPT_LINE_BYTES);
    file.take(SCRIPT_LINE_BYTES as u64).read_to_end(&mut start).ok()?;
    let rest = start.strip_prefix(b"#!")?;
    let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    Some(rest[..end].to_vec())
}

/// The interpreter with its argument, as the kernel reads the line; `env NAME` becomes `NAME`, since
/// it would only search a path of its own.
fn interpreter(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    let line = line.trim_ascii();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let (program, argument) = (line[..end].to_vec(), line[end..].trim_ascii());
    if program.is_empty() {
        return None;
    }
    if program.rsplit(|&byte| byte == b'/').next() == Some(b"env") {
        let words = argument.strip_prefix(b"-S").unwrap_or(argument);
        let command: Vec<Vec<u8>> = words
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .map(<[u8]>::to_vec)
            .collect();
        // Options and assignments of `env` are not understood here, and so not guessed.
        let plain = !command.first()?.starts_with(b"-")
            && !command[0].contains(&b'=')
            && !words.iter().any(|byte| b"\"'\\$".contains(byte));
        return plain.then_some(command);
    }
    let mut command = vec![program];
    if !argument.is_empty() {
        command.push(argument.to_vec());
    }
    Some(command)
}

#[cfg(test)]
mod tests;
