//! Unified diffs, with what git says around them.

use super::parse::{Action, FilePatch, Hunk, Reader, Sign};
use crate::refusal::Refusal;

const NOWHERE: &str = "/dev/null";
/// What stands before the signature of a mail, and at the beginning of the next mail in a file.
const SIGNATURE: &str = "-- ";
const NEXT_MAIL: &str = "From ";
/// What programs put before the path of the old and of the new file.
const PREFIXES: [&str; 6] = ["a/", "b/", "i/", "w/", "c/", "o/"];

/// What stands before the hunks of a file.
#[derive(Default)]
struct Head {
    old: Option<String>,
    new: Option<String>,
    renamed: Option<(String, String)>,
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
            files.push(file(reader, head, hunks)?);
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
        let (old, new) = both(names.trim_end()).unwrap_or_default();
        (head.old, head.new) = (Some(old), Some(new));
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
            head.renamed = Some((unquoted(path), String::new()));
        } else if let Some(path) = word("rename to ") {
            head.renamed = head.renamed.map(|(from, _)| (from, unquoted(path)));
        } else if line.starts_with("old mode ") || line.starts_with("new mode ") {
            return Err(
                reader.invalid("changes the mode of a file, which no patch does; leave it out")
            );
        } else if line.starts_with("copy from ") || line.starts_with("copy to ") {
            return Err(reader.invalid("copies a file, which no patch does; add it as a new one"));
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return Err(reader.invalid("is about a binary file, which no patch changes"));
        } else if line.starts_with("--- ")
            && reader.ahead(1).is_some_and(|next| next.starts_with("+++ "))
        {
            head.old = Some(name(&line[4..]));
            head.new = reader.ahead(1).map(|line| name(&line[4..]));
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

fn file(reader: &Reader<'_>, head: Head, hunks: Vec<Hunk>) -> Result<FilePatch, Refusal> {
    let (old, new) = (head.old.unwrap_or_default(), head.new.unwrap_or_default());
    let (is_new, is_gone) = (head.is_new || old == NOWHERE, head.is_gone || new == NOWHERE);
    let mismatch =
        || reader.invalid("comes after a file with hunks that do not fit what becomes of it");
    if let Some((from, to)) = head.renamed {
        return Ok(FilePatch { path: from, action: Action::Update { hunks, move_to: Some(to) } });
    }
    let path = if is_new && old == NOWHERE {
        without_prefix(&new).to_owned()
    } else if is_gone && new == NOWHERE {
        without_prefix(&old).to_owned()
    } else {
        let same = if old == new { Some(old.as_str()) } else { same_rest(&old, &new) };
        same.ok_or_else(|| {
            reader.invalid("comes after `---` and `+++` with two paths; a file is moved with `rename from` and `rename to`")
        })?
        .to_owned()
    };
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

/// The two paths after `diff --git`: quoted, or the same but for what stands before them.
fn both(names: &str) -> Option<(String, String)> {
    if names.starts_with('"') {
        let (first, second) = names.split_at(names.find("\" ")? + 1);
        return Some((unquoted(first), unquoted(second.trim_start())));
    }
    let middle = names.match_indices(' ').map(|(at, _)| names.split_at(at));
    let mut halves = middle.map(|(old, new)| (old, &new[1..]));
    let (old, new) = halves.find(|(old, new)| old == new || same_rest(old, new).is_some())?;
    Some((old.to_owned(), new.to_owned()))
}

/// The path after `---` or `+++`, without the time that may follow it.
fn name(text: &str) -> String {
    unquoted(text.split('\t').next().unwrap_or_default().trim_end())
}

fn without_prefix(path: &str) -> &str {
    PREFIXES.iter().find_map(|prefix| path.strip_prefix(prefix)).unwrap_or(path)
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
