//! Programs that start things in a way that cannot be followed here: containers, package runners,
//! terminals, schedulers. They are a question wherever they run.

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

pub(crate) const STARTERS: &[Starter] = &[
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
    any("direnv asdf mise nvm pyenv rbenv capsh rlwrap logrotate"),
    sub(
        "docker podman nerdctl",
        "exec run compose build buildx container create start stack service plugin machine builder",
    ),
    any("docker-compose podman-compose"),
    sub("kubectl oc", "exec run debug cp plugin"),
    sub(
        "lxc lxc-attach lxc-execute machinectl distrobox toolbox flatpak snap",
        "exec run shell enter start",
    ),
    sub("npm", "exec x explore init create edit"),
    sub("pnpm yarn", "exec dlx create init node"),
    sub("uv", "run tool x"),
    sub("pipx poetry pipenv conda mamba micromamba hatch pdm nox", "run shell exec"),
    sub("bundle bundler", "exec open"),
    sub("cmake", "-E -P"),
    sub("systemctl", "edit link enable start restart set-environment import-environment"),
    sub("go", "generate tool"),
    sub("gh", "alias extension codespace"),
    sub("ip", "netns vrf"),
];
