//! Parses unified diffs, with the header lines of git and the text of mails around them.

use super::parse::{Action, FilePatch, Hunk, PatchReader, Sign};
use crate::refusal::Refusal;

const NO_FILE: &str = "/dev/null";
/// The line before the signature of a mail.
const MAIL_SIGNATURE: &str = "-- ";
/// The beginning of the next mail in a file.
const MAIL_START: &str = "From ";
/// Prefixes that git puts before the paths of the old and the new file.
const PATH_PREFIXES: [&str; 6] = ["a/", "b/", "i/", "w/", "c/", "o/"];
/// Longest text of the two paths after `diff --git`.
const MAX_GIT_PATHS_BYTES: usize = 8192;

/// The lines before the hunks of a file.
#[derive(Default)]
struct FileHeader {
    /// Both paths as `diff --git` has them, divided by a blank.
    git_paths: Option<String>,
    /// The paths after `---` and `+++`.
    old_and_new: Option<(String, String)>,
    renamed_from: Option<String>,
    renamed_to: Option<String>,
    is_new: bool,
    is_deleted: bool,
    is_executable: bool,
}

pub(super) fn parse(reader: &mut PatchReader<'_>) -> Result<Vec<FilePatch>, Refusal> {
    let mut files = Vec::new();
    // The text of a mail or a commit comes before its first file.
    let mut is_preamble = true;
    while let Some(line) = reader.peek() {
        if line.starts_with("diff --git ") || is_file_header(reader) {
            is_preamble = false;
            let read_header = read_header(reader)?;
            let hunks = reader.hunks(|reader, last| ends_hunks(reader, last))?;
            reader.check_end(hunks.last())?;
            files.push(file_patch(reader, &read_header, hunks)?);
        } else if line == MAIL_SIGNATURE && !is_preamble {
            skip_signature(reader)?;
            is_preamble = reader.peek().is_some_and(|line| line.starts_with(MAIL_START));
        } else if is_preamble && !looks_like_patch(reader) || line.trim().is_empty() {
            reader.next();
        } else {
            return Err(reader.invalid("belongs to no file"));
        }
    }
    if is_preamble && !files.is_empty() {
        return Err(reader.invalid("is its last, and belongs to no file: it seems to be cut off"));
    }
    Ok(files)
}

/// Whether the next line, within the text of a mail, is one that only a patch has.
fn looks_like_patch(reader: &PatchReader<'_>) -> bool {
    let begins = |by, with: &str| reader.peek_at(by).is_some_and(|line| line.starts_with(with));
    begins(0, "@@") || begins(0, "***") || begins(0, "--- ") && begins(1, "+++ ")
}

/// Skips the end of a mail: the line `-- ` and the lines of text after it. Without text after it, `-- ` may be a removed line
/// that the numbers of its `@@` line do not count, and is refused.
fn skip_signature(reader: &mut PatchReader<'_>) -> Result<(), Refusal> {
    reader.next();
    let is_text = |line: &str| !line.starts_with(['+', '-', ' ', '@', '\\', '*']);
    if !reader.peek().is_some_and(|line| is_text(line) && !line.is_empty()) {
        let why =
            "comes after `-- `, which ends a mail, or removes a line more than its @@ line says";
        return Err(reader.invalid(why));
    }
    let begins_next_mail =
        |line: &str| line.starts_with(MAIL_START) || line.starts_with("diff --git ");
    while reader.peek().is_some_and(|line| is_text(line) && !begins_next_mail(line)) {
        reader.next();
    }
    Ok(())
}

/// Whether the next lines are `--- old`, `+++ new` and a hunk.
fn is_file_header(reader: &PatchReader<'_>) -> bool {
    let begins = |by, with: &str| reader.peek_at(by).is_some_and(|line| line.starts_with(with));
    begins(0, "--- ") && begins(1, "+++ ") && begins(2, "@@ -")
}

