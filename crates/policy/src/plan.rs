//! What the kernel holds every command of a policy to. The plan is data that follows from the lists and never from a
//! command. Other crates resolve its names to files and install it.

mod helpers;
mod limits;
mod reads;

use crate::config::{Config, Rule};
use crate::place;

pub use self::limits::{DEFAULT_FILE_BYTES, DEFAULT_PROCESSES, Limits, NO_LIMIT};
pub use reads::{ReadLimits, Reads};

/// Where files may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Beneath the writable roots, and in the private folders of a run.
    Roots,
    /// In the private folders of a run only.
    None,
    /// Everywhere except in `/proc` and `/sys`.
    Any,
}

/// Which programs may be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exec {
    /// The programs of the allow list, and the parts that they need to work.
    Listed,
    /// Every program.
    Any,
}

/// What commands may connect to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// Nothing outside of the run.
    None,
    /// What other programs of the same owner listen on at loopback addresses.
    Loopback,
    /// The same, and the hosts of a list.
    Allow,
    /// Everything.
    Any,
}

/// Whether files beneath the roots may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remove {
    /// Files may be removed.
    Yes,
    /// Files may be neither removed nor moved.
    No,
    /// Files may be neither removed, moved nor emptied.
    NoTruncate,
}

/// The part of the plan that a host chose. The rest follows from its lists.
#[derive(Clone, Debug, Default)]
pub struct Confine {
    /// Default: [`Writes::Roots`] where roots were given.
    pub writes: Option<Writes>,
    /// Default: [`Exec::Listed`] where an allow list was given, and no interpreter of it is trusted to
    /// start what it wants.
    pub exec: Option<Exec>,
    /// Default: [`Network::Any`].
    pub network: Option<Network>,
    /// Default: [`Remove::No`] where there is only a deny list, and it names a program that removes files.
    pub remove: Option<Remove>,
    /// Programs that may remove files where others may not, when a command consists of them alone. They may do that
    /// everywhere. Default: those of [`Rewriter`]'s table, some of which may remove files in folders of their own only.
    pub rewriters: Option<Vec<String>>,
    /// Default: [`Reads::Protected`].
    pub reads: Option<Reads>,
    /// Places that may be read all the same. Default: none.
    pub readable: Option<Vec<String>>,
    /// Further places that may not be read. Default: none.
    pub unreadable: Option<Vec<String>>,
    /// How much each run may use.
    pub limits: Limits,
}

/// The folder in which Node's package managers keep what they have installed.
const PACKAGES: &str = "node_modules";
/// The folder in which Cargo keeps what it has built.
const BUILDS: &str = "target";

/// Programs that replace files in their ordinary work, and the folder in which they do. git replaces any file. The others run
/// what a project says, and whoever may write the project's files could have them remove any.
const DEFAULT_REWRITERS: [(&str, Option<&str>); 5] = [
    ("git", None),
    ("npm", Some(PACKAGES)),
    ("pnpm", Some(PACKAGES)),
    ("yarn", Some(PACKAGES)),
    ("cargo", Some(BUILDS)),
];

/// Programs that remove nothing, so that they may share a pipe with a rewriter.
const HARMLESS_IN_PIPES: [&str; 12] =
    ["cat", "cut", "date", "echo", "grep", "head", "ls", "printf", "tail", "tr", "uniq", "wc"];

/// Programs that remove files. When one of them is denied, files must not be removed by other means either.
const REMOVERS: [&str; 8] = ["rm", "rmdir", "unlink", "shred", "srm", "del", "erase", "rd"];

/// Tool chains that run what they have built in a temporary folder.
const BUILDERS: [&str; 4] = ["go", "cargo", "rustc", "rustdoc"];
/// Those among them that build and run programs among temporary files: the tests in documentation.
const TEMPORARY_BUILDERS: [&str; 2] = ["cargo", "rustdoc"];

/// Programs that run a judged script: bash, and `cat`, because `$(cat <<'EOF')` is allowed as text.
const SCRIPT_PROGRAMS: [&str; 2] = ["bash", "cat"];

