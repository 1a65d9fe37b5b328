//! Programs that start things in a way that cannot be followed here: containers, package runners,
//! terminals, schedulers. They are a question wherever they run.

use std::sync::LazyLock;

use super::Index;

/// Names, and the subcommands that start something; no subcommands means any use does.
pub(crate) struct Starter {
    pub(crate) names: &'static str,
    pub(crate) subcommands: &'static str,
}

const fn any(names: &'static str) -> Starter {
    Starter { names, subcommands: "" }
}

const fn sub(names: &'static str, subcommands: &'static str) -> Starter {
    Starter { names, subcommands }
}

pub(crate) static STARTERS: LazyLock<Index<Starter>> =
    LazyLock::new(|| Index::of_texts(ROWS.iter().map(|row| (row.names, row))));

const ROWS: &[Starter] = &[
    any("parallel rush sem niceload env_parallel"),
    any("npx pnpx bunx uvx"),
    any("at batch crontab run-parts anacron"),
    any("tmux screen byobu dtach abduco zellij"),
    any("xterm uxterm rxvt urxvt konsole gnome-terminal alacritty kitty x-terminal-emulator"),
    any(
        "bwrap bubblewrap firejail proot fakechroot schroot dchroot systemd-nspawn minijail0 nsjail",
    ),
    any("valgrind perf rr heaptrack uftrace gdbserver bpftrace"),
    any("hyperfine entr nodemon watchexec reflex concurrently onchange chronic"),
    any("socat inetd tcpsvd tcpserver"),
    any("wine wine64 mono-sgen qemu-x86_64 qemu-aarch64 qemu-arm qemu-i386"),
    any("xdg-open open sensible-editor sensible-pager sensible-browser run-mailcap see"),
    any("ansible ansible-playbook salt salt-call fab pdsh clush mosh autossh sshpass"),
    any(
        "runcon newrole seunshare sandbox aa-exec ksu sg newgrp login agetty openvt switch_root vipw vigr sulogin sudoedit visudo xcrun",
    ),
    any(
        "schedtool cset trickle softlimit setlock envuidgid fghack pgrphack daemonize daemon withlock lckdo coresched",
    ),
    any(
        "s6-setuidgid s6-envdir s6-envuidgid s6-softlimit s6-setlock s6-applyuidgid execlineb runsv runsvdir supervise",
    ),
    any("ifne mispipe pee vipe vidir pipexec scriptlive gpg-agent gpg-connect-agent keychain"),
    any("op doppler chamber envchain aws-vault dotenv sops infisical teller with-contenv"),
    any(
        "bear intercept-build scan-build checkinstall dpkg-buildpackage debuild pbuilder sbuild cowbuilder",
    ),
    any("startx xinit dbus-launch gtk-launch exo-open kioclient dmenu_run rofi xdg-user-dir"),
    any("gtester msgexec msgfilter help2man update-initramfs dracut"),
    any("stap trace-cmd operf ocperf.py dlv delve crash latrace coz"),
    any("systemd-socket-activate systemd-notify systemd-cryptsetup"),
    any("runc crun ctr crictl buildah vagrant ignite"),
    any("ftp lftp ncftp tnftp telnet psftp openvpn wg-quick ifup ifdown pppd udhcpc"),
    any(
        "mail mailx s-nail mutt neomutt sendmail exim exim4 procmail formail maildrop fetchmail getmail getmail6",
    ),
    any("mc ranger vifm lf nnn tig lazygit visidata vd zathura"),
    any("chromium chromium-browser google-chrome firefox gimp dosbox"),
    any(
        "service invoke-rc.d rc-service dpkg-reconfigure debconf puppet chef-client chef-apply knife foreman guard cap",
    ),
    any(
        "cpan cpanp cpanm carton corepack easy_install jupyter watchmedo mix rebar3 lein sbt run-clang-tidy nix-shell",
    ),
    any("repo mr etckeeper yadm vcsh incrond hping3 scanmem msfconsole sqlmap asciidoc neofetch"),
    any(
        "not lli lli-child-target llvm-jitlink llvm-jitlink-executor llvm-exegesis llvm-reduce bugpoint sotruss",
    ),
    any("debconf-apt-progress fstab-decode luit zrun tsp nq slattach kernel-install installkernel"),
    any("gp-collect-app jdb jcmd jconsole jhsdb jexec jstatd rmiregistry jpackage"),
    any(
        "pg_virtualenv pg_ctlcluster pg_createcluster pg_upgradecluster postgres postmaster mysqld mariadbd mongod",
    ),
    any(
        "git-shell git-receive-pack git-upload-pack git-upload-archive git-http-backend scalar gitk",
    ),
    any(
        "instmodsh perlbug perlthanks optscript pkgdata make-first-existing-target dpkg-preconfigure bashbug",
    ),
    any("deb-systemd-invoke dbus-send dbus-update-activation-environment dbus-daemon cppw cpgr"),
    any(
        "parallel-ssh pssh prsync rsh rlogin rexec remsh dbclient valgrind.bin systemd-mount getty vimtutor ssh-argv0 gcore",
    ),
    sub("gprofng", "collect"),
    sub("busctl gdbus gapplication", "call launch action set-property"),
    sub("gio", "launch open mime"),
    sub("kpt", "fn live"),
    any("direnv asdf mise nvm pyenv rbenv capsh rlwrap logrotate"),
    sub(
        "docker podman nerdctl",
        "exec run unshare compose build buildx container create start stack service plugin machine builder",
    ),
    any("docker-compose podman-compose"),
    sub("kubectl oc", "exec run debug cp plugin edit attach rsh"),
    sub(
        "lxc lxc-attach lxc-execute machinectl distrobox toolbox flatpak snap",
        "exec run shell enter start",
    ),
    sub("hatch nox tox", "run shell exec"),
    sub("cmake", "-E -P"),
    sub("systemctl", "edit link enable start restart set-environment import-environment"),
    sub("go", "generate tool"),
    sub("rustup", "run"),
    sub("nix guix", "run shell develop repl environment time-machine"),
    sub(
        "stack cabal",
        "exec ghc ghci runghc runhaskell run script repl eval hoogle v2-exec v2-run v2-repl",
    ),
    sub("nim crystal dart zig swift", "run r e eval repl play"),
    sub("tcc", "-run"),
    sub("dotnet", "exec run fsi script tool"),
    sub("meson", "devenv --internal dist"),
    sub("coverage", "run"),
    sub("lerna nx turbo", "exec run run-many"),
    sub("helm", "plugin"),
    sub("gcloud", "ssh scp"),
    sub("hg chg", "bisect extdiff debugshell serve"),
    sub("jj", "util"),
    sub("fossil", "sql sqlite3 all shell"),
    sub("task", "execute exec"),
    sub("xdotool csvtool", "exec call"),
    sub("coredumpctl", "debug gdb"),
    sub("tc", "exec"),
    sub("apt apt-get aptitude", "edit-sources"),
    sub("gh", "alias extension ext codespace cs"),
    sub("ip", "netns vrf"),
];
