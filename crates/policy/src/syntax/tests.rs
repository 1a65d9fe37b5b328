//! bash reads what is read here, and reads the same. The tests of the decision are in `tests/all`.

#[path = "../../tests/all/common/bash.rs"]
mod bash;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../../tests/all/generated.rs"]
mod generated;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../../tests/all/common/json.rs"]
mod json;
mod outline;

use std::fmt::Write as _;

use bash::{Folder, bash, quoted};
use json::Json;
use outline::outline;

/// The commands of the corpus.
fn corpus() -> Vec<String> {
    let corpus = Json::parse(include_str!("../../../../test/corpus/commands.json"));
    let cases = corpus.get("cases").expect("cases").list();
    cases.iter().map(|case| case.get("command").expect("a command").text().to_owned()).collect()
}

/// One to four lines that follow each other in a file of odd lines.
fn windows() -> Vec<String> {
    let lines: Vec<&str> = include_str!("../../tests/all/lines.txt").lines().collect();
    (1..5).flat_map(|length| lines.windows(length).map(|part| part.join("\n"))).collect()
}

/// A function of this body as bash prints it, one for each text; an empty text where bash refuses it.
fn printed(texts: &[String]) -> Option<Vec<String>> {
    let folder = Folder::new("printed");
    let mut script = String::new();
    for text in texts {
        // A text that ends with a comment or a here-document needs its own line.
        let definition = quoted(&format!("f() {{\n{text}\n}}"));
        let _ = writeln!(
            script,
            "unset -f f; eval {definition} 2>/dev/null && declare -f f; printf '\\036'"
        );
    }
    let output = bash(&script, &folder.0)?;
    Some(output.split('\u{1e}').take(texts.len()).map(str::to_owned).collect())
}

#[test]
fn bash_reads_what_is_read_here_and_reads_the_same() {
    let mut texts: Vec<String> = corpus();
    texts.extend(generated::texts(2000));
    texts.extend(generated::states(500));
    texts.extend(generated::arrays(2000));
    texts.extend(windows());
    texts.retain(|text| !text.contains('\0') && outline(text).is_some());
    let Some(printed) = printed(&texts) else { return };
    assert_eq!(printed.len(), texts.len());
    let mut wrong = Vec::new();
    for (text, printed) in texts.iter().zip(&printed) {
        let ours = outline(text).expect("it is read");
        // Without a command there is no function.
        if ours.is_empty() {
            continue;
        }
        let body =
            printed.split_once("{ \n").map(|(_, rest)| rest.trim_end().trim_end_matches('}'));
        let theirs = body.and_then(outline);
        if theirs.as_ref() != Some(&ours) {
            wrong.push(format!("{text:?}\n  ours   {ours:?}\n  theirs {theirs:?}\n  {printed:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), texts.len(), wrong.join("\n"));
    let arrays = texts.iter().filter(|text| text.contains("v=(") || text.contains("[@]")).count();
    assert!(arrays > 1500, "{arrays}");
    assert!(texts.len() > 4000, "{}", texts.len());
}
