//! A second writer while changes are made: what it wrote, and what was to be seen of it in the end, is never lost.

use std::cell::RefCell;
use std::path::Path;

use handrail_files::Refusal;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::fixture::rounds;
use crate::layer_fixture::{Layered, has_overlays, sh};
use crate::layer_properties::{report, script};
use crate::patching::patch;

/// Says which of its marks the second writer sees. Each is a text of its own.
const MARKS: &str = "grep -raho 'second-[0-9]*-[0-9]*-[0-9]' . 2>/dev/null | sort -u";

/// What a raced change came to.
#[derive(Default)]
struct Count {
    made: u32,
    refused: u32,
}

impl Count {
    fn report(&self, what: &str) {
        let (made, refused) = (self.made, self.refused);
        let said = format!("{what} beside a second writer, of which {refused} did nothing");
        report(made + refused, &said);
    }

    fn add(&mut self, answer: &Result<Value, Refusal>) {
        let is_made = answer.as_ref().is_ok_and(|answer| answer["committed"] != json!(false));
        *(if is_made { &mut self.made } else { &mut self.refused }) += 1;
    }
}

/// Makes a change beside a second writer, which runs a script. Whatever that wrote, and sees when it is done, is in the root
/// afterwards, or kept with the journal or the layer.
fn race(
    layered: &Layered,
    meanwhile: &str,
    change: impl FnOnce() -> Result<Value, Refusal>,
) -> Result<Result<Value, Refusal>, TestCaseError> {
    let mut marked = String::new();
    for (number, part) in meanwhile.split("echo ").enumerate() {
        if number > 0 {
            marked = format!("{marked}echo second-$$-{number}-");
        }
        marked += part;
    }
    std::thread::scope(|scope| {
        let root = layered.fixture.root();
        let writer = scope.spawn(move || sh(&format!("{marked}\n{MARKS}"), &root));
        let answer = change();
        let written = writer.join().unwrap();
        let marks = |folder: &Path| sh(MARKS, folder);
        let kept = marks(&layered.fixture.root()) + &marks(&layered.state);
        for mark in written.lines() {
            prop_assert!(kept.lines().any(|line| line == mark), "{mark} is lost: {answer:?}");
        }
        // Where what was changed could not be put back, since others wrote there, its old content stays in a file, which is named.
        let said = answer.as_ref().err().map_or("", |refusal| &refusal.message);
        for left in layered.fixture.temporary_files() {
            prop_assert!(said.contains(&left), "{left} stays: {answer:?}");
        }
        Ok(answer)
    })
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

#[test]
fn nothing_is_lost_while_a_layer_is_brought_over_or_taken_back() {
    if !has_overlays() {
        return;
    }
    let cases = rounds(1000).max(20);
    let strategy = (script(10), script(6), script(6), script(6), any::<bool>());
    let counts = RefCell::new((Count::default(), Count::default()));
    let tried = runner(cases).run(&strategy, |(tree, script, meanwhile, later, takes)| {
        let layered = Layered::new(&tree);
        layered.run(&script);
        let commit = || layered.commit(&json!({ "takes": takes }));
        let committed = race(&layered, &meanwhile, commit)?;
        counts.borrow_mut().0.add(&committed);
        if committed.is_ok_and(|answer| answer["id"].is_string()) {
            let undone = race(&layered, &later, || layered.undo())?;
            counts.borrow_mut().1.add(&undone);
        }
        Ok(())
    });
    tried.unwrap();
    let (commits, undone) = counts.into_inner();
    commits.report("commits");
    undone.report("commits taken back");
}

const FILES: [&str; 6] = ["a", "b", "d/a", "d/b", "d/e/a", "g"];
const SECTIONS: &str = "*** Add File: d/made/new\n+new\n*** Delete File: g\n\
                        *** Update File: b\n*** Move to: moved\n@@\n-one\n+three\n";

#[test]
fn nothing_is_lost_while_a_patch_is_applied_or_taken_back() {
    let cases = rounds(1000).max(20);
    let strategy = (script(6), script(6));
    let updated = ["a", "d/a", "d/b", "d/e/a"]
        .map(|name| format!("*** Update File: {name}\n@@\n-one\n+three\n"));
    let text = format!("*** Begin Patch\n{}{SECTIONS}*** End Patch", updated.concat());
    let counts = RefCell::new((Count::default(), Count::default()));
    let tried = runner(cases).run(&strategy, |(meanwhile, later)| {
        let made = FILES.map(|name| format!("printf 'one\\ntwo\\n' > {name}")).join("; ");
        let layered = Layered::new(&format!("mkdir -p d/e; {made}"));
        let patched = race(&layered, &meanwhile, || patch(&layered.files, &text))?;
        let is_made = patched.is_ok();
        counts.borrow_mut().0.add(&patched);
        if is_made {
            let undone = race(&layered, &later, || layered.undo())?;
            counts.borrow_mut().1.add(&undone);
        }
        Ok(())
    });
    tried.unwrap();
    let (patches, undone) = counts.into_inner();
    patches.report("patches");
    undone.report("patches taken back");
}
