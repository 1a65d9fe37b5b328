//! git: files that the caller chooses, settings, and repositories that a file tool may have filled.

use crate::common::{asked, check_lines, passed};
use handrail_policy::Decision::{Allow, Ask};

#[test]
fn an_output_file_is_a_question() {
    asked(
        &[
            "git log -1 --output=.git/config '--format=[core]%nfsmonitor=./x'",
            "git log --output .git/config",
            "git log --outp=.git/config",
            "git log --out=x",
            "git diff --output=.git/hooks/x",
            "git diff --output=x",
            "git -C .. diff --output=config",
            "git diff --output=a/../.git/config",
            "git show --output=x",
            "git shortlog --output=x",
            "git blame --output=x a",
            "git stash show --output=x",
            "git log -- --output=x",
            "git archive -o.git/config HEAD",
            "git archive -o .git/config HEAD",
            "git archive -vo.git/config HEAD",
            "git archive --output=x HEAD",
            "git format-patch -o .git/hooks HEAD~1",
            "git format-patch -ko.git/hooks HEAD~1",
            "git format-patch --output-dir=.git/hooks HEAD~1",
            "git checkout-index --prefix=.git/hooks/ -a",
            "git checkout-index --pref=x/ -a",
            "git bundle create .git/config HEAD",
            "git bundle create -q x HEAD",
            "git merge-file .git/config a b",
            "git merge-file -L -p .git/config a b",
            "git mailinfo .git/config x",
            "git mailsplit -o.git x",
            "git index-pack -o x y",
            "git pack-objects .git/x",
            "git interpret-trailers --in-pl --trailer a=b .git/config",
            "git read-tree --index-output=x HEAD",
            "git apply --unsafe-paths x",
            "git apply --uns x",
            "git init --separate-git-dir=x",
            "git clone --separate-git-dir x y",
            "git worktree add .git/hooks x",
            "git worktree add x/.GIT/y",
            "git mv -f a .git/config",
            "git mv a b/.git/config",
            "git clone https://a/b .git",
            "git clone https://a/b .git/hooks",
            "git init .git/x",
            "git -C .git apply ../x",
            "git -C sub/.git/ apply ../x",
            "git --work-tree=.git checkout main config",
            "git --work-tree .git/ checkout main config",
        ],
        "effect.write",
    );
    passed(&[
        "git diff --stat",
        "git diff --output-indicator-new=x",
        "git log --oneline",
        "git ls-files -o --others",
        "git clone -o up https://a/b",
        "git push -o ci.skip origin main",
        "git grep -o x",
        "git commit -o a -m x",
        "git archive HEAD",
        "git format-patch --stdout HEAD~1",
        "git format-patch HEAD~1",
        "git merge-file -p a b c",
        "git bundle verify x",
        "git worktree add ../wt main",
        "git worktree list",
        "git clone /a/.git b",
        "git clone https://a/b.git",
        "git mv a .gitignore",
        "git add .gitignore .github/x",
        "git commit -m 'leave .git/hooks alone'",
        "git init x",
        "git --work-tree=x status",
    ]);
    // Under a deny list alone, files are left to the kernel plan.
    check_lines(&[("-rm", "git archive -o x HEAD", Allow, "list.allowed")]);
}

#[test]
fn options_in_front_of_the_subcommand() {
    asked(&["git --unknown status", "git --unknown x status"], "argument.unseen");
    passed(&[
        "git -P log",
        "git --no-pager diff",
        "git --no-optional-locks status",
        "git --literal-pathspecs add a",
        "git --exec-path",
        "git --version",
        "git --list-cmds=main",
    ]);
}

#[test]
fn settings_that_outlive_the_call() {
    asked(
        &[
            "git config --rename-sec color.x core",
            "git config --rename-section color.x core",
            "git config --remove-sec color.x",
            "git config --fil=.git/config user.name x",
            "git config --fi .git/config user.name x",
            "git config -f.git/config user.name x",
            "git config -zf .git/config user.name x",
            "git config --glob user.name x",
            "git config --ed user.name",
            "git config -ze user.name",
            "git config --unse user.signingkey",
            "git config --unknown user.name x",
            "git config core.pager ./x --get",
            "git config filter.x.clean ./x",
            "git config diff.x.textconv ./x",
            "git config merge.x.driver ./x",
            "git config set alias.x !x",
            "git config user.name x",
            "git config User.Email x@y",
            "git config --local user.email x@y",
            "git config set user.name x",
            "git config core.hooksPath ./x",
            "git config core.worktree .git",
        ],
        "argument.unseen",
    );
    passed(&[
        "git config --get user.name",
        "git config --get-all user.name",
        "git config --list",
        "git config -l",
        "git config -lz",
        "git config user.name",
        "git config --local color.ui never",
        "git config --add color.ui never",
        "git -c user.name=x log",
        "git config get user.name",
        "git config list",
    ]);
}

/// `receive-pack` runs the hooks of the repository it writes to, without the settings of this environment.
#[test]
fn a_push_into_a_folder_is_a_question() {
    asked(
        &[
            "git push ./x main",
            "git push ../x main",
            "git push /a/b main",
            "git push file:///a/b main",
            "git push --repo=/a/b.git --all",
            "git push --rep=./b --all",
            "git send-pack ../b.git main",
            "git remote add x ./y",
            "git remote set-url origin file:///a/b",
        ],
        "argument.unseen",
    );
    passed(&[
        "git push",
        "git push origin main",
        "git push https://a/b main",
        "git push git@a:b/c.git main",
        "git push origin feature/x",
        "git push -o ci.skip origin feature/x",
        "git push -u origin refs/heads/a:refs/heads/b",
        "git push --repo=origin --all",
        "git remote add x https://a/b",
        "git fetch ../x",
        "git pull ../x main",
    ]);
}

/// What spares the work tree must be an option for certain, what does not may be abbreviated.
#[test]
fn work_is_discarded_whatever_a_value_looks_like() {
    asked(
        &[
            "git clean -f -e -n",
            "git clean -fe -n",
            "git clean -f -- -n",
            "git clean -n --no-dry-run -f",
            "git rm -f a -- --cached",
            "git rm -f a -- -n",
            "git rm --cached --no-cached a",
            "git restore a -- --staged",
            "git restore --source --staged a",
            "git restore -s -S a",
            "git restore --staged --work a",
            "git checkout --f",
            "git reset --ha",
            "git reset --h",
            "git push --m",
        ],
        "effect.destructive",
    );
    passed(&[
        "git clean -n",
        "git clean -dn",
        "git clean --dry-run -d -x",
        "git rm --cached a",
        "git rm -r --cached a",
        "git rm -n a",
        "git restore --staged a",
        "git restore -S a",
        "git restore --staged --source=HEAD~1 a",
        "git reset",
        "git reset HEAD a",
        "git push -u origin main",
        "git push --tags",
    ]);
}

/// The settings that every command with git in it gets are in the environment.
#[test]
fn an_emptied_environment_is_a_question_in_front_of_git() {
    for line in [
        "env -i git status",
        "env - git status",
        "env --ignore-env git status",
        "env -u GIT_CONFIG_COUNT git status",
        "env --unset=GIT_CONFIG_KEY_0 nice git status",
        "env -i LANG=C git status",
    ] {
        check_lines(&[("+env git nice", line, Ask, "argument.unseen")]);
    }
    for line in ["env -i ls", "env - ls", "env -u FOO git status"] {
        check_lines(&[("+env git ls", line, Allow, "list.allowed")]);
    }
}
