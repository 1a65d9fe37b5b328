//! Unified diffs, with what git says around them.

use super::parse::{Action, FilePatch, Hunk, Reader, Sign};
use crate::refusal::Refusal;

const NOWHERE: &str = "/dev/null";
/// What stands before the signature of a mail, and at the beginning of the next mail in a file.
const SIGNATURE: &str = "-- ";
const NEXT_MAIL: &str = "From ";
/// What git may put before the path of the old and of the new file.
const PREFIXES: [&str; 6] = ["a/", "b/", "i/", "w/", "c/", "o/"];
/// Longest two paths after `diff --git`.
const MAX_NAMES_BYTES: usize = 8192;

/// What stands before the hunks of a file.
#[derive(Default)]
struct Head {
    /// Both paths as they stand after `diff --git`.
    git: Option<String>,
    /// The paths after `---` and `+++`.
    named: Option<(String, String)>,
    from: Option<String>,
    to: Option<String>,
    is_new: bool,
    is_gone: bool,
    is_executable: bool,
}

pub(super) fn parse(reader: &mut Reader<'_>) -> Result<Vec<FilePatch>, Refusal> {
    let mut files = Vec::new();
    // What a mail or a commit says before its first file.
    let mut is_preamble = true;
    while let Some(line) = reader.peek() {
        if line.starts_with("diff --git ") || names_files(reader) {
            is_preamble = false;
            let head = head(reader)?;
            let hunks = reader.hunks(|reader, last| is_over(reader, last))?;
            reader.check_end(hunks.last())?;
            files.push(file(reader, &head, hunks)?);
        } else if line == SIGNATURE && !is_preamble {
            signature(reader)?;
            is_preamble = reader.peek().is_some_and(|line| line.starts_with(NEXT_MAIL));
        } else if is_preamble && !is_of_patch(reader) || line.trim().is_empty() {
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

/// Whether the next line of a mail's text is one that only a patch has.
fn is_of_patch(reader: &Reader<'_>) -> bool {
    let begins = |by, with: &str| reader.ahead(by).is_some_and(|line| line.starts_with(with));
    begins(0, "@@") || begins(0, "***") || begins(0, "--- ") && begins(1, "+++ ")
}

/// What a mail ends with: after the mark a line of text. The mark alone may also be a removed line that the numbers of its
/// `@@` line do not count.
fn signature(reader: &mut Reader<'_>) -> Result<(), Refusal> {
    reader.next();
    let is_text = |line: &str| !line.starts_with(['+', '-', ' ', '@', '\\', '*']);
    if !reader.peek().is_some_and(|line| is_text(line) && !line.is_empty()) {
        let why =
            "comes after `-- `, which ends a mail, or removes a line more than its @@ line says";
        return Err(reader.invalid(why));
    }
    let begins_next = |line: &str| line.starts_with(NEXT_MAIL) || line.starts_with("diff --git ");
    while reader.peek().is_some_and(|line| is_text(line) && !begins_next(line)) {
        reader.next();
    }
    Ok(())
}

/// Whether the next lines are `--- old`, `+++ new` and a hunk.
fn names_files(reader: &Reader<'_>) -> bool {
    let begins = |by, with: &str| reader.ahead(by).is_some_and(|line| line.starts_with(with));
    begins(0, "--- ") && begins(1, "+++ ") && begins(2, "@@ -")
}

/// Whether the next line belongs to no hunk. A removed line may look like the beginning of the next file; then the hunk
/// says that exactly the two lines that do are still to come.
fn is_over(reader: &Reader<'_>, last: Option<&Hunk>) -> bool {
    let line = reader.peek().unwrap_or_default();
    line.starts_with("diff --git ")
        || (line == SIGNATURE && last.is_some_and(Hunk::is_complete))
        || (names_files(reader) && last.and_then(Hunk::missing) != Some((1, 1)))
}

fn head(reader: &mut Reader<'_>) -> Result<Head, Refusal> {
    let mut head = Head::default();
    if let Some(names) = reader.peek().and_then(|line| line.strip_prefix("diff --git ")) {
        head.git = Some(names.trim_end().to_owned());
        reader.next();
    }
    while let Some(line) = reader.peek() {
        let word = |with| line.strip_prefix(with).map(str::trim_end);
        let mode = word("new file mode ").or_else(|| word("deleted file mode "));
        let mode = mode
            .or_else(|| word("index ").and_then(|rest| rest.split_once(' ')).map(|(_, mode)| mode));
        if mode.is_some_and(|mode| mode != "100644" && mode != "100755") {
            return Err(
                reader.invalid("is about a link or a submodule, which no patch makes or changes")
            );
        }
        if line.starts_with("new file mode ") {
            head.is_new = true;
            head.is_executable = mode == Some("100755");
        } else if line.starts_with("deleted file mode ") {
            head.is_gone = true;
        } else if let Some(path) = word("rename from ") {
            head.from = Some(unquoted(path));
        } else if let Some(path) = word("rename to ") {
            head.to = Some(unquoted(path));
        } else if line.starts_with("old mode ") || line.starts_with("new mode ") {
            return Err(
                reader.invalid("changes the mode of a file, which no patch does; leave it out")
            );
        } else if line.starts_with("copy from ") || line.starts_with("copy to ") {
            return Err(reader.invalid("copies a file, which no patch does; add it as a new one"));
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return Err(reader.invalid("is about a binary file, which no patch changes"));
        } else if let (Some(old), Some(new)) =
            (line.strip_prefix("--- "), reader.ahead(1).and_then(|next| next.strip_prefix("+++ ")))
        {
            head.named = Some((name(old), name(new)));
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
    Ok(head)
}

fn file(reader: &Reader<'_>, head: &Head, hunks: Vec<Hunk>) -> Result<FilePatch, Refusal> {
    let mismatch =
        || reader.invalid("comes after a file with hunks that do not fit what becomes of it");
    let Some((from, path)) = head.paths() else {
        let why = "comes after a head that names several files, or no file; a file is moved with `rename from` and \
                   `rename to`, which name what `diff --git`, `---` and `+++` do";
        return Err(reader.invalid(why));
    };
    let nowhere = head.named.as_ref().map(|(old, new)| (old == NOWHERE, new == NOWHERE));
    let (is_new, is_gone) = nowhere.unwrap_or((head.is_new, head.is_gone));
    if (head.is_new && !is_new) || (head.is_gone && !is_gone) {
        return Err(mismatch());
    }
    if head.to.is_some() {
        if is_new || is_gone {
            return Err(mismatch());
        }
        return Ok(FilePatch { path: from, action: Action::Update { hunks, move_to: Some(path) } });
    }
    let action = match (is_new, is_gone) {
        (true, true) => return Err(mismatch()),
        (true, false) => {
            let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
            let mut content = String::new();
            for line in lines {
                if line.sign != Sign::Added {
                    return Err(mismatch());
                }
                content.push_str(&line.text);
                content.push_str(if line.is_unended { "" } else { "\n" });
            }
            Action::Add { content, is_executable: head.is_executable }
        }
        (false, true) => Action::Delete { hunks },
        (false, false) if hunks.is_empty() => return Err(mismatch()),
        (false, false) => Action::Update { hunks, move_to: None },
    };
    Ok(FilePatch { path, action })
}

impl Head {
    /// The path of the file before and after, when all that the head says of it fits together.
    fn paths(&self) -> Option<(String, String)> {
        let both = |path: &str| Some((path.to_owned(), path.to_owned()));
        let Some(git) = &self.git else {
            let (old, new) = self.named.as_ref()?;
            return match (old.as_str(), new.as_str()) {
                (NOWHERE, new) => both(new.strip_prefix("b/").unwrap_or(new)),
                (old, NOWHERE) => both(old.strip_prefix("a/").unwrap_or(old)),
                (old, new) if old == new => both(old),
                (old, new) => both(
                    new.strip_prefix("b/").filter(|&new| old.strip_prefix("a/") == Some(new))?,
                ),
            };
        };
        // Which of the blanks divides the two is known by what they have to be.
        let blanks = git.match_indices(' ').filter(|_| git.len() <= MAX_NAMES_BYTES);
        blanks.map(|(at, _)| (unquoted(&git[..at]), unquoted(&git[at + 1..]))).find_map(
            |(old, new)| {
                let is = |path: &str, named: &str| named == path || named == NOWHERE;
                let fits = self
                    .named
                    .as_ref()
                    .is_none_or(|named| is(&old, &named.0) && is(&new, &named.1));
                match (&self.from, &self.to) {
                    _ if !fits => None,
                    (None, None) if old == new => both(&old),
                    (None, None) => both(same_rest(&old, &new)?),
                    (Some(from), Some(to)) => (is_prefixed(&old, from) && is_prefixed(&new, to))
                        .then(|| (from.clone(), to.clone())),
                    _ => None,
                }
            },
        )
    }
}

/// Whether the first is the second, or it with a prefix.
fn is_prefixed(path: &str, bare: &str) -> bool {
    path.strip_suffix(bare).is_some_and(|prefix| prefix.is_empty() || PREFIXES.contains(&prefix))
}

/// The path after `---` or `+++`, without the time that may follow it.
fn name(text: &str) -> String {
    unquoted(text.split('\t').next().unwrap_or_default().trim_end())
}

/// The path that both are with different prefixes.
fn same_rest<'p>(old: &'p str, new: &str) -> Option<&'p str> {
    let has = |path: &str| PREFIXES.iter().any(|prefix| path.starts_with(prefix));
    (has(old) && has(new) && old[..2] != new[..2] && old[2..] == new[2..]).then(|| &old[2..])
}

/// A path that git has put in quotes because of the characters in it.
fn unquoted(text: &str) -> String {
    let Some(quoted) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return text.to_owned();
    };
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut rest = quoted.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'\\' {
            bytes.push(*byte);
            continue;
        }
        let octal = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(byte) = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            bytes.push(byte);
            rest = &after[3..];
        } else if let [byte, after @ ..] = after {
            bytes.push(match byte {
                b't' => b'\t',
                b'n' => b'\n',
                b'r' => b'\r',
                other => *other,
            });
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
