//! Programs that start the program named by their arguments.

use std::sync::LazyLock;

use super::Index;
use crate::judge::options::Grammar;

/// How the command inside a launcher's arguments is found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launcher {
    pub(crate) names: &'static [&'static str],
    pub(crate) grammar: Grammar,
    /// Operands in front of the inner program.
    pub(crate) skip: usize,
    /// Options with which no inner program is started.
    pub(crate) inert: &'static [&'static str],
    pub(crate) without: Without,
    /// `NAME=value` words may stand in front of the inner program.
    pub(crate) assignments: bool,
    /// It starts things where nothing here guards them.
    pub(crate) outside: bool,
    /// Options with which a name means another file (another root), or that load code or variables. An empty name
    /// stands for the operands in front of the inner program.
    pub(crate) elsewhere: &'static [&'static str],
}

/// What happens when no inner program is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Without {
    Nothing,
    /// A shell, or another program of its choice.
    Shell,
}

const ROW: Launcher = Launcher {
    names: &[],
    grammar: Grammar { short: "", long: "help version" },
    skip: 0,
    inert: &[],
    without: Without::Nothing,
    assignments: false,
    outside: false,
    elsewhere: &[],
};

const fn row(names: &'static [&'static str], short: &'static str, long: &'static str) -> Launcher {
    Launcher { names, grammar: Grammar { short, long }, ..ROW }
}

const fn skipping(skip: usize, row: Launcher) -> Launcher {
    Launcher { skip, ..row }
}

const fn shell_without(row: Launcher) -> Launcher {
    Launcher { without: Without::Shell, ..row }
}

const fn elsewhere(elsewhere: &'static [&'static str], row: Launcher) -> Launcher {
    Launcher { elsewhere, ..row }
}

const fn outside(row: Launcher) -> Launcher {
    Launcher { outside: true, without: Without::Shell, ..row }
}

/// The rows. Options that are missing here make the command a question, never an allowance.
pub(crate) static LAUNCHERS: LazyLock<Index<Launcher>> = LazyLock::new(|| {
    Index::new(ROWS.iter().flat_map(|row| row.names.iter().map(move |name| (*name, row))))
});

