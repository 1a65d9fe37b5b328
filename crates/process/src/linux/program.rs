//! From a program's name to the descriptor that is executed.
//!
//! A name is looked up in directories that were opened when the host set them, never in `PATH` and never in the working
//! directory. The descriptor whose file is checked is the one that is executed, so nothing can be swapped in between. A `#!`
//! script runs its interpreter, which is found the same way. The interpreter gets the script by the name that was found, not by
//! the target of a link of that name: a script with several names may do something different under each.

mod others;
mod resolved_path;

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use handrail_files::Roots;
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

pub(crate) use self::others::is_changeable_by_others;
pub(crate) use self::resolved_path::ResolvedPath;
use crate::program_error::ProgramError;
use crate::search_folder::{LeftOut, SearchFolder};

/// How many bytes of a script the kernel reads to find its interpreter.
const SCRIPT_LINE_BYTES: usize = 256;
/// How many scripts may each have a script as interpreter; the kernel allows 5.
const MAX_SCRIPT_DEPTH: usize = 4;

/// The directories that programs are found in, held open.
#[derive(Debug, Default)]
pub struct SearchPath {
    directories: Vec<Directory>,
    left_out: Vec<(PathBuf, LeftOut)>,
}

#[derive(Debug)]
struct Directory {
    descriptor: OwnedFd,
    /// The paths by which the host named it.
    given_paths: Vec<PathBuf>,
    canonical: PathBuf,
}

/// A program that can be executed.
#[derive(Debug)]
pub struct Program {
    /// The ELF file: the program itself, or the interpreter of a script.
    pub executable: OwnedFd,
    /// Its arguments, its name included.
    pub arguments: Vec<Vec<u8>>,
}

#[derive(Debug)]
struct FoundProgram {
    file: File,
    /// The path of the name that was found.
    path: PathBuf,
    /// The file that this path named when it was opened.
    target: PathBuf,
    is_link: bool,
}

impl Program {
    /// The path of the executable; empty where it is not known.
    pub(crate) fn path(&self) -> PathBuf {
        real_path(self.executable.as_fd()).unwrap_or_default()
    }
}

impl SearchPath {
    /// Opens the folders. Those that do not exist, or that this user may not enter, are left out. A required one that agents
    /// may write to is an error, and so is one that the system fails to open; any other is left out, also where other users
    /// may write to it.
    pub fn open<Folder: Into<SearchFolder>>(
        folders: impl IntoIterator<Item = Folder>,
        roots: &Roots,
    ) -> Result<SearchPath, ProgramError> {
        let mut search = SearchPath::default();
        for folder in folders {
            let SearchFolder { path: given, is_required } = folder.into();
            match Directory::open(&given, is_required, roots)? {
                Ok(directory) => search.add(directory),
                Err(reason) => search.left_out.push((given, reason)),
            }
        }
        Ok(search)
    }

    fn add(&mut self, directory: Directory) {
        let mut known = self.directories.iter_mut();
        match known.find(|known| known.canonical == directory.canonical) {
            Some(known) => known.given_paths.extend(directory.given_paths),
            None => self.directories.push(directory),
        }
    }

    /// The paths by which the host named the directories in use.
    pub fn given_paths(&self) -> impl Iterator<Item = &Path> {
        self.directories.iter().flat_map(|known| known.given_paths.iter().map(PathBuf::as_path))
    }

    /// The folders that are not in use, by their given paths.
    pub fn left_out(&self) -> &[(PathBuf, LeftOut)] {
        &self.left_out
    }

    /// The canonical paths of the directories in use.
    pub fn directories(&self) -> impl Iterator<Item = &Path> {
        self.directories.iter().map(|directory| directory.canonical.as_path())
    }

    /// Every program of this name in these directories. An absolute path names one file.
    pub(crate) fn find_all(&self, name: &Path) -> Vec<PathBuf> {
        if name.is_absolute() {
            return vec![name.to_path_buf()];
        }
        let path_in = |directory: &Directory| Some(directory.open_program(name).ok()??.path);
        self.directories.iter().filter_map(path_in).collect()
    }

    /// Finds the program that `arguments[0]` names. With `outside`, the working directory, it may also be a path outside the
    /// search path, and so may the interpreter of a script: somebody approved that, or a rule names its place.
    pub fn find(
        &self,
        arguments: &[Vec<u8>],
        roots: &Roots,
        outside: Option<BorrowedFd<'_>>,
    ) -> Result<Program, ProgramError> {
        let name = arguments.first().ok_or(ProgramError::NotFound)?;
        let name = roots.own_path(Path::new(std::ffi::OsStr::from_bytes(name)));
        let found = self.open_named(&name, roots, outside)?;
        if outside.is_none() && !found.is_protected(roots) {
            return Err(ProgramError::NotTrusted);
        }
        self.replace_script(found, arguments.to_vec(), roots, outside, 0)
    }

