//! Variables that decide what runs.

use super::{Judge, Text, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::verdict::Span;

/// Exact names.
const DANGEROUS: [&str; 58] = [
    "ANSIBLE_CONFIG",
    "AWKPATH",
    "AWKLIBPATH",
    "BASHOPTS",
    "BASH_ENV",
    "BASH_XTRACEFD",
    "BROWSER",
    "CC",
    "CDPATH",
    "CLASSPATH",
    "CURL_HOME",
    "CXX",
    "DYLD_INSERT_LIBRARIES",
    "EDITOR",
    "ENV",
    "FCEDIT",
    "FPATH",
    "GCONV_PATH",
    "GLOBIGNORE",
    "GREP_OPTIONS",
    "GZIP",
    "HISTFILE",
    "HOME",
    "HOSTALIASES",
    "IFS",
    "INPUTRC",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "LESS",
    "LESSCLOSE",
    "LESSOPEN",
    "LESSEDIT",
    "LOCPATH",
    "MAKEFLAGS",
    "MANOPT",
    "MANPAGER",
    "MANROFFOPT",
    "MAKEFILES",
    "NLSPATH",
    "NODE_OPTIONS",
    "NODE_PATH",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    "PAGER",
    "PATH",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PROMPT_COMMAND",
    "PS0",
    "PS4",
    "SHELL",
    "SHELLOPTS",
    "SUDO_ASKPASS",
    "SVN_SSH",
    "TAR_OPTIONS",
    "VISUAL",
    "ZDOTDIR",
];

/// Beginnings of names.
const DANGEROUS_PREFIXES: [&str; 27] = [
    "BASH_FUNC_",
    "CARGO",
    "DOTNET_",
    "DYLD_",
    "GCC_",
    "GEM_",
    "GIT_",
    "GOFLAGS",
    "JAVA_",
    "KUBECONFIG",
    "LD_",
    "LESSKEY",
    "LUA_",
    "MALLOC_",
    "NPM_",
    "PERL",
    "PIP_",
    "PSQL",
    "PYTHON",
    "RSYNC_",
    "RUBY",
    "RUSTC",
    "RUSTFLAGS",
    "SSH_",
    "TCL",
    "TERMINFO",
    "XDG_",
];

/// Names below a dangerous beginning that only carry data.
const HARMLESS: [&str; 11] = [
    "CARGO_TERM_COLOR",
    "GIT_AUTHOR_DATE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_DATE",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
];

/// Names that are harmless with these values.
const PAGERS: [&str; 4] = ["PAGER", "GIT_PAGER", "MANPAGER", "GH_PAGER"];

impl Judge<'_> {
    /// The assignments in front of a command.
    pub(crate) fn assignments(&mut self, assignments: &[(Word, Word)], words: &[Word]) {
        let program = words
            .first()
            .map(|word| Program::parse(&word.text, &self.policy.config.trusted_directories));
        for (name, value) in assignments {
            self.variable(program.as_ref(), &name.text, &value.text, name.span);
        }
    }

    /// One variable for a program. The value is looked at, never shown.
    pub(super) fn variable(
        &mut self,
        program: Option<&Program>,
        name: &str,
        value: &str,
        span: Span,
    ) {
        if is_dangerous(name, value) {
            let message = format!("The variable {} decides what runs", shown(name));
            let hint = "Leave the assignment out.";
            let text = Text { program, message, hint };
            self.find(self.strict(), rule_id::ENVIRONMENT_DANGEROUS, span, text);
        }
    }
}

fn is_dangerous(name: &str, value: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    if HARMLESS.contains(&upper.as_str()) || (PAGERS.contains(&name) && matches!(value, "" | "cat"))
    {
        return false;
    }
    // Functions reach bash by values that look like one, under a name of its choice.
    value.starts_with("()")
        || DANGEROUS.contains(&upper.as_str())
        || DANGEROUS_PREFIXES.iter().any(|prefix| upper.starts_with(prefix))
        || upper.ends_with("PAGER")
        || upper.ends_with("EDITOR")
        || upper.ends_with("ASKPASS")
}

#[cfg(test)]
mod tests {
    use super::is_dangerous;

    #[test]
    fn variables_by_name_and_value() {
        for name in ["LD_PRELOAD", "PATH", "npm_config_script_shell", "GIT_SSH_COMMAND", "PERL5OPT"]
        {
            assert!(is_dangerous(name, "x"), "{name}");
        }
        for name in ["X", "LC_ALL", "NODE_ENV", "CI", "GIT_AUTHOR_NAME", "TZ", "LANG"] {
            assert!(!is_dangerous(name, "x"), "{name}");
        }
        assert!(!is_dangerous("GIT_PAGER", "cat"));
        assert!(is_dangerous("GIT_PAGER", "cat x"));
        assert!(is_dangerous("X", "() { rm x; }"));
    }
}
