//! The rows of the table, each a list of names and lines whose language `uses` explains. They say what no kernel plan
//! sees (data that is discarded or sent away, settings), and which arguments of well-known programs run or read
//! something that the program's name does not suggest.

pub(super) const ROWS: &[(&str, &str)] = &[
    // Archives, files, searching.
    (
        "tar gtar bsdtar",
        "values fCbgKLNVXH
        whole checkpoint file
        style bundle
        runs --checkpoint-action=exec=* -I --use-compress-program -F --info-script --to-command
        runs --new-volume-script --rsh-command --rmt-command
        unseen -T --files-from
        discards --remove-files",
    ),
    (
        "rsync",
        "values BTf@
        style exact remote
        runs -e --rsh --rsync-path
        opaque -M --remote-option
        unseen --config
        discards --del --delete* --remove-source-files --remove-sent-files",
    ),
    ("dd dcfldd dc3dd", "discards of=*"),
    ("sort gsort", "runs --compress-program"),
    ("split gsplit csplit", "runs --filter"),
    (
        "rg ripgrep rga",
        "style exact searches\nruns --pre --hostname-bin",
    ),
    ("tcpdump", "values BcCEFGijmMQrsTVwWyZ\nruns -z --postrotate-command"),
    ("nmap", "style dash\nopaque -script -datadir"),
    ("bat batcat delta", "style exact\nruns --pager"),
    ("fzf sk", "style exact\nopaque --bind --become\nruns --preview --with-shell"),
    ("install ginstall", "whole strip\nruns --strip-program"),
    ("ag ack ugrep ug", "style searches\nruns --pager --filter --view"),
    ("zip", "values btnxiR\nopaque -*TT --unzip-command\ndiscards -m --move"),
    ("7z 7za 7zr", "discards -sdel*"),
    ("rar", "discards m mf -df* -dw*"),
    ("fdupes jdupes", "discards -d --delete"),
    ("rdfind", "discards -deleteduplicates"),
    ("gio", "style remote\nstarts launch open mime\ndiscards trash remove"),
    ("hg chg", "style remote\nunseen --config\ndiscards purg* clean remov* rm"),
    ("svn bzr fossil cvs", "style remote\ndiscards delete del remove rm cleanup clean clean-tree"),
    ("rclone", "style remote\ndiscards delete deletefile purge rmdir rmdirs cleanup sync move moveto"),
    // Readers and editors.
    (
        "less more pager zless zmore bzless bzmore xzless xzmore",
        "values bDhjopPtTxyz\nopaque +* --lesskey-content\nunseen -k --lesskey-file --lesskey-src",
    ),
    (
        "man apropos whatis",
        "values LmMsSRE
        whole html
        runs -P --pager
        opaque -H --html -X -p
        unseen -C --config-file",
    ),
    (
        "vi vim nvim view editor vimdiff rvim gvim ex nvi rview evim elvis vim.tiny vim.basic",
        "style exact
        runs -c=!*
        opaque -c=* +* --cmd* --remote* --listen* --server* --startuptime* --embed --headless
        opaque -S -s -u -U -W -w -q -l -e -E -i -t",
    ),
    // Programs that run a file name with a leading bar as a command.
    (
        "gs gsc ps2pdf ps2ps pdf2ps convert magick mogrify identify composite montage dvips",
        "style pipes\nopaque *%pipe%* *:|* *NOSAFER*",
    ),
    // Connections. Settings of ssh that are not listed as data may name programs, modules and files, or a host with
    // code in its name.
    (
        "ssh slogin scp sftp ssh-copy-id",
        "values cDil
        style exact
        data addressfamily batchmode ciphers compression connectionattempts connecttimeout hostkeyalgorithms \
             identitiesonly identityfile loglevel numberofpasswordprompts passwordauthentication port \
             preferredauthentications pubkeyauthentication requesttty serveralivecountmax serveraliveinterval \
             stricthostkeychecking tcpkeepalive user userknownhostsfile
        runs -S
        opaque -J=*$* -J=*;* -J=*`* -J=-* -I
        unseen -F
        setting -o",
    ),
    (
        "curl",
        "values AbCDeEmoPQrtuUwxXyYz
        whole data form url
        style remote
        unseen -K --config --unix-socket --abstract-unix-socket
        discards -X=DELETE --request=DELETE
        opaque --engine
        sends -d=*@* --data=*@* --data-binary=*@* --data-ascii=*@* --data-urlencode=*@* --json=*@* \
              --url-query=*@* --variable=*@* --variable=%* -F=*@* -F=*<* --form=*@* --form=*<* -H=@* --header=@* \
              --proxy-header=@* -T --upload-file --netrc-file --etag-compare --expand-*",
    ),
    (
        "wget wget2",
        "values aoBOPQTtUwD
        runs --use-askpass
        opaque -e --execute
        unseen --config
        sends --post-file --body-file --load-cookies -i --input-file
        discards --delete-after --method=DELETE",
    ),
    (
        "nc ncat netcat",
        "style exact\nvalues ipwgG\nruns -e -c --exec --sh-exec\nopaque --lua-exec",
    ),
    // Databases. Their settings have blanks between them, or are the query of an address.
    (
        "psql pgcli usql",
        "values chLpPRTUv
        style pipes pairs code
        data host hostaddr port dbname user password connect_timeout client_encoding application_name sslmode
        opaque *\\*
        unseen -f --file
        setting operands -d --dbname",
    ),
    (
        "mysql mariadb mycli",
        "values DhPSup
        style pipes code
        opaque *\\* system* source* *;*system* *;*source* --pager --plugin-dir --plugin-load
        unseen --defaults-file --defaults-extra-file --init-command",
    ),
    (
        "sqlite3 sqlite sqlcipher litecli duckdb",
        "style dash pipes code
        opaque .sh* .sy* .load* .read* .import* .output* .once* .excel* .www* .open* *load_extension* *writefile*
        unseen -init",
    ),
    (
        "openssl",
        "style dash
        opaque engine *engine:* -engine -ssl_client_engine -provider -provider-path -proxy-cmd
        unseen -config",
    ),
    // Builders. What they build may run; their settings name compilers, shells and linkers.
    (
        "make gmake",
        "values CIoW
        whole environment
        style expands code
        data v verbose debug release version prefix destdir build build_type config configuration target targets
        opaque -E --eval
        unseen -f=- -f=/dev/stdin --file=- --makefile=-
        setting operands",
    ),
    (
        "cmake",
        "values SBGTAjU
        style exact
        data cmake_build_type cmake_install_prefix cmake_*_standard cmake_export_compile_commands build_* enable_* \
             with_* cmake_verbose_makefile cmake_position_independent_code
        starts -E -P
        unseen -C --toolchain*
        setting -D",
    ),
    (
        "ctest",
        "values LREjITC
        style exact
        data experimental nightly continuous
        opaque -S --script* --test-command --build-makeprogram --build-and-test
        setting -D --overwrite",
    ),
    (
        "gcc g++ cc c++ c89 c99 cpp gfortran gdc gccgo gnat clang clang++",
        "style dash pipes
        data bfd gold lld mold wild
        opaque -B* *-wrapper* *-fplugin* *-specs* *-fmodule-mapper* *-fpass-plugin* --gcc-toolchain* --ld-path*
        opaque -W*,*-plugin* -W*,*--plug* -W*,*-run,*
        unseen @* -W*,@* -W*,*,@*
        setting -fuse-ld",
    ),
    (
        "rustc rustdoc",
        "values lo
        style exact
        data opt-level debuginfo target-cpu debug-assertions
        opaque -Z --extern --sysroot
        unseen @*
        setting -C --codegen",
    ),
    (
        "go",
        "style dash
        starts generate tool
        runs -exec -toolexec -vettool
        opaque -overlay -modfile *-extld*
        unseen -w",
    ),
    (
        "gdb gdbtui lldb cgdb gdb-multiarch",
        "style dash abbreviated
        whole c e p s se a i
        opaque -ex -eval-command -iex -init-eval-command -x -command -ix -init-command -args -data-directory -o -O \
               -one-line -source -k",
    ),
    (
        "cargo",
        "skips -C --color --config -Z
        opaque --config -Z
        else unseen . add bench build b check c clean clippy d doc fetch fix fmt generate-lockfile help info init \
             locate-project metadata new owner package pkgid publish r read-manifest remove report rm run rustc \
             rustdoc search t test tree update vendor verify-project version yank",
    ),
    (
        "cargo-publish",
        "all sends
        spared -n --dry-run : -q --quiet -v --verbose --allow-dirty --no-verify --locked --offline",
    ),
    ("cargo-yank cargo-owner", "all sends"),
    (
        "cargo-rustc cargo-rustdoc",
        "style exact
        data opt-level debuginfo target-cpu debug-assertions
        setting -C --codegen",
    ),
    // Package managers. They run scripts of packages and projects, except for subcommands that only read.
    (
        "npm",
        "skips -C --prefix -w --workspace --loglevel --registry
        flags -h --help -v --version -s --silent -q --quiet -d --verbose -g --global --json -l --long --workspaces \
              --offline --prefer-offline --no-audit --no-fund --no-progress --no-color --ignore-scripts --
        first loads init/ create/ innit/
        first starts exec x exe explore init create innit edit
        else scripts . access audit/ bugs completion config/get config/list config/ls docs doctor explain fund help \
             info issues la list ll login logout ls org outdated owner ping prefix profile query repo root run/ \
             run-script/ search show star stars team token version/ view whoami why",
    ),
    (
        "npm-ci npm-clean-install npm-i npm-install npm-add npm-update npm-rebuild npm-uninstall npm-prune",
        "all scripts
        spared --ignore-scripts : --no-audit --no-fund --no-save --save-dev --save-exact --omit=* --include=* -D -E
        scripts false null",
    ),
    ("npm-owner npm-token npm-team npm-access npm-org", "sends add rm create destroy revoke set grant edit public restricted"),
    ("npm-login npm-adduser npm-logout npm-star npm-unstar", "all sends"),
    (
        "pnpm yarn",
        "skips -C --dir --cwd -F --filter --loglevel --reporter
        flags -h --help -v --version -s --silent --verbose -r --recursive --json --color --no-color --offline
        first loads init/
        first starts exec dlx create init node workspace workspaces recursive multi m
        else scripts audit bin config/get config/list doctor help info la licenses list ll ls outdated root run/ \
             search show store/path store/status versions view why",
    ),
    (
        "pip pip3",
        "skips --log --proxy --retries --timeout --trusted-host --cert --cache-dir
        flags -h --help -V --version -v --verbose -q --quiet --isolated --no-input --no-color --no-cache-dir \
              --disable-pip-version-check
        opaque --python
        else scripts . cache check completion config/get config/list debug freeze hash help index inspect list \
             search show uninstall",
    ),
    (
        "pip-install pip-download pip-wheel",
        "all scripts
        spared --only-binary=:all: : -d -q -t --dest --target --index-url -i --pre --no-deps --upgrade -U
        scripts ./* ../* */ *.zip *.tar* *.tgz *git+* *@* .",
    ),
    (
        "uv",
        "skips --directory --project --cache-dir --color
        first starts run tool x
        else scripts . help pip/check pip/freeze pip/list pip/show pip/tree pip/uninstall python/dir python/find \
             python/list self/version tree version",
    ),
    (
        "poetry pdm pipenv pipx bundle bundler gem composer conda mamba",
        "first starts run runpip shell exec open console
        else scripts about audit check config/get config/list contents dependency diagnose doctor env/info env/list \
             graph help info licenses list outdated platform search show specification status suggests validate \
             verify version why which",
    ),
    (
        "brew",
        "first starts sh ruby irb exec edit
        else scripts . commands config deps desc doctor help home info leaves list log ls outdated search uses",
    ),
    (
        "apt-get apt aptitude apt-cache apt-config",
        "values t
        style exact
        data debug::* acquire::retries apt::get::assume-yes dpkg::use-pty
        starts edit-sources
        unseen -c --config-file
        scripts /* .* *.deb *://*
        setting -o --option",
    ),
    (
        "dpkg",
        "values D
        style exact
        opaque --pre-invoke* --post-invoke* --status-logger* --admindir* --instdir* --root*
        scripts -i -r -P --install --unpack --configure --remove --purge --triggers-only",
    ),
    // Containers, clusters, services.
    (
        "docker podman nerdctl",
        "skips -c --context -H --host -l --log-level --config
        style exact
        unseen --config --module
        starts exec run unshare compose build buildx container create start stack service plugin machine builder
        else unseen . attach build builder buildx checkpoint commit compose config container context cp create diff \
             events exec export help history image images import info inspect kill load login logout logs machine \
             manifest network node pause plugin port ps pull push rename restart rm rmi run save search secret \
             service stack start stats stop swarm system tag top trust unpause unshare update version volume wait",
    ),
    (
        "kubectl oc",
        "starts exec run debug cp plugin edit attach rsh
        opaque --kubeconfig* --helm-command*",
    ),
    ("systemctl", "starts edit link enable start restart set-environment import-environment\nopaque -H --host"),
    // git: first a row about all subcommands, then rows about single ones. Files whose path contains `.git` may be run
    // by other programs.
    (
        "git hub",
        "values mFXGS
        whole exit-code
        data advice.* blame.* color.* column.* commit.cleanup commit.gpgsign commit.verbose core.abbrev core.autocrlf \
             core.commentchar core.eol core.filemode core.ignorecase core.longpaths core.preloadindex core.quotepath \
             core.safecrlf core.symlinks core.whitespace diff.algorithm diff.colormoved diff.context \
             diff.indentheuristic diff.mnemonicprefix diff.noprefix diff.renamelimit diff.renames diff.submodule \
             diff.wordregex feature.manyfiles fetch.parallel fetch.prune format.pretty gc.auto grep.linenumber \
             grep.patterntype i18n.* index.threads init.defaultbranch log.* merge.conflictstyle merge.ff \
             merge.renamelimit merge.stat pack.threads pull.ff pull.rebase push.autosetupremote push.default \
             push.followtags rebase.autosquash rebase.autostash rerere.* stash.* status.* submodule.recurse \
             tag.gpgsign tag.sort user.email user.name versionsort.suffix
        runs ext::* fd::* -*=ext::* -*=fd::*
        opaque --ext-diff
        writes --output
        first opaque filter-branch
        else unseen . add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore \
             check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit \
             commit-graph commit-tree config count-objects describe diff diff-files diff-index diff-tree fetch \
             fetch-pack filter-branch fmt-merge-msg for-each-ref format-patch fsck gc get-tar-commit-id grep \
             hash-object help index-pack init interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit \
             merge merge-base merge-file merge-tree mktag mktree multi-pack-index mv name-rev notes pack-objects \
             pack-redundant pack-refs patch-id prune prune-packed pull push range-diff read-tree rebase reflog \
             remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-pack \
             shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule \
             switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info var \
             verify-commit verify-pack verify-tag version whatchanged worktree write-tree",
    ),
    ("git-ls-remote git-fetch-pack", "values jo\nruns --upload-pack --exec"),
    ("git-fetch", "values jo\nruns --upload-pack --exec\ndiscards -f --force"),
    (
        "git-pull",
        "values joX
        data octopus ort ours recursive resolve subtree
        runs --upload-pack
        setting -s --strategy",
    ),
    (
        "git-merge",
        "values mFX
        whole strategy-option
        data octopus ort ours recursive resolve subtree
        setting -s --strategy",
    ),
    (
        "git-clone",
        "values boj
        runs -u --upload-pack
        opaque --template
        writes --separate-git-dir .git .git/* */.git/*
        setting -c --config",
    ),
    (
        "git-push git-send-pack",
        "values o
        style remote
        runs --receive-pack --exec
        unseen /* ./* ../* file:* -*=/* -*=.*
        discards -f -d --force --force-with-lease --force-if-includes --mirror --delete --prune +* :*",
    ),
    ("git-remote", "unseen /* ./* ../* file:*"),
    ("git-archive", "runs --exec\nwrites -o"),
    ("git-format-patch", "writes -o --output-directory"),
    ("git-index-pack", "writes -o"),
    ("git-checkout-index", "writes --prefix\ndiscards -f --force"),
    ("git-interpret-trailers", "writes --in-place"),
    ("git-read-tree", "writes --index-output\ndiscards --reset -u"),
    ("git-prune", "all discards\nspared -n --dry-run : -v --verbose --progress"),
    ("git-gc", "discards --prune"),
    ("git-apply", "whole exclude\nwrites --unsafe-paths"),
    ("git-bundle", "writes create"),
    ("git-merge-file", "all writes\nspared -p --stdout --object-id : -q"),
    ("git-mailinfo git-mailsplit", "all writes"),
    ("git-pack-objects", "all writes\nspared --stdout : -q --all --revs --thin"),
    ("git-grep", "values ABCefm\nruns -O --open-files-in-pager"),
    (
        "git-rebase",
        "values XC
        data octopus ort ours recursive resolve subtree
        runs -x --exec
        setting -s --strategy",
    ),
    ("git-bisect", "argv run\nunseen view visualize"),
    ("git-submodule", "shell foreach\nwrites .git .git/* */.git */.git/*\ndiscards -f --force"),
    ("git-mv git-worktree", "writes .git .git/* */.git */.git/*\ndiscards remove -f --force"),
    ("git-init", "values b\nopaque --template\nwrites --separate-git-dir .git .git/* */.git */.git/*"),
    ("git-clean", "all discards\nspared -n --dry-run : -d -x -X -q -f --force --quiet --exclude=*"),
    ("git-rm", "all discards\nspared -n --dry-run --cached : -r -q --quiet"),
    ("git-restore", "all discards\nspared -S --staged : -q --quiet --source=*"),
    ("git-checkout", "values bB\ndiscards -f --force -p --patch -- ."),
    ("git-switch", "values cC\ndiscards -f --force --discard-changes"),
    ("git-reset", "discards --hard --merge --keep"),
    ("git-stash", "discards drop clear"),
    ("git-branch", "values u\ndiscards -D -f --force"),
    ("git-tag", "values mFu\ndiscards -d --delete -f --force"),
    ("git-reflog", "discards expire delete"),
    ("git-update-ref", "discards -d"),
    // As built-ins of a shell, these evaluate a subscript in the word after `-v`.
    ("test [ printf", "style reads\nunseen *[*$(* *[*`*"),
    // Programs that start others in ways that are not followed.
    (
        "parallel rush sem npx pnpx bunx uvx at batch crontab run-parts anacron tmux screen byobu dtach zellij xterm \
         bwrap bubblewrap firejail proot schroot systemd-nspawn valgrind perf rr gdbserver hyperfine entr nodemon \
         watchexec concurrently socat wine xdg-open open sensible-editor sensible-pager ansible ansible-playbook pdsh \
         mosh autossh sshpass runcon sg newgrp start-stop-daemon runsv ifne chronic op direnv \
         asdf mise nvm dotenv docker-compose podman-compose runc crun buildah vagrant ftp lftp telnet mail mailx mutt \
         sendmail mc ranger service cpan corepack jupyter mix lein sbt nix-shell dbus-send gpg-agent keychain \
         rlwrap logrotate bear ltrace choom uclampset pipesz enosys logsave tsocks grc faketime proxychains proxychains4 dbus-run-session xvfb-run chpst envdir gosu",
        "all starts",
    ),
    ("rustup coverage hatch nox tox lerna nx turbo nim dart zig swift dotnet", "starts run exec shell script tool"),
    ("nix guix stack cabal", "starts run shell develop repl environment exec ghci runghc script"),
    ("gh", "starts alias extension ext codespace cs"),
];