/// What the kernel holds the commands of a policy to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Where files may be written.
    pub writes: Writes,
    /// Programs that may be executed; `None` for every program.
    pub programs: Option<Vec<Program>>,
    /// Places beneath the roots whose programs may be executed as well.
    pub places: Vec<Place>,
    /// Whether programs that a run builds in its private folder may be executed: a tool chain is listed that starts them
    /// there.
    pub builds: bool,
    /// Whether the private folder for temporary files is that folder: a tool chain is listed that builds there and knows no other.
    pub builds_among_temporary_files: bool,
    /// What commands may connect to.
    pub network: Network,
    /// Whether files may be removed.
    pub remove: Remove,
    /// Programs that may remove files all the same.
    pub rewriters: Vec<Rewriter>,
    /// Whether the folder `/tmp` may be the run's own.
    pub own_temporary: bool,
    /// What commands may read.
    pub reads: ReadLimits,
    /// How much each run may use.
    pub limits: Limits,
}

/// A program that may remove files where others may not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewriter {
    /// Its name.
    name: String,
    /// The name of the folders in which it may; `None` for everywhere.
    folder: Option<&'static str>,
}

/// Where a command of rewriters may remove files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
    /// Everywhere that commands write.
    Everywhere,
    /// In folders of these names beneath the roots, and beneath those folders.
    Folders(Vec<&'static str>),
}

/// A program that may be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// A name, or an absolute path.
    pub name: String,
    /// Programs that it consists of, and folders of such programs. They are relative to the program's own folder, or to
    /// the folder in a variable, as in `$NAME/folder`.
    pub places: &'static [&'static str],
    /// Names of programs that it consists of.
    programs: &'static [&'static str],
}

/// A place beneath the roots. Who may write there decides what runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// As the rule names it.
    name: String,
}

/// The files of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceFiles<'p> {
    /// The file of this name.
    File(&'p str),
    /// Every file in the folder.
    Folder,
    /// Everything beneath the folder.
    Tree,
}

impl Place {
    fn of_rules(rules: &[Rule]) -> Vec<Place> {
        let names = rules.iter().map(|rule| &rule.program).filter(|name| place::is_place(name));
        let mut places: Vec<Place> = names.map(|name| Place { name: name.clone() }).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// As the rule names it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The folder relative to a root, empty for the root itself.
    pub fn folder(&self) -> &str {
        place::split(&self.name).0
    }

    /// The files in or beneath that folder.
    pub fn files(&self) -> PlaceFiles<'_> {
        match place::split(&self.name).1 {
            place::ANY_FILE => PlaceFiles::Folder,
            place::ANYTHING => PlaceFiles::Tree,
            name => PlaceFiles::File(name),
        }
    }

    /// Whether this absolute path, which has no `.` and `..`, is one of its files beneath one of these roots.
    pub fn includes(&self, roots: &[String], path: &str) -> bool {
        place::includes(&self.name, roots, path)
    }
}

impl Program {
    fn new(name: &str) -> Program {
        let base = name.rsplit('/').next().unwrap_or(name);
        let (places, programs) = helpers::parts_of(base);
        Program { name: name.to_owned(), places, programs }
    }

    /// The programs on the search path that it consists of, which may have parts themselves.
    pub fn parts(&self) -> impl Iterator<Item = Program> {
        self.programs.iter().copied().map(Program::new)
    }
}

