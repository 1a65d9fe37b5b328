//! Programs whose operands or option values carry code in a form of their own.

use super::payload::Payload;
use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;

/// Settings of ssh that run a command.
const SSH_COMMANDS: [&str; 5] =
    ["proxycommand", "localcommand", "knownhostscommand", "remotecommand", "proxyusefdpass"];
/// Settings of ssh that load or enable code.
const SSH_CODE: [&str; 9] = [
    "permitlocalcommand",
    "pkcs11provider",
    "securitykeyprovider",
    "include",
    "xauthlocation",
    "match",
    "identityagent",
    "smartcarddevice",
    "tunnel",
];

/// Letters that take a value in ssh, scp and sftp alike.
const SSH_VALUED: &str = "cDFilSo";

impl Judge<'_> {
    /// True when the program is one of these, apart from those whose arguments are data outside of a shell.
    pub(super) fn special(&mut self, program: &Program, words: &[Word]) -> bool {
        match program.kind() {
            "tar" | "gtar" | "bsdtar" => self.old_tar(program, words),
            "ssh" | "slogin" | "scp" | "sftp" | "autossh" | "ssh-copy-id" => {
                self.ssh(program, words);
            }
            "vi" | "vim" | "nvim" | "view" | "editor" | "vimdiff" | "rvim" | "gvim" | "ex"
            | "vim.tiny" | "vim.basic" | "nvi" | "rview" | "evim" | "elvis" => {
                self.vim(program, words);
            }
            "less" | "more" | "pager" | "zless" | "zmore" | "bzless" | "bzmore" | "xzless"
            | "xzmore" | "lzless" | "lzmore" | "zstdless" => self.less(program, words),
            "sqlite3" | "sqlite" | "sqlcipher" | "duckdb" => self.sqlite(program, words),
            "psql" | "mysql" | "mariadb" | "pgcli" | "mycli" | "litecli" | "usql" => {
                self.database(program, words);
            }
            "make" | "gmake" => self.make(program, words),
            "npm" | "pnpm" | "yarn" => self.npm(program, words),
            "git" | "hub" => self.git(program, words),
            "awk" | "gawk" | "mawk" | "nawk" | "original-awk" => self.awk(program, words),
            "sed" | "gsed" => self.sed(program, words),
            "gcc" | "g++" | "cc" | "c++" | "c89" | "c99" | "cpp" | "clang" | "clang++"
            | "gfortran" | "gdc" | "gccgo" | "gnat" | "c89-gcc" | "c99-gcc" | "lto-dump" => {
                self.compiler(program, words);
            }
            "ar" | "nm" | "ranlib" | "strip" | "objcopy" | "objdump" | "size" | "ld" | "ld.bfd"
            | "ld.gold" | "ld.lld" | "ld.mold" | "mold" | "gcc-ar" | "gcc-nm" | "gcc-ranlib"
            | "gold" | "rustc" | "rustdoc" => self.response_file(program, words),
            "javac" | "javadoc" | "javap" | "javah" | "jar" | "jarsigner" | "keytool" | "jdeps"
            | "jdeprscan" | "jlink" | "jmod" | "jimage" | "jpackage" | "jps" | "jstat"
            | "jinfo" | "jmap" | "jstack" | "jfr" | "serialver" | "native2ascii" | "rmic"
            | "kotlinc" => {
                self.java_tool(program, words);
            }
            "cmake" => self.cmake(program, words),
            "mvn" | "mvndebug" | "gradle" => self.maven(program, words),
            "gio-querymodules"
            | "gdk-pixbuf-query-loaders"
            | "pango-querymodules"
            | "gtk-query-immodules" => self.modules(program, words),
            "openssl" => self.openssl(program, words),
            "go" => self.go(program, words),
            "pip" | "pip3" => self.pip(program, words),
            "apt" | "apt-get" | "aptitude" | "dnf" | "dnf5" | "yum" | "zypper" | "apk" => {
                self.package_files(program, words);
            }
            "rpm" => self.rpm(program, words),
            "pacman" => self.pacman(program, words),
            "gs" | "gsc" | "ps2pdf" | "ps2pdfwr" | "ps2ps" | "pdf2ps" | "eps2eps" | "ps2ascii"
            | "ps2epsi" | "convert" | "magick" | "mogrify" | "identify" | "composite"
            | "montage" | "import" | "display" | "dvips" => self.pipes(program, words),
            // These open names as Perl does.
            "debconf-set-selections" | "enc2xs" | "pl2pm" | "pod2html" | "splain" => {
                self.pipes(program, words);
            }
            "ffmpeg" | "ffprobe" | "ffplay" => self.filters(program, words),
            "pandoc" => self.lua_formats(program, words),
            "mlr" => self.verbs(program, words),
            "rename" => self.rename(program, words),
            "curl" => self.curl(program, words),
            "http" | "https" | "httpie" | "xh" | "xhs" => self.httpie(program, words),
            "test" | "[" | "printf" => {
                self.subscript(program, words);
                return false;
            }
            _ => return false,
        }
        true
    }

    /// `tar cIf prog file`: the first word is a cluster without its dash.
    fn old_tar(&mut self, program: &Program, words: &[Word]) {
        if let Some(first) = words.get(1)
            && !first.text.starts_with('-')
            && first.text.contains(['I', 'F'])
        {
            self.executes(program, first.span, "the letters `I` and `F`", Payload::Opaque);
        }
        self.remote_archive(program, words);
    }

    /// `-o Key=value`, `-oKey value`, `-J host`.
    fn ssh(&mut self, program: &Program, words: &[Word]) {
        for (at, word) in words.iter().enumerate().skip(1) {
            if jump(word, words.get(at + 1)).is_some_and(|hosts| !are_hosts(hosts)) {
                self.executes(program, word.span, "`-J`", Payload::Opaque);
            }
            let Some(cluster) = word.text.strip_prefix('-') else { continue };
            let Some(letter) = cluster.find('o') else { continue };
            let attached = letter + 1 < cluster.len();
            let setting =
                if attached { Some(word.tail(letter + 2)) } else { words.get(at + 1).cloned() };
            let Some(setting) = setting else { continue };
            let trimmed = setting.text.trim_start();
            let key =
                trimmed.split(|c: char| c == '=' || c.is_whitespace()).next().unwrap_or_default();
            let value =
                trimmed[key.len()..].trim_start_matches(|c: char| c == '=' || c.is_whitespace());
            let lower = key.to_ascii_lowercase();
            if SSH_COMMANDS.contains(&lower.as_str()) {
                if value != "none" {
                    let code = setting.with_text(value);
                    self.executes(program, word.span, "`-o`", Payload::Code(&code));
                }
            } else if SSH_CODE.contains(&lower.as_str())
                || (lower == "proxyjump" && !are_hosts(value))
            {
                self.executes(program, word.span, "`-o`", Payload::Opaque);
            }
        }
        self.remote(program, words);
    }

    /// A denied name on another machine.
    fn remote(&mut self, program: &Program, words: &[Word]) {
        if words[1..].iter().any(|word| {
            word.text
                .split_whitespace()
                .any(|token| self.is_denied_name(token.trim_matches(['\'', '"', ';'])))
        }) {
            let message =
                format!("An argument of '{}' names a denied program", shown(&program.base));
            let hint = "Do without it, or ask for approval.";
            self.ask(rule_id::ARGUMENT_NAMES_DENIED, program, words[0].span, message, hint);
        }
    }

    fn vim(&mut self, program: &Program, words: &[Word]) {
        for (at, word) in words.iter().enumerate().skip(1) {
            let text = word.text.as_str();
            let cluster = text.starts_with('-') && !text.starts_with("--");
            if text.starts_with('+')
                || text.starts_with("--cmd")
                || text.starts_with("--remote")
                || text.starts_with("--listen")
                || text.starts_with("--server")
                || text.starts_with("--startuptime")
                || text == "--embed"
                || text == "--headless"
                || (cluster
                    && text.contains([
                        'c', 'S', 's', 'u', 'U', 'W', 'w', 'q', 'l', 'e', 'E', 'i', 't',
                    ]))
            {
                let bang =
                    words.get(at + 1).filter(|next| text == "-c" && next.text.starts_with('!'));
                match bang {
                    Some(next) => {
                        let code = next.tail(1);
                        self.executes(
                            program,
                            word.span,
                            "an editor command",
                            Payload::Code(&code),
                        );
                    }
                    None => self.executes(program, word.span, "an editor command", Payload::Opaque),
                }
            }
        }
    }

    fn less(&mut self, program: &Program, words: &[Word]) {
        if let Some(word) = words[1..].iter().find(|word| word.text.starts_with('+')) {
            self.executes(program, word.span, "a `+` command", Payload::Opaque);
        }
    }

    /// They load the shared objects, or those of the folders, that they are given.
    fn modules(&mut self, program: &Program, words: &[Word]) {
        if let Some(word) = words[1..].iter().find(|word| !word.text.starts_with('-')) {
            self.executes(program, word.span, "an operand", Payload::Opaque);
        }
    }

    fn openssl(&mut self, program: &Program, words: &[Word]) {
        if let Some(word) = words.get(1).filter(|word| word.text == "engine") {
            self.executes(program, word.span, "`engine`", Payload::Opaque);
        }
    }

    /// As a built-in, `-v` evaluates a subscript: text in quotes would run after all.
    fn subscript(&mut self, program: &Program, words: &[Word]) {
        let evaluates = |word: &&Word| word.text.contains("$(") || word.text.contains('`');
        let names_variable = words[1..].iter().any(|word| word.text.starts_with("-v"));
        if let Some(word) = words[1..].iter().find(evaluates).filter(|_| names_variable) {
            self.unseen(program, word.span, "a subscript");
        }
    }
}

/// The value of `-J`, which stands behind the other letters of a cluster.
fn jump<'a>(word: &'a Word, next: Option<&'a Word>) -> Option<&'a str> {
    let cluster = word.text.strip_prefix('-')?;
    let (front, value) = cluster.split_once('J')?;
    if front.contains(|letter| SSH_VALUED.contains(letter)) {
        return None;
    }
    if value.is_empty() { next.map(|next| next.text.as_str()) } else { Some(value) }
}

/// Whether a jump is nothing but hosts: ssh makes a command line for a shell of it.
fn are_hosts(jump: &str) -> bool {
    jump.split(',').all(|host| {
        let host = host.strip_prefix("ssh://").unwrap_or(host);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._@:[]-".contains(c);
        !host.starts_with('-') && host.chars().all(is_plain)
    })
}
