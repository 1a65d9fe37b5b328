//! Variables that are data with some values and choose programs, code or files with others.

/// They start their value as an editor. These do nothing, or print the file.
const EDITORS: [&str; 4] = ["EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR"];
/// They start their value, `cat` if need be.
const PAGERS: [&str; 4] = ["PAGER", "GIT_PAGER", "MANPAGER", "GH_PAGER"];
/// What programs of databases read, and nothing that loads more than a driver of that name.
const DATABASES: [&str; 8] =
    ["postgres", "postgresql", "mysql", "mysql2", "mariadb", "sqlite", "sqlite3", "mongodb"];
/// Options of compilers that take no path and no other program.
const COMPILER_WORDS: [&str; 6] = ["-W", "-g", "-s", "-pipe", "-pthread", "-static"];
/// Beginnings of such options, where a value follows that is a name or a number. `-g` alone also begins
/// `-gcc-toolchain`, and `-f` also begins `-fuse-ld=` and `-fmodule-mapper=`.
const COMPILER_BEGINNINGS: [&str; 11] = [
    "-O",
    "-ggdb",
    "-gdwarf",
    "-std=",
    "-march=",
    "-mtune=",
    "-mcpu=",
    "-fsanitize=",
    "-fvisibility=",
    "-fcf-protection=",
    "-flto=",
];
/// What `-C` of rustc may set; others name linkers and their arguments.
const CODEGEN: [&str; 4] = ["opt-level", "debuginfo", "target-cpu", "debug-assertions"];

/// Whether the value of the variable is certain to name no program, no code and no file with options.
pub(super) fn is_data(name: &str, value: &str) -> bool {
    let is_switch = || matches!(value, "0" | "1" | "2" | "true" | "false");
    match name {
        _ if PAGERS.contains(&name) => matches!(value, "" | "cat"),
        _ if EDITORS.contains(&name) => matches!(value, "" | ":" | "true" | "cat"),
        // Other values are files to write.
        _ if name.starts_with("GIT_TRACE") => is_switch(),
        "HUSKY" => matches!(value, "0" | "1"),
        "MAKEFLAGS" => value.strip_prefix("-j").is_some_and(is_number),
        "CFLAGS" | "CXXFLAGS" | "LDFLAGS" => value.split(' ').all(is_compiler_word),
        "RUSTFLAGS" | "RUSTDOCFLAGS" => are_rust_words(value),
        // Where cargo and install write, as `--target-dir` does. Nothing is looked up there that is not made there.
        "CARGO_TARGET_DIR" | "DESTDIR" => consists(value, "/._-"),
        // A part of host names.
        "AWS_REGION" | "AWS_DEFAULT_REGION" => consists(value, "-"),
        // Queries set options of drivers, of which some load code.
        "DATABASE_URL" => value
            .split_once(':')
            .is_some_and(|(scheme, rest)| DATABASES.contains(&scheme) && consists(rest, "/._-:@")),
        _ => false,
    }
}

