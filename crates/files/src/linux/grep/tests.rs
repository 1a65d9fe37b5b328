//! Bounds of a search, tried with small ones.

use std::time::{Duration, Instant};

use crate::linux::answer::{FoundFiles, FoundLines, SearchStop};
use crate::linux::files::Files;
use crate::linux::request::{GlobRequest, GrepRequest, Request};
use crate::linux::testing::Folder;
use crate::linux::walk::{MAX_DEPTH, MAX_DURATION, MAX_ENTRIES, SearchBounds};

fn search(files: &Files, bounds: &SearchBounds) -> (FoundLines, FoundFiles) {
    let grep = GrepRequest::parse(r#"{ "pattern": "hit", "path": "." }"#).unwrap();
    let glob = GlobRequest::parse(r#"{ "pattern": "**", "path": "." }"#).unwrap();
    (files.grep_within(&grep, bounds).unwrap(), files.glob_within(&glob, bounds).unwrap())
}

#[test]
fn the_bounds_are_those_that_are_documented() {
    assert_eq!((MAX_ENTRIES, MAX_DEPTH, MAX_DURATION), (200_000, 64, Duration::from_secs(30)));
    let bounds = SearchBounds::from_now();
    assert_eq!((bounds.entries, bounds.depth), (MAX_ENTRIES, MAX_DEPTH));
}

#[test]
fn as_many_entries_are_looked_at() {
    let folder = Folder::new("grep-entries");
    // Six entries with the folder.
    for name in ["a", "b", "c/d", "c/e", "f"] {
        folder.file(name, "hit\n");
    }
    let files = folder.files();
    for (entries, found, stopped) in [
        (7, 5, None),
        (6, 5, None),
        (5, 4, Some(SearchStop::Entries)),
        (0, 0, Some(SearchStop::Entries)),
    ] {
        let (grep, glob) = search(&files, &SearchBounds { entries, ..SearchBounds::from_now() });
        assert_eq!((grep.total_matches, grep.stopped), (found, stopped), "{entries}");
        assert_eq!((glob.total, glob.stopped), (found, stopped), "{entries}");
        assert_eq!((grep.truncated, glob.truncated), (stopped.is_some(), stopped.is_some()));
    }
}

#[test]
fn folders_are_entered_as_deep() {
    let folder = Folder::new("grep-depth");
    folder.file("a/b/deep", "hit\n");
    folder.file("z", "hit\n");
    let files = folder.files();
    for (depth, found, stopped) in [(3, 2, None), (2, 1, Some(SearchStop::Entries))] {
        let (grep, glob) = search(&files, &SearchBounds { depth, ..SearchBounds::from_now() });
        assert_eq!((grep.total_matches, grep.stopped), (found, stopped));
        assert_eq!((glob.total, glob.stopped), (found, stopped));
    }
}

#[test]
fn when_the_time_is_over_there_is_what_was_found() {
    let folder = Folder::new("grep-deadline");
    folder.file("a", "hit\n");
    let files = folder.files();
    let (grep, glob) =
        search(&files, &SearchBounds { deadline: Instant::now(), ..SearchBounds::from_now() });
    assert_eq!((grep.total_matches, grep.stopped), (0, Some(SearchStop::Deadline)));
    assert_eq!((glob.total, glob.stopped), (0, Some(SearchStop::Deadline)));
    // In the middle of a file: its first block is searched, the rest is not.
    folder.file("a", &format!("hit\n{}hit\n", "line\n".repeat(100_000)));
    let request = GrepRequest::parse(r#"{ "pattern": "hit", "path": "a" }"#).unwrap();
    let bounds = SearchBounds { deadline: Instant::now(), ..SearchBounds::from_now() };
    let answer = files.grep_within(&request, &bounds).unwrap();
    assert_eq!((answer.total_matches, answer.stopped), (1, Some(SearchStop::Deadline)));
    assert_eq!(answer.files[0].lines[0].text, "hit");
}
