//! Takes the word that names a program apart.

/// How the path of a program relates to the trusted directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The word has no slash, so that the program is found on the host's search path.
    Bare,
    /// The program is in a trusted directory, wherever symbolic links elsewhere may lead.
    Trusted,
    /// The program is anywhere else.
    Untrusted,
}

/// The program that the first word of a command names.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The last component, as written.
    pub(crate) base: String,
    /// `base` in lower case and without `.exe`, as tables and the deny list compare it.
    pub(crate) folded: String,
    /// The absolute paths, without `.` and `..`, that a word with a slash may stand for: one for each directory that a
    /// script may be in. None when the directory is unknown.
    pub(crate) paths: Vec<String>,
    /// Whether a rule for a place names it. The code of such a program is trusted.
    pub(crate) is_at_place: bool,
    pub(crate) origin: Origin,
}

/// The name in lower case and without `.exe`.
pub(crate) fn fold(name: &str) -> String {
    let lower = name.to_lowercase();
    match lower.strip_suffix(".exe") {
        Some(stem) if !stem.is_empty() => stem.to_owned(),
        _ => lower,
    }
}

/// The last component of a path. Empty when the path ends with a slash.
pub(crate) fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

impl Program {
    pub(crate) fn parse(word: &str, trusted: &[String]) -> Self {
        let base = base_name(word).to_owned();
        let folded = fold(&base);
        if !word.contains('/') {
            return Self::new(base, folded, Origin::Bare, Vec::new());
        }
        let Some((path, is_certain)) = normalise(word, trusted) else {
            return Self::new(base, folded, Origin::Untrusted, Vec::new());
        };
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let listed = trusted.iter().any(|known| known.trim_end_matches('/') == directory);
        let origin = if listed && is_certain { Origin::Trusted } else { Origin::Untrusted };
        Self::new(base, folded, origin, vec![path])
    }

    /// A program that is found on the search path by this name, which is written as tables have it.
    pub(crate) fn bare(name: &str) -> Self {
        Self::new(name.to_owned(), name.to_owned(), Origin::Bare, Vec::new())
    }

    fn new(base: String, folded: String, origin: Origin, paths: Vec<String>) -> Self {
        Self { base, folded, paths, is_at_place: false, origin }
    }

    /// `folded` without a version and without the target of a tool chain: the kind of `x86_64-linux-gnu-gcc-12` is
    /// `gcc`.
    pub(crate) fn kind(&self) -> &str {
        let mut kind = self.folded.as_str();
        loop {
            let stem = kind.trim_end_matches(|c: char| c.is_ascii_digit());
            match stem
                .strip_suffix(['-', '.'])
                .filter(|rest| stem.len() < kind.len() && !rest.is_empty())
            {
                Some(rest) => kind = rest,
                None => break,
            }
        }
        without_target(kind)
    }
}

/// The name of a tool without the target that stands before it (`arm-none-eabi-ld`) or after it
/// (`perl5.36-x86_64-linux-gnu`).
fn without_target(name: &str) -> &str {
    for mark in ["-mingw32-", "-elf-", "-eabi-", "-eabihf-"] {
        if let Some((_, tool)) = name.split_once(mark) {
            return tool;
        }
    }
    for mark in ["-linux-", "-darwin"] {
        let Some((before, library)) = name.split_once(mark) else { continue };
        return match (library.split_once('-'), before.rsplit_once('-')) {
            (Some((_, tool)), _) => tool,
            (None, Some((tool, _))) if mark == "-linux-" => tool,
            (None, _) => library,
        };
    }
    name
}

/// Removes empty components, `.` and `..` from a path. The flag is false when a `..` leaves a directory that is neither
/// trusted nor above a trusted one: that directory may be a symbolic link, and then the kernel arrives elsewhere.
fn normalise(word: &str, trusted: &[String]) -> Option<(String, bool)> {
    let mut parts: Vec<&str> = Vec::new();
    let mut is_certain = true;
    for part in word.strip_prefix('/')?.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                let left_directory = format!("/{}/", parts.join("/"));
                is_certain &= left_directory == "//"
                    || trusted.iter().any(|known| {
                        format!("{}/", known.trim_end_matches('/')).starts_with(&left_directory)
                    });
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    Some((format!("/{}", parts.join("/")), is_certain))
}

#[cfg(test)]
mod tests;
