//! Launchers: programs that start the program that their arguments name, and how to find it there.

use std::sync::LazyLock;

use super::{Grammar, Index};

/// A row of the table. Its lists are names with blanks between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Launcher {
    pub(crate) names: &'static str,
    pub(crate) grammar: Grammar,
    /// How many operands stand in front of the inner program.
    pub(crate) skip: usize,
    /// Operands that may be present, and may be followed by more options.
    pub(crate) optional: &'static str,
    /// Options with which the launcher starts no program.
    pub(crate) inert: &'static str,
    /// Whether it starts a shell, or another program of its choice, when there is no inner program.
    pub(crate) shell: bool,
    /// Whether `NAME=value` words may stand in front of the inner program.
    pub(crate) assigns: bool,
    /// Whether it starts the program where this machine does not confine it.
    pub(crate) outside: bool,
    /// Options that make a name mean another file, as with another root, or that load code or variables. `*` means that
    /// every use does.
    pub(crate) elsewhere: &'static str,
    /// Options whose value is code for a shell.
    pub(crate) code: &'static str,
    pub(crate) operands: Operands,
}

/// What the operands of a launcher are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operands {
    /// The inner program and its arguments.
    Command,
    /// Words that a shell joins into code, unless one of these options is present.
    Joined(&'static str),
    /// Something else; options may follow it.
    Other,
}

const fn row(names: &'static str, short: &'static str, long: &'static str) -> Launcher {
    Launcher {
        names,
        grammar: Grammar { short, long },
        skip: 0,
        optional: "",
        inert: "",
        shell: false,
        assigns: false,
        outside: false,
        elsewhere: "",
        code: "",
        operands: Operands::Command,
    }
}

impl Launcher {
    const fn skip(self, skip: usize) -> Self {
        Self { skip, ..self }
    }

    const fn optional(self, optional: &'static str) -> Self {
        Self { optional, ..self }
    }

    const fn inert(self, inert: &'static str) -> Self {
        Self { inert, ..self }
    }

    const fn shell(self) -> Self {
        Self { shell: true, ..self }
    }

    const fn assigns(self) -> Self {
        Self { assigns: true, ..self }
    }

    const fn outside(self) -> Self {
        Self { outside: true, shell: true, ..self }
    }

    const fn elsewhere(self, elsewhere: &'static str) -> Self {
        Self { elsewhere, ..self }
    }

    const fn code(self, code: &'static str) -> Self {
        Self { code, ..self }
    }

    const fn operands(self, operands: Operands) -> Self {
        Self { operands, ..self }
    }
}

pub(crate) static LAUNCHERS: LazyLock<Index<Launcher>> =
    LazyLock::new(|| Index::of_texts(ROWS.iter().map(|row| (row.names, row))));

