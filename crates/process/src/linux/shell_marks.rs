//! Shells that say themselves when a command is over, and with which status. A shell is started with a start-up text, which
//! reads the user's own start-up file and then has the shell write marks (see [`handrail_pty::Nonce`]) around its commands.
//!
//! The nonce in the text makes the marks unforgeable for what the shell starts. So the text is in no file, argument or variable of
//! the environment: the shell reads it from a pipe that is empty afterwards, and keeps the nonce in variables that are not exported.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;

use handrail_pty::{NONCE_BYTES, Nonce};
use handrail_supervisor::message::HomeFile;
use rustix::pipe::PipeFlags;

/// The number under which the shell finds the pipe.
pub(crate) const TEXT_DESCRIPTOR: u8 = 9;
const TEXT_PATH: &str = "/proc/self/fd/9";

/// What stands for the nonce in a start-up text.
const NONCE_PLACE: &str = "@NONCE@";

/// Options with which a bash reads its commands from its terminal, and `~/.bashrc` before them.
const BASH_OPTIONS: [&str; 6] = ["-i", "--noediting", "+H", "-H", "+m", "--noprofile"];
/// The option with which it does not read that file.
const NO_STARTUP_FILE: &str = "--norc";

/// The user's file is read first, as bash would read it. `PS0` is shown before each command. bash runs each element of the array
/// `PROMPT_COMMAND` before a prompt, each with the status of the command in `$?`; `$PROMPT_COMMAND` is its first element, which
/// stays the user's. Before bash 5.1 it is no array: there nothing is marked where the user has one.
const BASH_TEXT: &str = r#"exec 9<&-
@STARTUP@
PS0=$'\e]133;C;@NONCE@\a'"${PS0-}"
export -n PS0
if (( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501 )); then
  PROMPT_COMMAND[64]='{ builtin printf "\e]133;D;%s;@NONCE@\a" "$?"; } 2>/dev/null >/dev/tty'
elif [[ -z ${PROMPT_COMMAND-} ]]; then
  PROMPT_COMMAND='{ builtin printf "\e]133;D;%s;@NONCE@\a" "$?"; } 2>/dev/null >/dev/tty'
fi
builtin printf '\e]133;D;0;@NONCE@\a'
"#;
const BASH_STARTUP: &str = "if [[ -r ~/.bashrc ]]; then . ~/.bashrc; fi";

/// zsh calls each of these functions before a command and before a prompt. The user's own files are read after this text.
const ZSH_TEXT: &str = r#"exec 9<&-
function __handrail_begins { { builtin print -n '\e]133;C;@NONCE@\a' > /dev/tty } 2> /dev/null }
function __handrail_ends { { builtin print -n "\e]133;D;$?;@NONCE@\a" > /dev/tty } 2> /dev/null }
preexec_functions+=(__handrail_begins)
precmd_functions=(__handrail_ends $precmd_functions)
"#;
const ZSH_OPTIONS: [&str; 3] = ["-i", "-l", "--login"];
/// zsh reads this file of its home before any other of the user's. A zsh that the shell starts has a higher `SHLVL`.
const ZSH_FILE: &str = ".zshenv";
const ZSH_FILE_TEXT: &str =
    "[[ -o interactive && $SHLVL == 1 && -p /proc/self/fd/9 ]] && . /proc/self/fd/9\n";

/// fish handles these events before a command, before a prompt, and after a line that it could not parse. Such a line stays in its
/// editor, where the next one would be added to it: it is taken out. fish itself exits with 127 after one.
const FISH_TEXT: &str = r"function __handrail_begins --on-event fish_preexec; builtin printf '\e]133;C;@NONCE@\a' >/dev/tty; end
function __handrail_ends --on-event fish_prompt; builtin printf '\e]133;D;%s;@NONCE@\a' $status >/dev/tty; end
function __handrail_fails --on-event fish_posterror; commandline -f beginning-of-buffer begin-selection end-of-buffer kill-selection end-selection; builtin printf '\e]133;D;127;@NONCE@\a' >/dev/tty; end
";
const FISH_OPTIONS: [&str; 6] = ["-i", "-l", "--login", "-P", "-N", "--no-config"];
/// fish runs this after it has read the user's own files.
const FISH_COMMAND: [&str; 2] = ["--init-command", "source </proc/self/fd/9"];

/// Without this folder of its home, a fish that is started reads all manual pages, in the background of its first prompt, so that
/// it is not known for a long time whether it waits.
const FISH_FILE: &str = ".local/share/fish/generated_completions/.empty";

/// What a shell is started with so that it marks its commands.
pub(crate) struct ShellMarks {
    /// Whether the shell paints its line again while it is typed, so that the echo ends only where the command begins.
    pub(crate) paints_echo: bool,
    pub(crate) nonce: Nonce,
    /// A pipe that has the start-up text.
    pub(crate) text: OwnedFd,
}

