//! The word that names a program, taken apart.

/// How a path stands to the trusted directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// No slash: looked up on the search path, which the host fixes.
    Bare,
    /// In a trusted directory, whatever symbolic links there are outside of those.
    Trusted,
    /// Anywhere else.
    Untrusted,
}

/// A program as named by the first word of a command.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The last component, as written.
    pub(crate) base: String,
    /// `base` in lower case and without `.exe`: what tables and the deny side compare.
    pub(crate) folded: String,
    /// The lexically normalised absolute path, when an absolute path was written.
    pub(crate) path: Option<String>,
    pub(crate) origin: Origin,
}

/// Lower case, without `.exe`.
pub(crate) fn fold(name: &str) -> String {
    let lower = name.to_lowercase();
    match lower.strip_suffix(".exe") {
        Some(stem) if !stem.is_empty() => stem.to_owned(),
        _ => lower,
    }
}

/// The last component of a word, as a program name; empty for a directory.
pub(crate) fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

impl Program {
    pub(crate) fn parse(word: &str, trusted: &[String]) -> Self {
        let base = base_name(word).to_owned();
        let folded = fold(&base);
        if !word.contains('/') {
            return Self { base, folded, path: None, origin: Origin::Bare };
        }
        let Some((path, plain)) = normalise(word, trusted) else {
            return Self { base, folded, path: None, origin: Origin::Untrusted };
        };
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let listed = trusted.iter().any(|known| known.trim_end_matches('/') == directory);
        let origin = if listed && plain { Origin::Trusted } else { Origin::Untrusted };
        Self { base, folded, path: Some(path), origin }
    }

    /// `folded` without a version and without the target of a tool chain: `x86_64-linux-gnu-gcc-12` is a `gcc`.
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

/// The name of a tool behind its target (`arm-none-eabi-ld`), or in front of it (`perl5.36-x86_64-linux-gnu`).
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

/// Removes empty parts, `.` and `..`. The flag is false when a `..` leaves a directory that is not
/// a trusted one or above one: that directory could be a symbolic link, so that the kernel would
/// arrive somewhere else.
fn normalise(word: &str, trusted: &[String]) -> Option<(String, bool)> {
    let mut parts: Vec<&str> = Vec::new();
    let mut plain = true;
    for part in word.strip_prefix('/')?.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                let left = format!("/{}/", parts.join("/"));
                plain &= left == "//"
                    || trusted.iter().any(|known| {
                        format!("{}/", known.trim_end_matches('/')).starts_with(&left)
                    });
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    Some((format!("/{}", parts.join("/")), plain))
}

#[cfg(test)]
mod tests;