/// An option that is missing here makes a command a question, never an allowance.
const ROWS: &[Launcher] = &[
    row(
        "env",
        "iu:C:S:0va:",
        "ignore-environment unset= chdir= split-string= null debug argv0= block-signal? default-signal? ignore-signal? \
         list-signal-handling help version",
    )
    .assigns(),
    row("nice", "n:", "adjustment= help version"),
    row("nohup", "", "help version"),
    row(
        "timeout gtimeout",
        "k:s:vfp",
        "kill-after= signal= preserve-status foreground verbose help version",
    )
    .skip(1),
    row("stdbuf", "i:o:e:", "input= output= error= help version"),
    row("setsid", "cfwhV", "ctty fork wait help version"),
    row("ionice", "c:n:p:P:u:thV", "class= classdata= pid= pgid= uid= ignore help version")
        .inert("p P u pid pgid uid"),
    row("taskset", "apchV", "all-tasks pid cpu-list help version").skip(1).inert("p pid"),
    row(
        "chrt",
        "abdefiomprvRhVT:P:D:",
        "all-tasks batch deadline ext fifo idle max other pid rr reset-on-fork sched-deadline= sched-period= \
         sched-runtime= verbose help version",
    )
    .skip(1)
    .inert("p m pid max"),
    row(
        "setarch linux32 linux64 i386 i486 i586 i686 x86_64 aarch64 armv7l uname26",
        "BFILRSTXZ3vhV",
        "32bit fdpic-funcptrs short-inode addr-compat-layout addr-no-randomize whole-seconds sticky-timeouts \
         read-implies-exec mmap-page-zero 3gb 4gb uname-2.6 verbose list help version",
    )
    .optional("linux32 linux64 i386 i486 i586 i686 x86_64 amd64 aarch64 armv7l ppc64le uname26")
    .shell(),
    row(
        "prlimit",
        "p:o:hVc::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::",
        "pid= output= noheadings raw verbose core? data? nice? fsize? sigpending? memlock? rss? nofile? msgqueue? \
         rtprio? stack? cpu? nproc? as? locks? rttime? help version",
    )
    .inert("p pid"),
    row(
        "setpriv",
        "dhV",
        "dump no-new-privs nnp ambient-caps= inh-caps= bounding-set= ruid= euid= rgid= egid= reuid= regid= \
         clear-groups keep-groups init-groups groups= securebits= pdeathsig= ptracer= selinux-label= \
         apparmor-profile= landlock-access= landlock-rule= seccomp-filter= reset-env list-caps help version",
    ),
    row(
        "unshare",
        "mn::u::i::p::U::C::T::frcR:w:S:G:l:hV",
        "mount? uts? ipc? net? pid? user? cgroup? time? fork kill-child? mount-proc? mount-binfmt? map-user= \
         map-group= map-root-user map-current-user map-auto map-users= map-groups= propagation= setgroups= root= wd= \
         setuid= setgid= load-interp= monotonic= boottime= keep-caps help version",
    )
    .shell()
    .elsewhere("R root load-interp"),
    row("time gtime", "f:o:apvqVh", "format= output= append portability verbose quiet help version"),
    row(
        "sudo",
        "AbBEHkKnNPSisg:h:p:u:C:D:r:R:t:T:U:",
        "askpass background bell preserve-env? set-home reset-timestamp non-interactive no-update preserve-groups \
         stdin login shell group= host= prompt= user= close-from= chdir= role= chroot= type= command-timeout= \
         other-user= help version",
    )
    .assigns()
    .shell()
    .elsewhere("R chroot"),
    row("doas", "nsLu:C:a:", "").shell(),
    row("chroot", "", "userspec= groups= skip-chdir help version").skip(1).shell().elsewhere("*"),
    row(
        "strace",
        "e:o:p:s:u:a:b:E:I:O:P:S:U:X:cCdDfFhiknNqrtTvVwxyYzZ",
        "trace= output= attach= string-limit= user= columns= env= trace-path= follow-forks output-separately summary \
         summary-only status= quiet? help version",
    )
    .elsewhere("E env"),
    row(
        "fakeroot fakeroot-sysv fakeroot-tcp",
        "l:f:i:s:b:uhv",
        "lib= faked= unknown-is-real fd-base= help version",
    )
    .shell()
    .elsewhere("l lib f faked"),
    row(
        "flock",
        "sexnuE:w:oFhV",
        "shared exclusive unlock nonblock nb timeout= wait= conflict-exit-code= close no-fork verbose fcntl help version",
    )
    .skip(1)
    .code("c command"),
    row(
        "su",
        "c:lmpPs:g:G:fw:u:ThV",
        "command= session-command= login preserve-environment shell= group= supp-group= fast \
         whitelist-environment= user= pty no-pty help version",
    )
    .shell()
    .code("c command session-command")
    .elsewhere("s shell")
    .operands(Operands::Other),
    row(
        "runuser",
        "c:lmpPs:g:G:fw:u:ThV",
        "command= session-command= login preserve-environment shell= group= supp-group= fast \
         whitelist-environment= user= pty no-pty help version",
    )
    .shell()
    .code("c command session-command")
    .elsewhere("s shell"),
    row(
        "script",
        "aefqc:B:I:O:T:t::m:o:E:hV",
        "append command= echo= return flush force log-io= log-in= log-out= log-timing= logging-format= output-limit= \
         quiet timing? help version",
    )
    .shell()
    .code("c command")
    .operands(Operands::Other),
    row(
        "watch",
        "n:d::btegcCpwxrq:s:fhv",
        "interval= differences? beep color no-color errexit chgexit equexit= exec precise no-rerun no-title no-wrap \
         no-linewrap shotsdir= follow help version",
    )
    .operands(Operands::Joined("x exec")),
    row(
        "ld.so",
        "",
        "library-path= inhibit-rpath= argv0= glibc-hwcaps-prepend= glibc-hwcaps-mask= preload= audit= list verify \
         inhibit-cache help version",
    )
    .elsewhere("preload audit library-path"),
    row("ccache sccache distcc", "sczCVhx", "show-stats clear cleanup zero-stats show-config help version"),
    row("eatmydata torify torsocks unbuffer nocache builtin", "", "help version"),
    row("tini dumb-init catatonit", "gsvwep:crV", "single-child rewrite= verbose help"),
    row("ssh-agent", "a:E:P:t:O:dDkcsTu", ""),
    row("command", "pvV", "").inert("v V"),
    row("exec", "cla:", ""),
    row(
        "systemd-run run0",
        "H:M:p:E:qrtPdGSu:hV",
        "user system scope unit= property= description= slice= setenv= pty pipe quiet no-block wait collect shell help version",
    )
    .outside(),
    row(
        "nsenter",
        "at:m::u::i::n::p::U::C::T::S:G:r::w::W:eFZhV",
        "all target= mount? uts? ipc? net? pid? user? cgroup? time? setuid= setgid= root? wd? wdns= env no-fork help version",
    )
    .outside(),
    row("pkexec", "", "user= disable-internal-agent keep-cwd help version").outside(),
];