    fn open_named(
        &self,
        name: &Path,
        roots: &Roots,
        outside: Option<BorrowedFd<'_>>,
    ) -> Result<FoundProgram, ProgramError> {
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
                known.canonical == parent || known.given_paths.iter().any(|given| given == parent)
            });
            if let Some(directory) = known {
                let found = directory.open_program(Path::new(file))?;
                return found.ok_or_else(|| absence(directory.descriptor.as_fd(), Path::new(file)));
            }
        }
        let base = outside.ok_or(ProgramError::NotTrusted)?;
        let place = openable(base, name, roots);
        open_program(base, name, &place)?.ok_or_else(|| absence(base, &place))
    }

    /// Replaces a script by its interpreter, until that is a binary.
    fn replace_script(
        &self,
        mut found: FoundProgram,
        arguments: Vec<Vec<u8>>,
        roots: &Roots,
        outside: Option<BorrowedFd<'_>>,
        depth: usize,
    ) -> Result<Program, ProgramError> {
        let Some(line) = script_line(&mut found.file) else {
            return Ok(Program { executable: found.file.into(), arguments });
        };
        if depth == MAX_SCRIPT_DEPTH {
            return Err(ProgramError::Interpreter);
        }
        // The interpreter opens the script again by its path. So nobody else may be able to swap the script, or a link that
        // its path leads through, unless it may be any program.
        let is_protected =
            |path: ResolvedPath| !path.is_in_writable_root(roots) && !path.is_writable_by_others();
        let is_trusted = outside.is_some() || found.resolved_path().is_some_and(is_protected);
        if !is_trusted {
            return Err(ProgramError::NotTrusted);
        }
        let mut command = interpreter(&line).ok_or(ProgramError::Interpreter)?;
        let interpreter = Path::new(std::ffi::OsStr::from_bytes(&command[0]));
        let interpreter = roots.own_path(interpreter).into_owned();
        let interpreter =
            self.open_named(&interpreter, roots, outside).map_err(|error| match error {
                ProgramError::System(..) => error,
                _ => ProgramError::Interpreter,
            })?;
        command.push(found.path.into_os_string().into_vec());
        command.extend(arguments.into_iter().skip(1));
        self.replace_script(interpreter, command, roots, outside, depth + 1)
    }
}

impl FoundProgram {
    /// The resolved path of the file that was opened; `None` when the path leads elsewhere by now.
    fn resolved_path(&self) -> Option<ResolvedPath> {
        ResolvedPath::of(&self.path).ok().filter(|path| path.file == self.target)
    }

    /// Whether agents can change neither the file nor which file its path names.
    fn is_protected(&self, roots: &Roots) -> bool {
        if !self.is_link {
            return !roots.is_writable(&self.path);
        }
        self.resolved_path().is_some_and(|path| !path.is_in_writable_root(roots))
    }
}

impl Directory {
    /// Opens a folder to search in, or says why it is left out.
    fn open(
        given: &Path,
        is_required: bool,
        roots: &Roots,
    ) -> Result<Result<Directory, LeftOut>, ProgramError> {
        let refuse = |reason, why| {
            if is_required {
                Err(ProgramError::SearchDirectory(given.to_path_buf(), why))
            } else {
                Ok(Err(reason))
            }
        };
        if !given.is_absolute() {
            return refuse(LeftOut::Relative, "it must be an absolute path");
        }
        let descriptor = match handrail_files::open_directory(given) {
            Ok(descriptor) => descriptor,
            Err(error) if is_absent(error.raw_os_error()) || !is_required => {
                return Ok(Err(LeftOut::Absent));
            }
            Err(error) => return Err(system(given, error.raw_os_error())),
        };
        let canonical =
            real_path(descriptor.as_fd()).map_err(|error| system(given, error.raw_os_error()))?;
        if roots.is_writable(&canonical) {
            return refuse(LeftOut::Commands, "it lies in a root that commands may write to");
        }
        // The folder is held by its descriptor, and what programs start is searched by this path.
        let is_others = || ResolvedPath::of(&canonical).map_or(true, |path| path.is_others());
        if !is_required && is_others() {
            return Ok(Err(LeftOut::Others));
        }
        Ok(Ok(Directory { descriptor, given_paths: vec![given.to_path_buf()], canonical }))
    }

