//! git: which settings, subcommands and options run something.

use std::sync::LazyLock;

use super::arguments::{Argument, Row, Style, code, opaque, setting, unless, writes};
use super::{Index, Names};
use crate::judge::options::Grammar;

const fn row(names: &'static str, valued: &'static str, arguments: &'static [Argument]) -> Row {
    Row {
        names,
        style: Style::Gnu,
        valued,
        harmless: "exclude exit-code all strategy-option",
        arguments,
    }
}

/// Options per subcommand.
pub(crate) static OPTIONS: LazyLock<Index<Row>> =
    LazyLock::new(|| Index::of_texts(ROWS.iter().map(|row| (row.names, row))));

/// Strategies that git brings; another one is the program `git-merge-NAME`.
const STRATEGIES: &str = "octopus ort ours recursive resolve subtree";

const ROWS: &[Row] = &[
    row("fetch ls-remote fetch-pack", "jo", &[code("", "upload-pack exec")]),
    row("pull", "joX", &[code("", "upload-pack"), unless("s", "strategy", STRATEGIES)]),
    row("merge", "mFX", &[unless("s", "strategy", STRATEGIES)]),
    row("cherry-pick revert", "mX", &[unless("", "strategy", STRATEGIES)]),
    row(
        "clone",
        "boj",
        &[
            code("u", "upload-pack"),
            opaque("", "template"),
            setting("c", "config"),
            writes("", "separate-git-dir"),
        ],
    ),
    row("push send-pack", "o", &[code("", "receive-pack exec")]),
    row("archive", "", &[code("", "exec"), writes("o", "")]),
    row("format-patch", "", &[writes("o", "output-directory")]),
    row("index-pack", "", &[writes("o", "")]),
    row("checkout-index", "", &[writes("", "prefix")]),
    row("interpret-trailers", "", &[writes("", "in-place")]),
    row("read-tree", "", &[writes("", "index-output")]),
    // With it, a patch may name a `.git`.
    row("apply", "", &[writes("", "unsafe-paths")]),
    row("grep", "ABCefm", &[code("O", "open-files-in-pager")]),
    row("rebase", "XC", &[code("x", "exec"), unless("s", "strategy", STRATEGIES)]),
    row("difftool mergetool", "", &[code("x", "extcmd"), opaque("t", "tool")]),
    row("init", "b", &[opaque("", "template"), writes("", "separate-git-dir")]),
];

/// Options of everything that reads revisions or makes diffs, which is nearly every subcommand.
pub(crate) static EVERYWHERE: Row = row("", "", &[opaque("", "ext-diff"), writes("", "output")]);

/// Subcommands that write into folders that an operand names.
pub(crate) const FILLERS: &str = "clone init mv submodule worktree";

/// `git config`: the actions of one option, and the subcommands of newer versions.
pub(crate) const CONFIG: Grammar = Grammar {
    short: "f:let:z",
    long: "global system local worktree file= blob= get get-all get-regexp get-urlmatch replace-all add unset \
           unset-all rename-section remove-section list fixed-value edit get-color get-colorbool type= bool int \
           bool-or-int bool-or-str path expiry-date null name-only includes no-includes show-origin show-scope \
           default= all regexp url= value= append comment= show-names no-show-names no-type",
};

pub(crate) const CLEAN: Grammar =
    Grammar { short: "nfdxXqie:", long: "dry-run force interactive quiet exclude=" };

pub(crate) const RM: Grammar = Grammar {
    short: "nqrf",
    long: "dry-run quiet cached ignore-unmatch sparse pathspec-from-file= pathspec-file-nul force",
};

pub(crate) const RESTORE: Grammar = Grammar {
    short: "s:SWU:qmp",
    long: "source= staged worktree ignore-unmerged overlay no-overlay quiet recurse-submodules? \
           no-recurse-submodules progress no-progress merge conflict= ours theirs patch \
           ignore-skip-worktree-bits pathspec-from-file= pathspec-file-nul unified= inter-hunk-context=",
};

pub(crate) const MERGE_FILE: Grammar = Grammar {
    short: "pqL:",
    long: "stdout diff3 zdiff3 ours theirs union marker-size= quiet object-id diff-algorithm=",
};

/// Subcommands that git brings and that start nothing besides git, its pager and its editor.
pub(crate) static SUBCOMMANDS: LazyLock<Names> = LazyLock::new(|| Names::of(BUILT_IN));

const BUILT_IN: &str = "add am annotate apply archive bisect blame branch bundle cat-file check-attr \
check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit \
commit-graph commit-tree config count-objects describe diff diff-files diff-index diff-tree difftool fetch \
fetch-pack fmt-merge-msg for-each-ref format-patch fsck gc get-tar-commit-id grep hash-object help index-pack init \
interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit merge merge-base merge-file \
merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs \
patch-id prune prune-packed pull push range-diff read-tree rebase reflog remote repack replace request-pull rerere \
reset restore rev-list rev-parse revert rm send-pack shortlog show show-branch show-index show-ref \
sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag unpack-file unpack-objects \
update-index update-ref update-server-info var verify-commit verify-pack verify-tag version whatchanged worktree \
write-tree";

/// Settings that only carry data: whole keys, or sections ending in a dot.
pub(crate) const HARMLESS_SETTINGS: &str = "user.name user.email color. advice. log. column. i18n. status. stash. \
rerere. format.pretty init.defaultbranch core.quotepath core.autocrlf core.eol core.filemode core.ignorecase \
core.abbrev core.longpaths core.symlinks core.whitespace core.precomposeunicode core.commentchar core.safecrlf \
core.preloadindex core.untrackedcache diff.algorithm diff.context diff.renames diff.renamelimit \
diff.mnemonicprefix diff.noprefix diff.colormoved diff.indentheuristic diff.submodule diff.wordregex \
diff.interhunkcontext merge.conflictstyle merge.ff merge.renamelimit merge.stat pull.rebase pull.ff push.default \
push.autosetupremote push.followtags fetch.prune fetch.parallel rebase.autosquash rebase.autostash tag.sort gc.auto \
submodule.recurse commit.gpgsign commit.verbose commit.cleanup tag.gpgsign versionsort.suffix pack.threads \
grep.linenumber grep.patterntype blame.date blame.coloring feature.manyfiles index.threads";

/// Global options that take the next word.
pub(crate) const GLOBAL_VALUED: &str = "--namespace --super-prefix --attr-source --shallow-file";

/// Global options that take none, and start nothing.
pub(crate) const GLOBAL_PLAIN: &str = "-v --version -h --help --html-path --man-path --info-path -p --paginate -P \
--no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs \
--no-literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --exec-path";