/// Whether the next line ends the hunks of a file. A removed and a new line may look like the header of the next file; then
/// exactly one old and one new line of the hunk are still to come.
fn ends_hunks(reader: &PatchReader<'_>, last: Option<&Hunk>) -> bool {
    let line = reader.peek().unwrap_or_default();
    line.starts_with("diff --git ")
        || (line == MAIL_SIGNATURE && last.is_some_and(Hunk::is_complete))
        || (is_file_header(reader) && last.and_then(Hunk::missing_lines) != Some((1, 1)))
}

fn read_header(reader: &mut PatchReader<'_>) -> Result<FileHeader, Refusal> {
    let mut read_header = FileHeader::default();
    if let Some(names) = reader.peek().and_then(|line| line.strip_prefix("diff --git ")) {
        read_header.git_paths = Some(names.trim_end().to_owned());
        reader.next();
    }
    while let Some(line) = reader.peek() {
        let word = |with| line.strip_prefix(with).map(str::trim_end);
        let mode = word("new file mode ").or_else(|| word("deleted file mode "));
        let mode = mode.or_else(|| {
            word("index ")
                .and_then(|unread_bytes| unread_bytes.split_once(' '))
                .map(|(_, mode)| mode)
        });
        if mode.is_some_and(|mode| mode != "100644" && mode != "100755") {
            return Err(
                reader.invalid("is about a link or a submodule, which no patch makes or changes")
            );
        }
        if line.starts_with("new file mode ") {
            read_header.is_new = true;
            read_header.is_executable = mode == Some("100755");
        } else if line.starts_with("deleted file mode ") {
            read_header.is_deleted = true;
        } else if let Some(path) = word("rename from ") {
            read_header.renamed_from = Some(unquoted(path));
        } else if let Some(path) = word("rename to ") {
            read_header.renamed_to = Some(unquoted(path));
        } else if line.starts_with("old mode ") || line.starts_with("new mode ") {
            return Err(
                reader.invalid("changes the mode of a file, which no patch does; leave it out")
            );
        } else if line.starts_with("copy from ") || line.starts_with("copy to ") {
            return Err(reader.invalid("copies a file, which no patch does; add it as a new one"));
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return Err(reader.invalid("is about a binary file, which no patch changes"));
        } else if let (Some(old), Some(new)) = (
            line.strip_prefix("--- "),
            reader.peek_at(1).and_then(|next| next.strip_prefix("+++ ")),
        ) {
            read_header.old_and_new = Some((header_path(old), header_path(new)));
            reader.next();
            reader.next();
            break;
        } else if !["index ", "similarity index ", "dissimilarity index "]
            .iter()
            .any(|word| line.starts_with(word))
        {
            break;
        }
        reader.next();
    }
    Ok(read_header)
}

fn file_patch(
    reader: &PatchReader<'_>,
    read_header: &FileHeader,
    hunks: Vec<Hunk>,
) -> Result<FilePatch, Refusal> {
    let mismatch =
        || reader.invalid("comes after a file with hunks that do not fit what becomes of it");
    let Some((renamed_from, path)) = read_header.paths() else {
        let why = "comes after a head that names several files, or no file; a file is moved with `rename from` and \
                   `rename to`, which name what `diff --git`, `---` and `+++` do";
        return Err(reader.invalid(why));
    };
    let nowhere =
        read_header.old_and_new.as_ref().map(|(old, new)| (old == NO_FILE, new == NO_FILE));
    let (is_new, is_deleted) = nowhere.unwrap_or((read_header.is_new, read_header.is_deleted));
    if (read_header.is_new && !is_new) || (read_header.is_deleted && !is_deleted) {
        return Err(mismatch());
    }
    if read_header.renamed_to.is_some() {
        if is_new || is_deleted {
            return Err(mismatch());
        }
        return Ok(FilePatch {
            path: renamed_from,
            action: Action::Update { hunks, move_to: Some(path) },
        });
    }
    let action = match (is_new, is_deleted) {
        (true, true) => return Err(mismatch()),
        (true, false) => {
            let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
            let mut content = String::new();
            for line in lines {
                if line.sign != Sign::Added {
                    return Err(mismatch());
                }
                content.push_str(&line.text);
                content.push_str(if line.lacks_line_end { "" } else { "\n" });
            }
            Action::Add { content, is_executable: read_header.is_executable }
        }
        (false, true) => Action::Delete { hunks },
        (false, false) if hunks.is_empty() => return Err(mismatch()),
        (false, false) => Action::Update { hunks, move_to: None },
    };
    Ok(FilePatch { path, action })
}