const ROWS: &[Launcher] = &[
    Launcher {
        assignments: true,
        ..row(
            &["env"],
            "iu:C:S:0va:",
            "ignore-environment unset= chdir= split-string= null debug argv0= block-signal? default-signal? ignore-signal? list-signal-handling help version",
        )
    },
    row(&["nice"], "n:", "adjustment= help version"),
    row(&["nohup"], "", "help version"),
    skipping(
        1,
        row(
            &["timeout", "gtimeout"],
            "k:s:vfp",
            "kill-after= signal= preserve-status foreground verbose help version",
        ),
    ),
    row(&["stdbuf"], "i:o:e:", "input= output= error= help version"),
    row(&["setsid"], "cfwhV", "ctty fork wait help version"),
    Launcher {
        inert: &["p", "P", "u", "pid", "pgid", "uid"],
        ..row(&["ionice"], "c:n:p:P:u:thV", "class= classdata= pid= pgid= uid= ignore help version")
    },
    Launcher {
        skip: 1,
        inert: &["p", "pid"],
        ..row(&["taskset"], "apchV", "all-tasks pid cpu-list help version")
    },
    Launcher {
        skip: 1,
        inert: &["p", "m", "pid", "max"],
        ..row(
            &["chrt"],
            "abdefiomprvRhVT:P:D:",
            "all-tasks batch deadline ext fifo idle max other pid rr reset-on-fork sched-deadline= sched-period= sched-runtime= verbose help version",
        )
    },
    Launcher { inert: &["p", "pid"], ..row(&["choom"], "n:p:hV", "adjust= pid= help version") },
    Launcher {
        inert: &["p", "pid"],
        ..row(
            &["uclampset"],
            "m:M:p:asRvhV",
            "util-min= util-max= pid= all-tasks system reset-on-fork verbose max help version",
        )
    },
    row(
        &["pipesz"],
        "gs:n:f:icoeqvhV",
        "get set= name= file= check stdin stdout stderr quiet verbose help version",
    ),
    row(&["enosys"], "s:i:lmhV", "syscall= ioctl= list list-ioctl dump? help version"),
    skipping(1, row(&["logsave"], "asv", "")),
    row(
        &["fakeroot-ng", "pseudo", "tsocks", "multitime", "pexec", "memusage", "grc"],
        "",
        "help version",
    ),
    row(
        &["ccache", "sccache", "distcc", "icecc"],
        "sczCVhx",
        "show-stats clear cleanup zero-stats show-config help version",
    ),
    Launcher {
        inert: &["p", "pid"],
        ..row(
            &["prlimit"],
            "p:o:hVc::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::",
            "pid= output= noheadings raw verbose core? data? nice? fsize? sigpending? memlock? rss? nofile? msgqueue? rtprio? stack? cpu? nproc? as? locks? rttime? help version",
        )
    },
    row(
        &["setpriv"],
        "dhV",
        "dump no-new-privs nnp ambient-caps= inh-caps= bounding-set= ruid= euid= rgid= egid= reuid= regid= clear-groups keep-groups init-groups groups= securebits= pdeathsig= ptracer= selinux-label= apparmor-profile= landlock-access= landlock-rule= seccomp-filter= reset-env list-caps help version",
    ),
    elsewhere(
        &["R", "root", "load-interp"],
        shell_without(row(
            &["unshare"],
            "mn::u::i::p::U::C::T::frcR:w:S:G:l:hV",
            "mount? uts? ipc? net? pid? user? cgroup? time? fork kill-child? mount-proc? mount-binfmt? map-user= map-group= map-root-user map-current-user map-auto map-users= map-groups= propagation= setgroups= root= wd= setuid= setgid= load-interp= monotonic= boottime= keep-caps help version",
        )),
    ),
    row(
        &["time", "gtime"],
        "f:o:apvqVh",
        "format= output= append portability verbose quiet help version",
    ),
    Launcher {
        assignments: true,
        without: Without::Shell,
        elsewhere: &["R", "chroot"],
        ..row(
            &["sudo"],
            "AbBEHkKnNPSisg:h:p:u:C:D:r:R:t:T:U:",
            "askpass background bell preserve-env? set-home reset-timestamp non-interactive no-update preserve-groups stdin login shell group= host= prompt= user= close-from= chdir= role= chroot= type= command-timeout= other-user= help version",
        )
    },
    shell_without(row(&["doas"], "nsLu:C:a:", "")),
    elsewhere(
        &[""],
        shell_without(skipping(
            1,
            row(&["chroot"], "", "userspec= groups= skip-chdir help version"),
        )),
    ),
    row(
        &["strace"],
        "e:o:p:s:u:a:b:E:I:O:P:S:U:X:cCdDfFhiknNqrtTvVwxyYzZ",
        "trace= output= attach= string-limit= user= columns= env= interruptible= trace-path= follow-forks output-separately summary summary-only summary-sort-by= daemonize? status= quiet? relative-timestamps? absolute-timestamps? help version",
    ),
    row(&["ltrace"], "e:o:p:s:u:a:A:D:F:l:n:w:x:bcCfhiLrStTV", "output= help version"),
    elsewhere(
        &["l", "lib", "f", "faked"],
        shell_without(row(
            &["fakeroot", "fakeroot-sysv", "fakeroot-tcp"],
            "l:f:i:s:b:uhv",
            "lib= faked= unknown-is-real fd-base= help version",
        )),
    ),
    row(
        &["numactl"],
        "i:m:p:N:C:lHsS:L:M:O:hV",
        "interleave= membind= preferred= cpunodebind= physcpubind= localalloc hardware show",
    ),
    elsewhere(
        &["dbus-daemon", "config-file"],
        row(&["dbus-run-session"], "", "config-file= dbus-daemon= help version"),
    ),
    row(
        &["eatmydata", "torify", "torsocks", "unbuffer", "catchsegv", "setarch-run"],
        "",
        "help version",
    ),
    elsewhere(&["f"], row(&["proxychains", "proxychains4"], "qf:", "")),
    row(
        &["xvfb-run"],
        "ade:f:hln:p:s:w:",
        "auto-servernum auto-display error-file= auth-file= help listen-tcp server-num= xauth-protocol= server-args= wait=",
    ),
    skipping(1, row(&["gosu", "su-exec", "setuidgid", "faketime"], "", "")),
    // A folder of variables.
    elsewhere(&[""], skipping(1, row(&["envdir"], "", ""))),
    elsewhere(&["e", "/"], row(&["chpst"], "u:U:b:/:e:n:l:L:m:d:o:p:f:c:vP012", "")),
    row(&["tini", "dumb-init", "catatonit"], "gsvwep:crV", "single-child rewrite= verbose help"),
    row(&["ssh-agent"], "a:E:P:t:O:dDkcsTu", ""),
    row(&["systemd-inhibit"], "hV", "what= who= why= mode= list no-pager help version"),
    row(&["systemd-cat"], "t:p:hV", "identifier= priority= stderr-priority= level-prefix= help"),
    row(&["cpulimit"], "l:p:e:P:vzifk", ""),
    row(&["sandbox-exec"], "f:n:p:D:", ""),
    skipping(1, row(&["cgexec"], "g:", "sticky")),
    row(&["command"], "pvV", ""),
    row(&["exec"], "cla:", ""),
    row(&["builtin"], "", ""),
    row(&["nocache"], "", ""),
    outside(row(
        &["systemd-run", "run0"],
        "H:M:p:E:qrtPdGSu:hV",
        "user system scope unit= property= description= slice= remain-after-exit send-sighup service-type= uid= gid= nice= working-directory= setenv= pty pipe quiet on-active= on-boot= on-calendar= timer-property= no-block wait collect shell same-dir host= machine= no-ask-password help version",
    )),
    outside(row(
        &["nsenter"],
        "at:m::u::i::n::p::U::C::T::S:G:r::w::W:eFZhV",
        "all target= mount? uts? ipc? net? pid? user? cgroup? time? setuid= setgid= preserve-credentials root? wd? wdns= env no-fork follow-context keep-caps help version",
    )),
    outside(row(&["pkexec"], "", "user= disable-internal-agent keep-cwd help version")),
];
