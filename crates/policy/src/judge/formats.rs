//! Converters and renamers: names of files and formats that are commands.

use std::path::Path;

use super::payload::Payload;
use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;

/// Ghostscript, and scripts that hand their options to it.
const GHOSTSCRIPT: [&str; 9] =
    ["gs", "gsc", "ps2pdf", "ps2pdfwr", "ps2ps", "pdf2ps", "eps2eps", "ps2ascii", "ps2epsi"];

impl Judge<'_> {
    /// A file name that is a pipe: `|command`, `%pipe%command`, `png:|command`; and Ghostscript without its guard.
    pub(super) fn pipes(&mut self, program: &Program, words: &[Word]) {
        let is_ghostscript = GHOSTSCRIPT.contains(&program.kind());
        let runs = |word: &&Word| {
            let text = word.text.as_str();
            text.contains('|')
                || text.contains("%pipe%")
                || text.starts_with('!')
                || text.starts_with("msl:")
                || text.starts_with("ephemeral:")
                || (is_ghostscript && (text.contains("NOSAFER") || text == "-c"))
                || (!is_ghostscript && text == "-process")
        };
        if let Some(word) = words[1..].iter().find(runs) {
            self.executes(program, word.span, "a name that is a pipe or code", Payload::Opaque);
        }
    }

    /// tar reaches an archive `host:file` by a remote shell.
    pub(super) fn remote_archive(&mut self, program: &Program, words: &[Word]) {
        if words[1..].iter().any(|word| word.text == "--force-local") {
            return;
        }
        for (at, word) in words.iter().enumerate().skip(1) {
            let next = words.get(at + 1).map(|next| next.text.as_str());
            let host = archive(&word.text, next, at == 1).and_then(|name| name.split_once(':'));
            if host.is_some_and(|(host, _)| !host.contains('/')) {
                self.executes(program, word.span, "an archive on another machine", Payload::Opaque);
            }
        }
    }

    /// Filters that load a shared object.
    pub(super) fn filters(&mut self, program: &Program, words: &[Word]) {
        let loads = |word: &&Word| {
            ["ladspa", "frei0r", "lv2="].iter().any(|filter| word.text.contains(filter))
        };
        if let Some(word) = words[1..].iter().find(loads) {
            self.executes(program, word.span, "a filter that loads code", Payload::Opaque);
        }
    }

    /// Formats, filters and templates written in Lua.
    pub(super) fn lua_formats(&mut self, program: &Program, words: &[Word]) {
        let is_lua = |word: &&Word| {
            Path::new(&word.text).extension().is_some_and(|end| end.eq_ignore_ascii_case("lua"))
        };
        if let Some(word) = words[1..].iter().find(is_lua) {
            self.executes(program, word.span, "a Lua file", Payload::Opaque);
        }
    }

    /// The language of Miller has functions and redirections that run commands.
    pub(super) fn verbs(&mut self, program: &Program, words: &[Word]) {
        self.operand_completed_later(program, words);
        let runs = |word: &&Word| {
            let text = word.text.as_str();
            ["system", "exec", "| \"", "|\""].iter().any(|part| text.contains(part))
        };
        if let Some(word) = words[1..].iter().find(runs) {
            self.executes(program, word.span, "its program text", Payload::Opaque);
        }
    }

    /// Two programs have this name: one takes plain text, the other an expression of Perl.
    pub(super) fn rename(&mut self, program: &Program, words: &[Word]) {
        self.operand_completed_later(program, words);
        let mut operands = words[1..].iter().filter(|word| !word.text.starts_with('-'));
        let expression = operands.next().filter(|word| !is_plain_rename(&word.text));
        let option = words[1..].iter().find(|word| {
            word.text.starts_with("-e")
                || word.text.starts_with("--e")
                || word.text.starts_with("-E")
        });
        if let Some(word) = expression.or(option) {
            let message = format!("The expression of '{}' could not be read", shown(&program.base));
            let hint = "Use simpler text, or another program.";
            self.ask(rule_id::INTERPRETER_CODE, program, word.span, message, hint);
        }
    }
}

/// The archive that this word of tar names, in itself or with the next one.
fn archive<'a>(text: &'a str, next: Option<&'a str>, first: bool) -> Option<&'a str> {
    let dashed = text.starts_with('-');
    if let Some(long) = text.strip_prefix("--") {
        return if long == "file" { next } else { long.strip_prefix("file=") };
    }
    let (_, attached) = text.split_once('f').filter(|_| dashed || first)?;
    if dashed && !attached.is_empty() { Some(attached) } else { next }
}

/// Plain text, or one substitution whose parts hold nothing that Perl evaluates.
fn is_plain_rename(text: &str) -> bool {
    if text.chars().all(|c| c.is_alphanumeric() || "._-+,".contains(c)) {
        return true;
    }
    let parts: Vec<&str> = text.split('/').collect();
    let [kind, from, to, flags] = parts[..] else { return false };
    let quiet = |part: &str| !part.contains(['(', '{', '$', '@', '`', ';', '\n']);
    let harmless = match kind {
        "s" => quiet(from.trim_end_matches('$')) && quiet(to),
        "y" | "tr" => true,
        _ => false,
    };
    harmless && flags.chars().all(|c| "gixsmdcr".contains(c))
}

#[cfg(test)]
mod tests {
    use super::is_plain_rename;

    #[test]
    fn expressions_of_perl() {
        for text in ["foo", ".htm", "s/a/b/", r"s/\.htm$/.html/i", "y/A-Z/a-z/", "tr/a/b/"] {
            assert!(is_plain_rename(text), "{text}");
        }
        for text in [
            "s/a/b/e",
            "s/a/b/ee",
            "system 'x'",
            "s/a/`x`/",
            "s/(?{x})//",
            "s/a/@{[x]}/",
            "s/a/b/;x",
            "s|a|b|e",
            "",
            "$_",
        ] {
            assert_eq!(is_plain_rename(text), text.is_empty(), "{text:?}");
        }
    }
}