impl ShellMarks {
    /// Has the program of a session mark its commands, where it is a shell that can and reads them from its terminal: this changes
    /// its arguments, its environment or the files that its home starts with. `None` for any other program. Without a private home
    /// there is no place for a file.
    pub(crate) fn request(
        arguments: &mut Vec<Vec<u8>>,
        environment: &mut Vec<Vec<u8>>,
        home_files: Option<&mut Vec<HomeFile>>,
    ) -> io::Result<Option<ShellMarks>> {
        let mut home_files = home_files;
        if let Some(files) = home_files.as_deref_mut().filter(|_| is_shell(arguments)) {
            files.push(HomeFile { path: FISH_FILE.into(), content: Vec::new() });
        }
        let (text, paints_echo) = if let Some(startup) = change_bash(arguments, environment) {
            (BASH_TEXT.replace("@STARTUP@", startup), false)
        } else if has_only(arguments, "fish", &FISH_OPTIONS) {
            arguments.splice(1..1, FISH_COMMAND.map(Into::into));
            (FISH_TEXT.to_owned(), true)
        } else if let Some(files) = home_files.filter(|_| has_only(arguments, "zsh", &ZSH_OPTIONS))
        {
            files.push(HomeFile { path: ZSH_FILE.into(), content: ZSH_FILE_TEXT.into() });
            (ZSH_TEXT.to_owned(), true)
        } else {
            return Ok(None);
        };
        let nonce = make_nonce()?;
        let text = text.replace(NONCE_PLACE, &String::from_utf8_lossy(&nonce.0));
        Ok(Some(ShellMarks { nonce, paints_echo, text: filled_pipe(text.as_bytes())? }))
    }
}

/// Has a bash read the start-up text. The result is the part of the text that reads the user's own file.
fn change_bash(
    arguments: &mut Vec<Vec<u8>>,
    environment: &mut Vec<Vec<u8>>,
) -> Option<&'static str> {
    let (program, options) = arguments.split_first()?;
    if !is_named(program, "bash") {
        return None;
    }
    let is = |option: &[u8], name: &str| option == name.as_bytes();
    let has_startup_file = !options.iter().any(|option| is(option, NO_STARTUP_FILE));
    let mut others = options.iter().filter(|option| !is(option, NO_STARTUP_FILE));
    if !others.all(|option| BASH_OPTIONS.iter().any(|name| is(option, name))) {
        return None;
    }
    if has_startup_file {
        arguments.splice(1..1, ["--rcfile".into(), TEXT_PATH.into()]);
        return Some(BASH_STARTUP);
    }
    if environment.iter().any(|entry| entry.starts_with(b"PROMPT_COMMAND=")) {
        return None;
    }
    // With --norc bash reads no file at all. This variable is run before the first prompt.
    environment.push(format!("PROMPT_COMMAND=. {TEXT_PATH}").into_bytes());
    Some("unset PROMPT_COMMAND")
}

/// Whether these are the arguments of this shell, with none but these options.
fn has_only(arguments: &[Vec<u8>], name: &str, options: &[&str]) -> bool {
    let Some((program, others)) = arguments.split_first() else { return false };
    let is_known = |other: &[u8]| options.iter().any(|option| other == option.as_bytes());
    is_named(program, name) && others.iter().all(|other| is_known(other))
}

/// Whether the program may start a fish, or is one.
fn is_shell(arguments: &[Vec<u8>]) -> bool {
    let is = |name| arguments.first().is_some_and(|program| is_named(program, name));
    ["bash", "fish", "sh", "zsh"].into_iter().any(is)
}

fn is_named(program: &[u8], name: &str) -> bool {
    program == name.as_bytes()
        || program.starts_with(b"/") && program.ends_with(format!("/{name}").as_bytes())
}

fn make_nonce() -> io::Result<Nonce> {
    let mut random = [0; NONCE_BYTES / 2];
    File::open("/dev/urandom")?.read_exact(&mut random)?;
    let mut nonce = [0; NONCE_BYTES];
    for (digits, byte) in nonce.chunks_exact_mut(2).zip(random) {
        digits[0] = b"0123456789abcdef"[usize::from(byte >> 4)];
        digits[1] = b"0123456789abcdef"[usize::from(byte & 0xf)];
    }
    Ok(Nonce(nonce))
}

/// A pipe that has this text and no writer. The text is smaller than what a pipe takes.
fn filled_pipe(text: &[u8]) -> io::Result<OwnedFd> {
    let (reader, writer) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    let written = rustix::io::write(&writer, text)?;
    if written == text.len() { Ok(reader) } else { Err(io::ErrorKind::WriteZero.into()) }
}

#[cfg(test)]
mod tests;
