//! One spelling for all names that some file system or program takes for the same name.

use unicode_normalization::UnicodeNormalization;

/// Code points that are not shown and that some file systems ignore (Unicode's `Default_Ignorable_Code_Point`).
pub fn is_ignorable(char: char) -> bool {
    matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The folded form of a component: without ignorable code points, in NFKC, without letter case, and without dots or
/// blanks at its end. No single file system ignores all of these differences: the rules refuse too many names rather
/// than too few.
pub fn fold(component: &str) -> String {
    let mut folded = if component.is_ascii() {
        component.to_ascii_lowercase()
    } else {
        // Upper case first: it also joins letters that have the same capital, as `ı` and `i`, or `ß` and `ss`.
        let shown = component.chars().filter(|&char| !is_ignorable(char)).nfkc();
        shown.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect()
    };
    folded.truncate(folded.trim_end_matches(['.', ' ']).len());
    folded
}

/// The folded components of a path. Empty ones and `.` are left out, and `..` removes the one before it.
pub(super) fn components(path: &str) -> Vec<String> {
    let mut components = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => drop(components.pop()),
            name => components.push(fold(name)),
        }
    }
    components
}
