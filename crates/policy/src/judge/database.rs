//! Clients of databases: commands of their own, and functions of SQL that start programs or load code.

use super::Judge;
use super::payload::Payload;
use crate::program::Program;
use crate::syntax::word::Word;

/// Commands of the sqlite shell that only show something.
const SQLITE_QUIET: [&str; 20] = [
    ".tables",
    ".schema",
    ".dump",
    ".headers",
    ".header",
    ".mode",
    ".indexes",
    ".indices",
    ".databases",
    ".quit",
    ".exit",
    ".width",
    ".nullvalue",
    ".timeout",
    ".separator",
    ".show",
    ".stats",
    ".timer",
    ".bail",
    ".fullschema",
];
/// Functions of the sqlite shell that start an editor, load code or write a file.
const SQLITE_FUNCTIONS: [&str; 4] = ["load_extension", "edit", "writefile", "fts3_tokenizer"];
/// Statements of duckdb that load code, at their beginning.
const DUCKDB_STATEMENTS: [&str; 3] = ["install", "load", "force"];

impl Judge<'_> {
    pub(super) fn sqlite(&mut self, program: &Program, words: &[Word]) {
        self.operand_completed_later(program, words);
        for word in &words[1..] {
            let lower = word.text.to_ascii_lowercase();
            let runs = lower.lines().map(str::trim_start).any(|line| {
                let command = line.split([' ', '\t', ';']).next().unwrap_or_default();
                command.starts_with('.')
                    && !command.starts_with("./")
                    && !command.starts_with("..")
                    && !SQLITE_QUIET.contains(&command)
            });
            let loads = program.kind() == "duckdb"
                && lower.split(';').any(|statement| {
                    let first = skip_between(statement);
                    DUCKDB_STATEMENTS.iter().any(|name| first.starts_with(name))
                });
            if runs || loads || SQLITE_FUNCTIONS.iter().any(|name| calls(&lower, name)) {
                self.executes(program, word.span, "a command or function", Payload::Opaque);
            }
        }
    }

    pub(super) fn database(&mut self, program: &Program, words: &[Word]) {
        self.operand_completed_later(program, words);
        for word in &words[1..] {
            let lower = word.text.to_ascii_lowercase();
            let runs = lower.contains('\\')
                || lower.contains("program")
                || lower
                    .split_whitespace()
                    .any(|token| matches!(token, "system" | "source" | "tee" | "pager" | "edit"));
            if runs {
                self.executes(program, word.span, "a client command", Payload::Opaque);
            }
        }
    }
}

/// Whether SQL in lower case calls the function: its whole name, perhaps in quotes, and a parenthesis behind blanks and
/// comments. Strings and comments are not told from code, so that a text that only mentions a call counts too.
fn calls(sql: &str, function: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    sql.match_indices(function).any(|(at, name)| {
        let rest = &sql[at + name.len()..];
        !sql[..at].ends_with(is_name) && !rest.starts_with(is_name) && {
            let rest = rest.trim_start_matches(['"', '`', ']', '\'']);
            skip_between(rest).starts_with('(')
        }
    })
}

/// What stands behind blanks and comments.
fn skip_between(sql: &str) -> &str {
    let mut rest = sql;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let after = if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or("", |end| &comment[end + 2..])
        } else if let Some(comment) = rest.strip_prefix("--") {
            comment.find('\n').map_or("", |end| &comment[end + 1..])
        } else {
            return rest;
        };
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::calls;

    #[test]
    fn calls_in_any_spelling() {
        for sql in [
            "select edit('a','id;:')",
            "select edit ('a')",
            "select edit\n\t('a')",
            "select \"edit\"('a')",
            "select [edit] ('a')",
            "select `edit`('a')",
            "select edit/* ( */('a')",
            "select edit -- (\n ('a')",
            "select edit/**//**/ ('a')",
            "select 1,edit('a')",
            "select 'credit', edit('a')",
        ] {
            assert!(calls(sql, "edit"), "{sql}");
        }
        for sql in [
            "select edit from a",
            "select credit(1)",
            "select edit_time(1)",
            "select edit, (1)",
            "select \"edit\" from a",
            "create table edit_log (a)",
        ] {
            assert!(!calls(sql, "edit"), "{sql}");
        }
    }
}