fn consists(text: &str, others: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_compiler_word(word: &str) -> bool {
    if word.is_empty() || COMPILER_WORDS.contains(&word) {
        return true;
    }
    let known = |beginning: &&str| {
        word.strip_prefix(*beginning).is_some_and(|rest| rest.is_empty() || consists(rest, "+-.,"))
    };
    let (Some(letter), Some(rest)) = (word.get(..2), word.get(2..)) else { return false };
    match letter {
        _ if COMPILER_BEGINNINGS.iter().any(known) => true,
        // With a comma it hands options to the linker, the assembler or the preprocessor.
        "-W" => consists(rest, "-+="),
        "-f" => consists(rest, "-") && !rest.contains("plugin"),
        "-g" => is_number(rest),
        "-D" => is_definition(rest),
        "-I" => is_inside(rest),
        _ => false,
    }
}

/// A macro by its usual name, alone or with a number: others could put one function in the place of another.
fn is_definition(text: &str) -> bool {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let number = value.starts_with(|c: char| c.is_ascii_digit()) && consists(value, "");
    !name.is_empty() && name.chars().all(upper) && number
}

/// A folder of the project. Headers are code.
fn is_inside(path: &str) -> bool {
    consists(path, "/._-") && !path.starts_with('/') && path.split('/').all(|part| part != "..")
}

fn are_rust_words(value: &str) -> bool {
    let mut words = value.split(' ').filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let (Some(letter), Some(rest)) = (word.get(..2), word.get(2..)) else { return false };
        let Some(argument) = (if rest.is_empty() { words.next() } else { Some(rest) }) else {
            return false;
        };
        let fits = match letter {
            "-D" | "-W" | "-A" => !argument.starts_with('-') && consists(argument, "_:-"),
            "-C" => argument
                .split_once('=')
                .is_some_and(|(key, setting)| CODEGEN.contains(&key) && consists(setting, "._-")),
            _ => false,
        };
        if !fits {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_data;

    #[test]
    fn values_that_are_data() {
        for (name, value) in [
            ("GIT_TRACE", "1"),
            ("GIT_TRACE_PACKET", "true"),
            ("HUSKY", "0"),
            ("MAKEFLAGS", "-j4"),
            ("CFLAGS", "-O2 -g -Wall -Wno-error=format -DNDEBUG -D_FORTIFY_SOURCE=2 -Iinclude/x"),
            ("CXXFLAGS", "-std=c++20  -fPIC -fsanitize=address,undefined -ggdb3 -march=native"),
            ("LDFLAGS", ""),
            ("RUSTFLAGS", "-D warnings -Aunused -C target-cpu=native -Copt-level=3"),
            ("RUSTDOCFLAGS", "-D rustdoc::broken_intra_doc_links"),
            ("CARGO_TARGET_DIR", "/tmp/target-x"),
            ("DESTDIR", "stage"),
            ("AWS_REGION", "eu-central-1"),
            ("DATABASE_URL", "postgres://u:p@localhost:5432/d"),
            ("GIT_EDITOR", "true"),
            ("EDITOR", ":"),
            ("VISUAL", ""),
            ("GIT_SEQUENCE_EDITOR", "cat"),
        ] {
            assert!(is_data(name, value), "{name}={value}");
        }
    }

    #[test]
    fn values_that_choose_something() {
        for (name, value) in [
            ("GIT_TRACE", "/tmp/x"),
            ("GIT_TRACE2", "af_unix:/tmp/x"),
            ("HUSKY", "x"),
            ("MAKEFLAGS", "-j4 -f x"),
            ("MAKEFLAGS", "-j"),
            ("MAKEFLAGS", "-j4 SHELL=x"),
            ("CFLAGS", "-fplugin=./x.so"),
            ("CFLAGS", "-fuse-linker-plugin"),
            ("CFLAGS", "-fuse-ld=./x"),
            ("CFLAGS", "-fmodule-mapper=|x"),
            ("CFLAGS", "-B."),
            ("CFLAGS", "-Wl,-rpath,x"),
            ("CFLAGS", "-Wa,x"),
            ("CFLAGS", "-gcc-toolchain x"),
            ("CFLAGS", "-O2;id"),
            ("CFLAGS", "-O2\t-B."),
            ("CFLAGS", "-Dputs=system"),
            ("CFLAGS", "-DF=system"),
            ("CFLAGS", "-I/tmp/x"),
            ("CFLAGS", "-Ia/../../x"),
            ("CFLAGS", "-include x"),
            ("CFLAGS", "@x"),
            ("CFLAGS", "é"),
            ("LDFLAGS", "-lx"),
            ("LDFLAGS", "-L."),
            ("RUSTFLAGS", "-C linker=./x"),
            ("RUSTFLAGS", "-Clink-arg=x"),
            ("RUSTFLAGS", "-D"),
            ("RUSTFLAGS", "-D -C linker=x"),
            ("RUSTFLAGS", "-Zx"),
            ("RUSTFLAGS", "@x"),
            ("CARGO_TARGET_DIR", "a b"),
            ("AWS_REGION", "x.evil/"),
            ("DATABASE_URL", "jdbc:h2:mem:x"),
            ("DATABASE_URL", "sqlite3:x?extensions=./x.so"),
            ("GIT_EDITOR", "vi"),
            ("EDITOR", "./true"),
            ("EDITOR", "cat x"),
            ("PYTHONPATH", "x"),
            ("NODE_PATH", "x"),
            ("TMPDIR", "x"),
        ] {
            assert!(!is_data(name, value), "{name}={value}");
        }
    }
}
