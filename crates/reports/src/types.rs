//! Writes the types of this crate for TypeScript.

use std::fmt::Write as _;
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use crate::document::Document;
use crate::judgement::{NamedWords, Question, RuleList};
use crate::redactor::RedactorOptions;
use crate::text::{BoundedText, FitQuestion, Fitted, TextExcerpt};
use crate::{
    Capability, Decision, Event, Glimpse, History, HostQuestion, LastAnswer, NetworkContact, Plan,
    Screen, SearchFolder, Start, TextBounds, TextDigest,
};

const HEADER: &str = "\
// Generated from crates/reports by `cargo test -p handrail-reports`. Do not edit.

/** A report as it crosses: `read` in `json.ts` reads it. */
export type Json<Report> = string & { readonly report?: Report };
";

/// The declarations, by their names.
#[derive(Default)]
struct Declarations {
    by_name: std::collections::BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.add::<T>();
    }
}

impl Declarations {
    fn add<T: TS + 'static + ?Sized>(&mut self) {
        let config = Config::new().with_large_int("number");
        if T::output_path().is_none() || self.by_name.contains_key(&T::ident(&config)) {
            return;
        }
        let declaration = format!("{}export {}\n", T::docs().unwrap_or_default(), T::decl(&config));
        self.by_name.insert(T::ident(&config), declaration);
        T::visit_dependencies(self);
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test may write what it checks")]
fn the_types_of_typescript_are_these() {
    let mut declarations = Declarations::default();
    declarations.add::<Capability>();
    declarations.add::<Decision<'_>>();
    declarations.add::<Document<'_>>();
    declarations.add::<Event>();
    declarations.add::<Glimpse>();
    declarations.add::<History>();
    declarations.add::<LastAnswer>();
    declarations.add::<Screen>();
    declarations.add::<Plan<'_>>();
    declarations.add::<NamedWords>();
    declarations.add::<NetworkContact>();
    declarations.add::<HostQuestion>();
    declarations.add::<Question>();
    declarations.add::<RuleList>();
    declarations.add::<SearchFolder>();
    declarations.add::<Start<'_>>();
    declarations.add::<RedactorOptions>();
    declarations.add::<FitQuestion>();
    declarations.add::<Fitted>();
    declarations.add::<TextBounds>();
    declarations.add::<BoundedText>();
    declarations.add::<TextExcerpt>();
    declarations.add::<TextDigest>();
    let mut text = HEADER.to_owned();
    for declaration in declarations.by_name.values() {
        let _ = write!(text, "\n{declaration}");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ts/native/reports.ts");
    if std::fs::read_to_string(&path).unwrap_or_default() != text {
        std::fs::write(&path, text).unwrap();
        panic!("ts/native/reports.ts was stale. It is written now: commit it");
    }
}
