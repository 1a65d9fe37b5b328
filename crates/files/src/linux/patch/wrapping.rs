//! What comes around a patch, and is read through: a fence of Markdown, the here-document of a shell, the same blanks before
//! every line.

/// Most wrappings, one in the other.
const MAX_WRAPPINGS: usize = 4;
const FENCES: [&str; 2] = ["```", "~~~"];
/// Signs between `<<` and the word that ends a here-document.
const QUOTES: [char; 3] = ['\'', '"', '\\'];

/// The lines of a patch without what is around them, and the number of lines before them.
pub(super) fn unwrapped(
    mut lines: Vec<&str>,
    is_begin: impl Fn(&str) -> bool,
) -> (Vec<&str>, usize) {
    let mut before = 0;
    for _ in 0..MAX_WRAPPINGS {
        let Some(first) = lines.iter().position(|line| !line.trim().is_empty()) else { break };
        let last = lines.iter().rposition(|line| !line.trim().is_empty()).unwrap_or(first);
        if last == first || !is_wrapped(lines[first], lines[last]) {
            break;
        }
        lines.truncate(last);
        lines.drain(..=first);
        before += first + 1;
    }
    // A patch that was moved to the right as a whole.
    if let Some(begin) = lines.iter().find(|line| is_begin(line.trim())) {
        let blanks = &begin[..begin.len() - begin.trim_start().len()];
        let is_moved = |line: &&&str| !line.trim().is_empty();
        if !blanks.is_empty() && lines.iter().filter(is_moved).all(|line| line.starts_with(blanks))
        {
            for line in &mut lines {
                *line = line.strip_prefix(blanks).unwrap_or_default();
            }
        }
    }
    (lines, before)
}

/// Whether two lines are the first and the last of a wrapping.
fn is_wrapped(first: &str, last: &str) -> bool {
    let (first, last) = (first.trim(), last.trim());
    let fence = FENCES.iter().find(|fence| first.starts_with(**fence));
    if let Some(fence) = fence {
        return last == *fence;
    }
    let word = first.split_once("<<").map(|(_, word)| word.trim_start_matches('-').trim_start());
    let word = word.and_then(|word| word.split_whitespace().next());
    let word = word.map(|word| word.trim_matches(QUOTES)).filter(|word| !word.is_empty());
    !first.starts_with(['+', '-', '@', '*']) && word == Some(last)
}
