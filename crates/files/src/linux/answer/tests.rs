//! Writes the types of answers and refusals for TypeScript.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use super::{
    ChangeHistory, CommittedLayer, DiscardedLayer, EditedFile, FoundFiles, FoundLines,
    LayerChanges, ListedDirectory, PatchedFiles, ReadFile, StatedFile, SweptLayers, UndoneChanges,
    WrittenFile,
};
use crate::refusal::Refusal;

const HEADER: &str =
    "// Generated from crates/files by `cargo test -p handrail-files`. Do not edit.\n";

/// Declarations of TypeScript by the names of their types.
#[derive(Default)]
struct Declarations(BTreeMap<String, String>);

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.add::<T>("");
    }
}

impl Declarations {
    /// Adds a type and the types of its fields; `first_fields` come before its own.
    fn add<T: TS + 'static + ?Sized>(&mut self, first_fields: &str) {
        let config = Config::new().with_large_int("number");
        let name = T::ident(&config);
        if T::output_path().is_none() || self.0.contains_key(&name) {
            return;
        }
        let declaration = T::decl(&config);
        let body = declaration.strip_prefix(&format!("type {name} = {{"));
        let declaration = match body.and_then(|body| body.strip_suffix("};")) {
            Some(fields) => format!("interface {name} {{\n{first_fields}{}}}", read_only(fields)),
            None => declaration,
        };
        let docs = T::docs().unwrap_or_default();
        self.0.insert(name, format!("{docs}export {declaration}\n"));
        T::visit_dependencies(self);
    }

    /// Adds the answer of an operation.
    fn add_answer<T: TS + 'static>(&mut self, operation: &str) {
        self.add::<T>(&format!(
            "/**\n * Says which of the results this is.\n */\nreadonly kind: 'file_{operation}',\n\
             /**\n * The call was not refused.\n */\nreadonly ok: true,\n"
        ));
    }
}

/// The fields of a declaration, each of them on a line of its own, as fields that are not assigned to.
fn read_only(fields: &str) -> String {
    let line = |line: &str| {
        let is_field = line.starts_with(|char: char| char.is_ascii_alphabetic());
        let line = line.trim_end().replace("Array<", "ReadonlyArray<").replace("\", ", "\"; ");
        if is_field { format!("readonly {line}\n") } else { format!("{line}\n") }
    };
    fields.trim_start().lines().map(line).collect()
}

#[test]
fn the_types_of_typescript_are_these() {
    let mut declarations = Declarations::default();
    declarations.add_answer::<ReadFile>("read");
    declarations.add_answer::<WrittenFile>("write");
    declarations.add_answer::<EditedFile>("edit");
    declarations.add_answer::<PatchedFiles>("patch");
    declarations.add_answer::<ListedDirectory>("list");
    declarations.add_answer::<StatedFile>("stat");
    declarations.add_answer::<FoundFiles>("glob");
    declarations.add_answer::<FoundLines>("grep");
    declarations.add_answer::<ChangeHistory>("history");
    declarations.add_answer::<UndoneChanges>("undo");
    declarations.add::<LayerChanges>("");
    declarations.add::<CommittedLayer>("");
    declarations.add::<DiscardedLayer>("");
    declarations.add::<SweptLayers>("");
    declarations.add::<Refusal>("");
    let mut text = HEADER.to_owned();
    for declaration in declarations.0.values() {
        let _ = write!(text, "\n{declaration}");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ts/files/answers.ts");
    if std::fs::read_to_string(&path).unwrap_or_default() != text {
        std::fs::write(&path, text).unwrap();
        panic!("ts/files/answers.ts was stale. It is written now: commit it");
    }
}