impl FileHeader {
    /// The path of the file before and after, when all lines of the header fit together.
    fn paths(&self) -> Option<(String, String)> {
        let same_path = |path: &str| Some((path.to_owned(), path.to_owned()));
        let Some(git_paths) = &self.git_paths else {
            let (old, new) = self.old_and_new.as_ref()?;
            return match (old.as_str(), new.as_str()) {
                (NO_FILE, new) => same_path(new.strip_prefix("b/").unwrap_or(new)),
                (old, NO_FILE) => same_path(old.strip_prefix("a/").unwrap_or(old)),
                (old, new) if old == new => same_path(old),
                (old, new) => same_path(
                    new.strip_prefix("b/").filter(|&new| old.strip_prefix("a/") == Some(new))?,
                ),
            };
        };
        // Paths may have blanks: the dividing one is the one whose two sides fit the other lines.
        let blanks =
            git_paths.match_indices(' ').filter(|_| git_paths.len() <= MAX_GIT_PATHS_BYTES);
        blanks.map(|(at, _)| (unquoted(&git_paths[..at]), unquoted(&git_paths[at + 1..]))).find_map(
            |(old, new)| {
                let fits_path =
                    |path: &str, old_and_new: &str| old_and_new == path || old_and_new == NO_FILE;
                let fits = self.old_and_new.as_ref().is_none_or(|old_and_new| {
                    fits_path(&old, &old_and_new.0) && fits_path(&new, &old_and_new.1)
                });
                match (&self.renamed_from, &self.renamed_to) {
                    _ if !fits => None,
                    (None, None) if old == new => same_path(&old),
                    (None, None) => same_path(without_prefixes(&old, &new)?),
                    (Some(renamed_from), Some(renamed_to)) => (is_prefixed(&old, renamed_from)
                        && is_prefixed(&new, renamed_to))
                    .then(|| (renamed_from.clone(), renamed_to.clone())),
                    _ => None,
                }
            },
        )
    }
}

/// Whether a path is the bare path, with or without a prefix.
fn is_prefixed(path: &str, bare: &str) -> bool {
    path.strip_suffix(bare)
        .is_some_and(|prefix| prefix.is_empty() || PATH_PREFIXES.contains(&prefix))
}

/// The path after `---` or `+++`, without the time that may follow.
fn header_path(text: &str) -> String {
    unquoted(text.split('\t').next().unwrap_or_default().trim_end())
}

/// The path that both have after different prefixes.
fn without_prefixes<'p>(old: &'p str, new: &str) -> Option<&'p str> {
    let read_counts = |path: &str| PATH_PREFIXES.iter().any(|prefix| path.starts_with(prefix));
    (read_counts(old) && read_counts(new) && old[..2] != new[..2] && old[2..] == new[2..])
        .then(|| &old[2..])
}

/// A path without the quotes and escapes that git writes around special characters.
fn unquoted(text: &str) -> String {
    let Some(quoted) =
        text.strip_prefix('"').and_then(|unread_bytes| unread_bytes.strip_suffix('"'))
    else {
        return text.to_owned();
    };
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut unread_bytes = quoted.as_bytes();
    while let [byte, after @ ..] = unread_bytes {
        unread_bytes = after;
        if *byte != b'\\' {
            bytes.push(*byte);
            continue;
        }
        let octal = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            bytes.push(byte);
            unread_bytes = &after[3..];
        } else if let [byte, after @ ..] = after {
            bytes.push(match byte {
                b't' => b'\t',
                b'n' => b'\n',
                b'r' => b'\r',
                other => *other,
            });
            unread_bytes = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
