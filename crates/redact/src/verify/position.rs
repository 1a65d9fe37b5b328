//! Places in files named after a secret: `src/token.c:12:5`, as compilers, `grep -n` and stack traces print them.

use super::set::Set;

/// Most digits of a line or column. A longer number is a value.
const DIGITS: usize = 7;

/// Endings of files that hold code or name their values themselves.
#[rustfmt::skip]
static EXTENSIONS: Set<256> = Set::new(&[
    "adoc", "astro", "bash", "bat", "bzl", "c", "cc", "cfg", "cjs", "clj", "cljs", "cmake", "cmd", "conf",
    "cpp", "cr", "cs", "css", "csv", "cts", "cu", "cxx", "d", "dart", "diff", "erl", "ex", "exs", "f90", "fs",
    "go", "gradle", "graphql", "groovy", "h", "hbs", "hcl", "hh", "hpp", "hrl", "hs", "htm", "html", "hxx",
    "inc", "ini", "ipynb", "java", "jl", "js", "json", "json5", "jsonc", "jsx", "kt", "kts", "less", "lisp",
    "log", "lua", "m", "md", "mdx", "mjs", "ml", "mli", "mm", "mts", "nim", "nix", "patch", "php", "pl", "pm",
    "properties", "proto", "ps1", "py", "pyi", "pyx", "r", "rake", "rb", "rs", "rst", "s", "sass", "scala",
    "scm", "scss", "sh", "snap", "sol", "sql", "svelte", "svg", "swift", "tex", "tf", "tfvars", "toml", "ts",
    "tsx", "v", "vb", "vue", "xml", "yaml", "yml", "zig", "zsh",
]);

/// Those of files that may be named behind a folder before their content: `secrets/token.json: …`.
static DATA: Set<32> = Set::new(&[
    "cfg",
    "conf",
    "csv",
    "ini",
    "json",
    "json5",
    "jsonc",
    "log",
    "properties",
    "tfvars",
    "toml",
    "yaml",
    "yml",
]);

/// What stands behind the name of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// A place in a file whose lines are read by themselves.
    Place,
    /// A place in a file of plain text. A line of it begins at this offset and may be the secret.
    Line(usize),
}

/// The place behind the name at `name_start..name_end`: a colon and a number that ends there. The name has an extension, or
/// a folder before it and a second colon behind the number.
pub(super) fn read(text: &[u8], name_start: usize, name_end: usize) -> Option<Position> {
    let rest = text[name_end..].strip_prefix(b":")?;
    let in_folder = matches!(text[..name_start], [.., b'/']);
    // As most values do.
    let numbers = match rest {
        [b' ', next, ..] | [next, ..] => next.is_ascii_digit() || *next == b'l',
        [] => false,
    };
    if !in_folder && !numbers {
        return None;
    }
    let name = &text[name_start..name_end];
    let extension = || memchr::memrchr(b'.', name).map(|dot| &name[dot + 1..]);
    let is_code = || extension().is_some_and(|last| EXTENSIONS.has(last));
    // `grep -r` without `-n`: the line of the file follows. A blank comes before what is said of a source.
    let blank = rest.first() == Some(&b' ');
    let message = || !blank || extension().is_some_and(|last| !DATA.has(last));
    if in_folder
        && rest.first().is_some_and(|byte| !b"\"'".contains(byte))
        && is_code()
        && message()
    {
        return Some(Position::Place);
    }
    // A shell writes `token.sh: line 12: ` or `./token: 12: `.
    let spaced = rest.strip_prefix(b" ");
    let rest = spaced.unwrap_or(rest);
    let rest = rest.strip_prefix(b"line ").unwrap_or(rest);
    let digits = number(rest)?;
    let closed = rest.get(digits) == Some(&b':');
    if spaced.is_some() && !rest[digits..].starts_with(b": ") {
        return None;
    }
    let is_plain = extension().is_some_and(|last| last.eq_ignore_ascii_case(b"txt"));
    if is_plain && closed {
        let line = text.len() - rest.len() + digits + 1;
        let line = line + column(&text[line..]);
        let blank = text.get(line).is_none_or(u8::is_ascii_whitespace);
        return Some(if blank { Position::Place } else { Position::Line(line) });
    }
    (is_plain || in_folder && closed || is_code()).then_some(Position::Place)
}

/// Length of a column with its colon, if one is there.
fn column(text: &[u8]) -> usize {
    number(text).filter(|&length| text.get(length) == Some(&b':')).map_or(0, |length| length + 1)
}

/// Length of the number at the start of `text`, when nothing of a value goes on behind it.
fn number(text: &[u8]) -> Option<usize> {
    let length = text.iter().take(DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
    let ends = text
        .get(length)
        .is_none_or(|&byte| byte.is_ascii_whitespace() || b":),;]}.'\"`<>|-\\".contains(&byte));
    ((1..=DIGITS).contains(&length) && ends).then_some(length)
}