    /// Opens the program of this name. A file that is no link lies in the directory itself; only for a link does the kernel have
    /// to be asked which file it leads to.
    fn open_program(&self, name: &Path) -> Result<Option<FoundProgram>, ProgramError> {
        let directory = self.descriptor.as_fd();
        match open_executable(directory, name, OFlags::NOFOLLOW) {
            Ok(file) => Ok(file.map(|file| {
                let path = self.canonical.join(name);
                FoundProgram { file, target: path.clone(), path, is_link: false }
            })),
            Err(Errno::LOOP) => open_program(directory, name, name),
            Err(error) => open_failure(name, error),
        }
    }
}

/// The path by which a name in a directory is opened: another one where it leads into a layer.
fn openable(directory: BorrowedFd<'_>, name: &Path, roots: &Roots) -> PathBuf {
    let in_layer = || {
        let canonical = roots.canonicalize(&real_path(directory).ok()?.join(name)).ok()?;
        Some(roots.openable(&canonical).into_owned())
    };
    let found = if roots.are_in_layer() { in_layer() } else { None };
    found.unwrap_or_else(|| name.to_path_buf())
}

/// Opens a program by this place, following links. Its name in the directory is what it is known by.
fn open_program(
    directory: BorrowedFd<'_>,
    name: &Path,
    place: &Path,
) -> Result<Option<FoundProgram>, ProgramError> {
    let file = match open_executable(directory, place, OFlags::empty()) {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(None),
        Err(error) => return open_failure(name, error),
    };
    let path_of =
        |descriptor| real_path(descriptor).map_err(|error| system(name, error.raw_os_error()));
    // An absolute name replaces the directory.
    let path: PathBuf = path_of(directory)?.join(name).components().collect();
    Ok(Some(FoundProgram { target: path_of(file.as_fd())?, file, path, is_link: true }))
}

/// Why no program was opened at a path.
fn absence(directory: BorrowedFd<'_>, name: &Path) -> ProgramError {
    match rustix::fs::statat(directory, name, AtFlags::empty()) {
        Ok(_) => ProgramError::NotExecutable,
        Err(_) => ProgramError::NoFile,
    }
}

/// A file that cannot be opened is no program. An error is only a shortage, by which no file could be opened.
fn open_failure(name: &Path, error: Errno) -> Result<Option<FoundProgram>, ProgramError> {
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

/// Opens a file; `None` when it is not a regular file that somebody may execute.
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

/// The path of an open file.
pub(crate) fn real_path(descriptor: BorrowedFd<'_>) -> io::Result<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{}", descriptor.as_raw_fd()))
}

/// The format of an executable file.
pub(crate) enum FileFormat {
    /// A `#!` script.
    Script {
        /// The path of the interpreter; where that is `env`, also the name of the program that it starts.
        interpreters: Vec<PathBuf>,
    },
    /// A file that the kernel maps.
    Binary,
}

impl FileFormat {
    /// `None` when the file cannot be read.
    pub(crate) fn of(path: &Path) -> Option<FileFormat> {
        let mut file = File::open(path).ok()?;
        let Some(line) = script_line(&mut file) else { return Some(FileFormat::Binary) };
        let as_written = line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty())?;
        let mut words = vec![as_written.to_vec()];
        words.extend(interpreter(&line)?.into_iter().next());
        let path = |word: Vec<u8>| PathBuf::from(std::ffi::OsString::from_vec(word));
        Some(FileFormat::Script { interpreters: words.into_iter().map(path).collect() })
    }
}

/// The first line of a script, after its `#!`; `None` for a file that is no script.
fn script_line(file: &mut File) -> Option<Vec<u8>> {
    let mut start = Vec::with_capacity(SCRIPT_LINE_BYTES);
    file.take(SCRIPT_LINE_BYTES as u64).read_to_end(&mut start).ok()?;
    let rest = start.strip_prefix(b"#!")?;
    let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    Some(rest[..end].to_vec())
}

/// The interpreter with its argument, as the kernel reads the line. `env NAME` becomes `NAME`: `env` would only search a path of
/// its own.
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
        // Options and assignments of `env` are not supported.
        let is_plain = !command.first()?.starts_with(b"-")
            && !command[0].contains(&b'=')
            && !words.iter().any(|byte| b"\"'\\$".contains(byte));
        return is_plain.then_some(command);
    }
    let mut command = vec![program];
    if !argument.is_empty() {
        command.push(argument.to_vec());
    }
    Some(command)
}

#[cfg(test)]
mod tests;
