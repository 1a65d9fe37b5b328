//! Places beneath a root, as rules name them: `.venv/bin/pytest`, `./node_modules/.bin/*`, `target/**`.

use crate::config::ErrorKind;

/// The last part of a place that stands for every file in its folder.
pub(crate) const ANY_FILE: &str = "*";
/// The last part of a place that stands for everything beneath its folder.
pub(crate) const ANYTHING: &str = "**";

/// Whether a program of a rule is a place beneath a root.
pub(crate) fn is_place(program: &str) -> bool {
    program.contains('/') && !program.starts_with('/')
}

/// Checks a place. Its last part may be `*` or `**`, and no part is another pattern.
pub(crate) fn check(place: &str, is_pattern: impl Fn(&str) -> bool) -> Result<(), ErrorKind> {
    let (folder, last) = split(place);
    if is_pattern(folder) || (!is_whole_folder(last) && is_pattern(last)) {
        return Err(ErrorKind::PlacePattern);
    }
    let mut parts = folder.split('/').filter(|_| !folder.is_empty()).chain([last]);
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    if parts.all(is_plain) { Ok(()) } else { Err(ErrorKind::NotAbsolute) }
}

/// Whether the place includes this absolute path, beneath one of these roots.
pub(crate) fn includes(place: &str, roots: &[String], path: &str) -> bool {
    roots.iter().filter_map(|root| beneath(root, path)).any(|rest| is_named(place, rest))
}

/// A place that is exactly this path; `None` when it lies beneath none of these roots.
pub(crate) fn of_path(roots: &[String], path: &str) -> Option<String> {
    let rest = roots.iter().find_map(|root| beneath(root, path))?;
    Some(if rest.contains('/') { rest.to_owned() } else { format!("./{rest}") })
}

fn is_named(place: &str, rest: &str) -> bool {
    let (folder, last) = split(place);
    let inside = if folder.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'))
    };
    inside.is_some_and(|inside| match last {
        ANYTHING => true,
        ANY_FILE => !inside.contains('/'),
        name => inside == name,
    })
}

/// The part of a path after a root, which is not empty.
fn beneath<'p>(root: &str, path: &'p str) -> Option<&'p str> {
    let rest = path.strip_prefix(root.trim_end_matches('/'))?.strip_prefix('/')?;
    (!rest.is_empty()).then_some(rest)
}

/// The folder of a place, empty for the root itself, and its last part.
pub(crate) fn split(place: &str) -> (&str, &str) {
    let place = place.strip_prefix("./").unwrap_or(place);
    place.rsplit_once('/').unwrap_or(("", place))
}

fn is_whole_folder(last: &str) -> bool {
    matches!(last, ANY_FILE | ANYTHING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_includes_what_its_last_part_says() {
        let roots = ["/srv/app".to_owned(), "/lib/".to_owned()];
        for (place, path, expected) in [
            (".venv/bin/pytest", "/srv/app/.venv/bin/pytest", true),
            ("./.venv/bin/pytest", "/lib/.venv/bin/pytest", true),
            (".venv/bin/pytest", "/srv/app/x/.venv/bin/pytest", false),
            (".venv/bin/pytest", "/srv/apps/.venv/bin/pytest", false),
            ("./node_modules/.bin/*", "/srv/app/node_modules/.bin/tsc", true),
            ("./node_modules/.bin/*", "/srv/app/node_modules/.bin/x/tsc", false),
            ("./node_modules/.bin/*", "/srv/app/node_modules/.bin", false),
            ("target/**", "/srv/app/target/debug/deps/app", true),
            ("target/**", "/srv/app/target", false),
            ("target/**", "/srv/app/targets/x", false),
            ("./*", "/srv/app/gradlew", true),
            ("./*", "/srv/app/x/gradlew", false),
            ("./gradlew", "/srv/app/gradlew", true),
            ("./**", "/srv/app/x/y", true),
        ] {
            assert_eq!(includes(place, &roots, path), expected, "{place} {path}");
        }
        assert_eq!(of_path(&roots, "/lib/run").as_deref(), Some("./run"));
        assert_eq!(of_path(&roots, "/srv/app/a/b").as_deref(), Some("a/b"));
        assert_eq!(of_path(&roots, "/srv/app"), None);
    }
}