impl Plan {
    /// Derives the plan from lists. `has_roots`: the host named the directories in which commands work; `shell`: bash
    /// runs judged texts.
    pub fn new(config: &Config, confine: &Confine, has_roots: bool, shell: bool) -> Plan {
        let listed = config.allow.as_deref();
        let names_programs =
            listed.is_some_and(|rules| !rules.iter().any(|rule| is_trusted(config, rule)));
        let exec = confine.exec.unwrap_or(if names_programs { Exec::Listed } else { Exec::Any });
        let programs = (exec == Exec::Listed).then(|| {
            let names = listed.unwrap_or_default().iter().map(|rule| rule.program.as_str());
            let names = names.filter(|name| !place::is_place(name));
            let of_scripts = if shell { &SCRIPT_PROGRAMS[..] } else { &[] };
            let mut names: Vec<&str> = names.chain(of_scripts.iter().copied()).collect();
            names.sort_unstable();
            names.dedup();
            names.into_iter().map(Program::new).collect()
        });
        let default_writes = if has_roots { Writes::Roots } else { Writes::Any };
        let denied = config.deny.as_deref().unwrap_or_default();
        // A program on an allow list may remove files, if that is what it is for.
        let keeps_files = listed.is_none() && denied.iter().any(is_remover);
        let default_remove = if keeps_files { Remove::No } else { Remove::Yes };
        let rewriter = |name: &str, folder| Rewriter { name: name.to_owned(), folder };
        let rewriters = match &confine.rewriters {
            Some(named) => named.iter().map(|name| rewriter(name, None)).collect(),
            None => {
                DEFAULT_REWRITERS.iter().map(|&(name, folder)| rewriter(name, folder)).collect()
            }
        };
        Plan {
            writes: confine.writes.unwrap_or(default_writes),
            programs,
            places: Place::of_rules(listed.unwrap_or_default()),
            builds: listed.unwrap_or_default().iter().any(is_builder),
            builds_among_temporary_files: listed
                .unwrap_or_default()
                .iter()
                .any(|rule| TEMPORARY_BUILDERS.contains(&base_name(rule))),
            network: confine.network.unwrap_or(Network::Any),
            remove: confine.remove.unwrap_or(default_remove),
            rewriters,
            own_temporary: true,
            reads: ReadLimits::new(confine),
            limits: confine.limits,
        }
    }

    /// The plan for a command that somebody approved. Any program may start: whoever approves could also have listed
    /// it.
    #[must_use]
    pub fn approved(&self) -> Plan {
        Plan { programs: None, own_temporary: false, ..self.clone() }
    }

    /// The plan for a command that may remove files everywhere.
    #[must_use]
    pub fn rewriting(&self) -> Plan {
        Plan { remove: Remove::Yes, ..self.clone() }
    }

    /// The plan for a program that the host itself starts, which need not be listed.
    #[must_use]
    pub fn naming(&self, program: &str) -> Plan {
        let mut plan = Plan { own_temporary: false, ..self.clone() };
        if let Some(programs) = plan.programs.as_mut() {
            programs.push(Program::new(program));
        }
        plan
    }

    /// Where a command of these programs, and no others, may remove files although the plan removes none. `None`: nowhere.
    /// All of the command runs under one plan, so a program that may remove everywhere may not do so beside one that may not.
    pub fn removal_by(&self, programs: &[String]) -> Option<Removal> {
        let rewriter = |name: &String| self.rewriters.iter().find(|one| one.name == *name);
        let is_reader = |name: &String| HARMLESS_IN_PIPES.contains(&name.as_str());
        let found: Vec<&Rewriter> = programs.iter().filter_map(rewriter).collect();
        let is_alone = programs.iter().all(|name| rewriter(name).is_some() || is_reader(name));
        if self.remove == Remove::Yes || found.is_empty() || !is_alone {
            return None;
        }
        let mut folders: Vec<&str> = found.iter().filter_map(|one| one.folder).collect();
        folders.sort_unstable();
        folders.dedup();
        Some(if folders.is_empty() { Removal::Everywhere } else { Removal::Folders(folders) })
    }
}

/// The name of the program that the rule is for, without a folder.
fn base_name(rule: &Rule) -> &str {
    rule.program.rsplit('/').next().unwrap_or_default()
}

/// Whether this is an interpreter whose code the host trusts.
fn is_trusted(config: &Config, rule: &Rule) -> bool {
    config.trust_interpreters.iter().any(|trusted| trusted == base_name(rule))
}

/// Whether the rule allows a tool chain that runs what it has built.
fn is_builder(rule: &Rule) -> bool {
    BUILDERS.contains(&base_name(rule))
}

/// Whether the rule denies a program that removes files. A rule with arguments denies only one use of it.
fn is_remover(rule: &Rule) -> bool {
    rule.args.is_none() && REMOVERS.contains(&base_name(rule))
}

#[cfg(test)]
mod tests;
