//! What the public tests of two other tools check, as facts in words and texts of our own: where we answer the same, and where
//! a promise of ours says otherwise.

use handrail_files::{Files, Refusal, code};
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};
use crate::patching::{envelope, patch};

type Tree = &'static [(&'static str, &'static str)];

/// What becomes of a scenario: the tree afterwards, or the code of the refusal.
enum Outcome {
    Same(Tree),
    Refused(&'static str),
    /// The other tool does something else; the promise that says why not.
    Otherwise(&'static str, &'static str),
}

use Outcome::{Otherwise, Refused, Same};

/// The kinds of scenarios of codex's `apply_patch`.
const PATCHES: [(&str, Tree, &str, Outcome); 23] = [
    ("a file is added", &[], "*** Add File: n.md\n+one\n+two\n", Same(&[("n.md", "one\ntwo\n")])),
    (
        "one patch adds, updates and deletes",
        &[("m", "x\ny\n"), ("d", "gone\n")],
        "*** Add File: sub/n\n+new\n*** Delete File: d\n*** Update File: m\n@@\n-y\n+Y\n",
        Same(&[("m", "x\nY\n"), ("sub/n", "new\n")]),
    ),
    (
        "one file has several hunks",
        &[("m", "1\n2\n3\n4\n")],
        "*** Update File: m\n@@\n-2\n+two\n@@\n-4\n+four\n",
        Same(&[("m", "1\ntwo\n3\nfour\n")]),
    ),
    (
        "a file moves into a new folder",
        &[("old/n", "before\n"), ("old/o", "stays\n")],
        "*** Update File: old/n\n*** Move to: new/dir/n\n@@\n-before\n+after\n",
        Same(&[("new/dir/n", "after\n"), ("old/o", "stays\n")]),
    ),
    ("a patch without files", &[("f", "x\n")], "", Refused(code::INVALID_PATCH)),
    (
        "a line that is not there",
        &[("f", "one\ntwo\n")],
        "*** Update File: f\n@@\n-missing\n+x\n",
        Refused(code::NO_MATCH),
    ),
    (
        "a missing file is deleted",
        &[("f", "x\n")],
        "*** Delete File: g\n",
        Refused(code::NOT_FOUND),
    ),
    (
        "an update without hunks",
        &[("f", "x\n")],
        "*** Update File: f\n",
        Refused(code::INVALID_PATCH),
    ),
    (
        "a missing file is updated",
        &[("f", "x\n")],
        "*** Update File: g\n@@\n-x\n+y\n",
        Refused(code::NOT_FOUND),
    ),
    (
        "a move onto another file",
        &[("a", "one\n"), ("b", "two\n")],
        "*** Update File: a\n*** Move to: b\n@@\n-one\n+1\n",
        Otherwise(code::EXISTS, "a file that is moved to must not exist"),
    ),
    (
        "a file is added where one is",
        &[("f", "old\n")],
        "*** Add File: f\n+new\n",
        Otherwise(code::EXISTS, "a file that is added must not exist"),
    ),
    (
        "a folder is deleted",
        &[("d/f", "x\n")],
        "*** Delete File: d\n",
        Refused(code::IS_A_DIRECTORY),
    ),
    ("an unknown head", &[("f", "x\n")], "*** Frobnicate File: f\n", Refused(code::INVALID_PATCH)),
    (
        "the last line has no end and is replaced",
        &[("f", "only")],
        "*** Update File: f\n@@\n-only\n+one\n+two\n",
        Otherwise("one\ntwo", "whether the last line has a line end stays as it is"),
    ),
    (
        "the second file fails",
        &[],
        "*** Add File: n\n+x\n*** Update File: g\n@@\n-a\n+b\n",
        Otherwise(code::NOT_FOUND, "all or nothing"),
    ),
    (
        "a hunk that only adds",
        &[("f", "1\n2\n")],
        "*** Update File: f\n@@\n+3\n",
        Otherwise(code::NO_MATCH, "a hunk that only adds says where"),
    ),
    (
        "blanks before the head of a file",
        &[("f", "old\n")],
        "  *** Update File: f\n@@\n-old\n+new\n",
        Same(&[("f", "new\n")]),
    ),
    ("blanks around the markers", &[("f", "1\n")], " BLANKS", Same(&[("f", "2\n")])),
    (
        "letters outside of ASCII",
        &[("f", "a\nnaïve café\n")],
        "*** Update File: f\n@@\n a\n-naïve café\n+naïve café ✅\n",
        Same(&[("f", "a\nnaïve café ✅\n")]),
    ),
    (
        "a file is deleted",
        &[("f", "x\n"), ("k", "k\n")],
        "*** Delete File: f\n",
        Same(&[("k", "k\n")]),
    ),
    ("blanks around the last marker", &[("f", "1\n")], " BLANKS AFTER", Same(&[("f", "2\n")])),
    (
        "lines are only removed",
        &[("f", "1\n2\n3\n")],
        "*** Update File: f\n@@\n 1\n-2\n 3\n",
        Same(&[("f", "1\n3\n")]),
    ),
    (
        "a hunk at the end of the file",
        &[("f", "first\nsecond\n")],
        "*** Update File: f\n@@\n first\n-second\n+last\n*** End of File\n",
        Same(&[("f", "first\nlast\n")]),
    ),
];

#[test]
fn the_scenarios_of_apply_patch_have_these_answers() {
    let update = "*** Update File: f\n@@\n-1\n+2\n";
    let mut counts = (0, 0);
    for (name, before, body, outcome) in &PATCHES {
        let fixture = Fixture::new();
        for (path, text) in *before {
            fixture.file(path, text);
        }
        let text = match *body {
            " BLANKS" => format!(" *** Begin Patch\n{update}*** End Patch \n"),
            " BLANKS AFTER" => format!("*** Begin Patch \n{update} *** End Patch\n"),
            body => envelope(body),
        };
        let result = patch(&fixture.files(), &text);
        let stays = |tree: &Tree| {
            for (path, text) in *tree {
                assert_eq!(fixture.text(path), **text, "{name}");
            }
        };
        match (outcome, result) {
            (Same(after), result) => {
                result.unwrap_or_else(|why| panic!("{name}: {why}"));
                stays(after);
                counts.0 += 1;
            }
            (Refused(code), Err(refusal)) => {
                assert_eq!(refusal.code, *code, "{name}");
                stays(before);
                counts.0 += 1;
            }
            (Otherwise(expected, promise), result) => {
                match result {
                    Err(refusal) => {
                        assert_eq!(refusal.code, *expected, "{name}: {promise}");
                        stays(before);
                    }
                    Ok(_) => assert_eq!(fixture.text("f"), **expected, "{name}: {promise}"),
                }
                counts.1 += 1;
            }
            (_, Ok(answer)) => panic!("{name}: {answer}"),
        }
    }
    assert_eq!(counts, (18, 5));
}

fn replace(files: &Files, old: &str, new: &str) -> Result<Value, Refusal> {
    let request = json!({ "path": "f", "edits": [{ "old": old, "new": new }] });
    ask(&request, |request| files.edit(request))
}

/// The kinds of cases of the edit tool of gemini-cli: name, file, old text, new text, outcome.
const EDITS: [(&str, &str, &str, &str, Outcome); 22] = [
    ("an exact text", "hello world", "world", "moon", Same(&[("f", "hello moon")])),
    ("a text that is not there", "hello world", "nomatch", "moon", Refused(code::NO_MATCH)),
    (
        "a price with a dollar",
        "is $100 and ' '",
        "is $100",
        "is $200",
        Same(&[("f", "is $200 and ' '")]),
    ),
    ("a dollar and a quote", "foo", "foo", "bar$'baz", Same(&[("f", "bar$'baz")])),
    ("a dollar and an ampersand", "hello world", "hello", "$&-x", Same(&[("f", "$&-x world")])),
    ("a dollar and a backtick", "pre-mid-suf", "mid", "new$`x", Same(&[("f", "pre-new$`x-suf")])),
    ("numbered groups", "test string", "test", "$1$2x", Same(&[("f", "$1$2x string")])),
    ("two dollars", "price value", "value", "$$100", Same(&[("f", "price $$100")])),
    (
        "a text that ends in a dollar",
        "m('^[sv]d$')",
        "'^[sv]d$'",
        "'^[sv]d$' # x",
        Same(&[("f", "m('^[sv]d$' # x)")]),
    ),
    ("an empty old text", "hello", "", "x", Refused(code::INVALID_TEXT)),
    ("the same text twice", "foo bar foo", "foo", "x", Refused(code::AMBIGUOUS)),
    ("equal texts", "foo", "foo", "foo", Refused(code::UNCHANGED)),
    (
        "a block without its indentation",
        "    if (a) {\n        foo();\n    }\n",
        "if (a) {\n    foo();\n}",
        "if (a) {\n    bar();\n}",
        Same(&[("f", "    if (a) {\n        bar();\n    }\n")]),
    ),
    (
        "line ends are kept",
        "line one\r\nline two\r\n",
        "line two",
        "line three",
        Same(&[("f", "line one\r\nline three\r\n")]),
    ),
    (
        "quotes of another kind, twice",
        "f() {\n  log(\"x\");\n}\n\nf() {\n  log(\"x\");\n}\n",
        "f() {\n  log('x');\n}",
        "f() {\n  log(\"y\");\n}",
        Otherwise(
            code::NO_MATCH,
            "kinds of quotes differ; two places are never changed unless asked for",
        ),
    ),
    (
        "lines whose indentation differs each in its way",
        "  hello\n    world\n",
        "hello\nworld",
        "goodbye\nmoon",
        Otherwise(code::NO_MATCH, "one uniform change of indentation"),
    ),
    (
        "blanks within a line",
        "  function  myFunc( a, b ) {\n",
        "function myFunc(a, b) {",
        "const yourFunc = (a, b) => {",
        Otherwise(code::NO_MATCH, "blanks within a line differ"),
    ),
    (
        "a comma that is missing",
        "c = {\n  on: true,\n  tries: 3\n};",
        "c = {\n  on: true\n  tries: 3\n};",
        "c = {\n  on: false,\n  tries: 5\n};",
        Otherwise(code::NO_MATCH, "nothing is guessed from what is nearly the same"),
    ),
    (
        "quite another text",
        "c = {\n  on: true,\n  tries: 3\n};",
        "function somethingElse() {\n  return false;\n}",
        "x",
        Refused(code::NO_MATCH),
    ),
    (
        "a new text that leaves lines out",
        "old content here\n",
        "old content here",
        "(rest of methods ...)",
        Otherwise("(rest of methods ...)\n", "what the new text says is not judged"),
    ),
    (
        "a new text with the indentation of the file",
        "  // c\n\n  function oldFunc() {}",
        "\nfunction oldFunc() {}",
        "\n  function newFunc() {}",
        Otherwise(code::NO_MATCH, "the new text may be meant as it is or not"),
    ),
    (
        "a blank line before the block stays",
        "\n  function  oldFunc() {\n    // code\n  }",
        "function  oldFunc() {\n  // code\n}",
        "function newFunc() {\n  // new\n}",
        Same(&[("f", "\n  function newFunc() {\n    // new\n  }")]),
    ),
];

#[test]
fn the_cases_of_another_edit_tool_have_these_answers() {
    let mut counts = (0, 0);
    for (name, before, old, new, outcome) in &EDITS {
        let fixture = Fixture::new();
        fixture.file("f", before);
        let result = replace(&fixture.files(), old, new);
        let now = fixture.text("f");
        match outcome {
            Same(after) => {
                result.unwrap_or_else(|why| panic!("{name}: {why}"));
                assert_eq!(now, after[0].1, "{name}");
            }
            Refused(code) => {
                assert_eq!((result.unwrap_err().code, &*now), (*code, *before), "{name}");
            }
            Otherwise(expected, promise) => match result {
                Err(refusal) => {
                    assert_eq!((refusal.code, &*now), (*expected, *before), "{name}: {promise}");
                }
                Ok(_) => assert_eq!(now, *expected, "{name}: {promise}"),
            },
        }
        let is_same = !matches!(outcome, Otherwise(..));
        counts = (counts.0 + u32::from(is_same), counts.1 + u32::from(!is_same));
    }
    assert_eq!(counts, (16, 6));
}
