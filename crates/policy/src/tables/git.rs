//! git: which settings, subcommands and options run something.

use std::sync::LazyLock;

use super::arguments::{Argument, Row, Style, code, opaque, unless};
use super::{Index, Names};

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
    row("clone", "bocj", &[code("u", "upload-pack"), opaque("", "template")]),
    row("push send-pack", "o", &[code("", "receive-pack exec")]),
    row("archive", "o", &[code("", "exec")]),
    row("grep", "ABCefm", &[code("O", "open-files-in-pager")]),
    row("rebase", "XC", &[code("x", "exec"), unless("s", "strategy", STRATEGIES)]),
    row("difftool mergetool", "", &[code("x", "extcmd"), opaque("t", "tool")]),
    row("init", "b", &[opaque("", "template")]),
    row("diff log show", "SGLOnlMC", &[opaque("", "ext-diff")]),
];

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
pub(crate) const GLOBAL_VALUED: [&str; 5] =
    ["-C", "--work-tree", "--namespace", "--super-prefix", "--attr-source"];
