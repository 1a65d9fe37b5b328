//! Kernel plans: the plans of the policy with their names resolved to files, as workers install them.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use handrail_files::Roots;
use handrail_policy::FolderMakers;
use handrail_policy::plan::{
    DEFAULT_FILE_BYTES, DEFAULT_PROCESSES, Limits, NO_LIMIT, Network, Plan, Program, ReadLimits,
    Removal, Remove, Writes,
};
use handrail_supervisor::message::{
    Limits as KernelLimits, Plan as KernelPlan, PlanPlace, PlanRoot, Reach,
};

use crate::linux::available_memory::available_memory;
use crate::linux::made_folders::{FolderRegister, MadeFolders};
use crate::linux::place_files::{self, FoundPlaces, Stamp};
use crate::linux::program::{FileFormat, ResolvedPath, is_changeable_by_others};
use crate::linux::reads;
use crate::linux::removable_folders;
use crate::{ReadPlaces, SearchPath, Variant};

/// How deep scripts whose interpreter is a script are followed, and parts of parts of a program.
const MAX_DEPTH: usize = 4;
/// The type of the ELF program header that names the loader.
const PT_INTERP: usize = 3;
/// How much of an ELF file is read to find the name of its loader.
const ELF_HEAD_BYTES: u64 = 64 * 1024;

/// How much of all memory a run may use where the host says nothing: three quarters.
const DEFAULT_MEMORY_SHARE: [u64; 2] = [3, 4];

/// The dynamic loaders of glibc and musl.
const COMMON_LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];

/// The folder of temporary files that all users share.
pub(crate) const TEMPORARY_FOLDER: &str = "/tmp";

/// Most resolved plans that are kept. A host with more of them has some resolved again.
const MAX_KEPT_PLANS: usize = 16;

/// The resolved plans of one runner. Each is resolved when the first program starts under it.
#[derive(Debug)]
pub struct KernelPlans {
    /// The number of the runner's network namespace.
    network: u32,
    /// The port of the proxy that leads out of it, if there is one.
    proxy_port: Option<u16>,
    /// The last used first.
    resolved: Mutex<Vec<ResolvedPlan>>,
    /// The folders that were made for the runner's programs.
    made_folders: Arc<FolderRegister>,
}

/// A plan with the input of its resolution. The search path and the roots are left out, which do not change.
#[derive(Debug)]
struct ResolvedPlan {
    plan: Plan,
    variant: Variant,
    environment: Vec<(String, String)>,
    /// What the places were.
    stamps: Vec<Option<Stamp>>,
    /// What tells that protected places came to be.
    watch: reads::Watch,
    kernel_plan: Arc<KernelPlan>,
}

impl KernelPlans {
    /// Without a plan yet, for the owner of this network namespace, out of which a proxy at this port leads.
    pub(crate) fn new(network: u32, proxy_port: Option<u16>) -> KernelPlans {
        KernelPlans {
            network,
            proxy_port,
            resolved: Mutex::default(),
            made_folders: Arc::default(),
        }
    }

    /// Makes the folders that the program would make, of those that the plan grants: the folders of places, and in `directory` and
    /// the roots those in which the program may remove files. That is done before the plan is resolved. `build_folder`: the value
    /// of the variable that names the folder of build results.
    pub(crate) fn make_folders(
        &self,
        makers: &FolderMakers,
        build_folder: Option<&str>,
        plan: &Plan,
        variant: &Variant,
        directory: &Path,
        roots: &Arc<Roots>,
    ) -> Option<MadeFolders> {
        if makers.is_empty() || plan.writes == Writes::None {
            return None;
        }
        let mut wanted = BTreeSet::new();
        if plan.programs.is_some() {
            wanted.extend(place_files::granted_folders(&plan.places, roots));
        }
        if let Variant::Rewriting(Removal::Folders(names)) = variant {
            wanted.extend(removable_folders::missing(names, directory, roots));
        }
        let register = &self.made_folders;
        Some(MadeFolders::make(makers, build_folder, wanted, roots, register))
    }

    /// The plan with its names resolved to files. It is resolved once: files that did not exist then are not in it. Only when
    /// places beneath the roots have changed is it resolved again.
    /// `environment` has the names and values of the variables that programs see.
    pub(crate) fn resolve(
        &self,
        plan: &Plan,
        variant: Variant,
        search: &SearchPath,
        roots: &Roots,
        read_places: &ReadPlaces,
        environment: &[(String, String)],
    ) -> Arc<KernelPlan> {
        let stamps = place_files::stamps(&plan.places, roots);
        let removable = match &variant {
            Variant::Rewriting(Removal::Folders(names)) if plan.writes != Writes::None => {
                removable_folders::find(names, roots)
            }
            _ => Vec::new(),
        };
        let mut kept = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|resolved| {
            resolved.variant == variant
                && resolved.plan == *plan
                && resolved.environment == environment
        });
        if let Some(index) = known {
            kept[..=index].rotate_right(1);
            if kept[0].stamps == stamps
                && kept[0].watch.is_current()
                && kept[0].kernel_plan.removable == removable
            {
                return Arc::clone(&kept[0].kernel_plan);
            }
            kept.remove(0);
        }
        let (mut kernel_plan, watch) =
            kernel_plan(plan, &variant, search, roots, read_places, environment);
        kernel_plan.network = self.reach(plan);
        kernel_plan.removable = removable;
        kernel_plan.proxy_port = self.proxy_port.filter(|_| plan.network == Network::Allow);
        let kernel_plan = Arc::new(kernel_plan);
        kept.truncate(MAX_KEPT_PLANS - 1);
        let resolved = ResolvedPlan {
            plan: plan.clone(),
            variant,
            environment: environment.to_vec(),
            stamps,
            watch,
            kernel_plan: Arc::clone(&kernel_plan),
        };
        kept.insert(0, resolved);
        kernel_plan
    }

    fn reach(&self, plan: &Plan) -> Reach {
        match plan.network {
            Network::None => Reach::Nothing,
            Network::Loopback | Network::Allow => Reach::Own(self.network),
            Network::Any => Reach::Anything,
        }
    }

    /// An entry of the host's list of what commands do not read that cannot be held, and why.
    pub fn unholdable<'a>(
        limits: &'a ReadLimits,
        read_places: &ReadPlaces,
        roots: &Roots,
    ) -> Option<(&'a str, &'static str)> {
        reads::unholdable(limits, read_places, roots)
    }

    /// Whether commands need nothing in the folder of temporary files that all users share: no root, no program of the search
    /// path and no variable leads there, and the whole file system is no root.
    pub fn is_temporary_folder_free(
        search: &SearchPath,
        roots: &Roots,
        environment: &[(String, String)],
    ) -> bool {
        let place = Path::new(TEMPORARY_FOLDER);
        let Roots::Only(all) = roots else { return false };
        let is_apart = |path: &Path| !path.starts_with(place) && !place.starts_with(path);
        // The state directory is made anew in a folder that is the worker's own, so only that folder may be its parent.
        let is_named =
            |value: &str| value.split(':').any(|part| Path::new(part).starts_with(place));
        std::fs::canonicalize(place).is_ok_and(|canonical| canonical == place)
            && all.iter().all(|root| is_apart(root.path()))
            && search.directories().all(is_apart)
            && search.given_paths().all(is_apart)
            && !environment.iter().any(|(_, value)| is_named(value))
    }
}

fn kernel_plan(
    plan: &Plan,
    variant: &Variant,
    search: &SearchPath,
    roots: &Roots,
    read_places: &ReadPlaces,
    environment: &[(String, String)],
) -> (KernelPlan, reads::Watch) {
    let (execute, loaders) = (BTreeSet::new(), BTreeSet::new());
    let files = PlanFiles { search, roots, read_places, environment, execute, loaders };
    match variant {
        Variant::Base | Variant::Rewriting(Removal::Folders(_)) => resolve(plan, files),
        // A script of rewriters may also redirect, and a redirection must not empty a file where the plan forbids it.
        Variant::Rewriting(Removal::Everywhere) => {
            let (resolved, watch) = resolve(&plan.rewriting(), files);
            (KernelPlan { truncate: plan.remove != Remove::NoTruncate, ..resolved }, watch)
        }
        Variant::Approved => resolve(&plan.approved().rewriting(), files),
    }
}

fn resolve(plan: &Plan, mut files: PlanFiles<'_>) -> (KernelPlan, reads::Watch) {
    for program in plan.programs.iter().flatten() {
        files.add_program(program, 0);
    }
    let roots = files.roots;
    let found = match plan.programs {
        Some(_) => FoundPlaces::look(&plan.places, roots),
        None => FoundPlaces::default(),
    };
    let places = files.add_places(&found);
    let bytes = |paths: BTreeSet<PathBuf>| -> Vec<Vec<u8>> {
        paths.into_iter().map(|path| path.into_os_string().into_vec()).collect()
    };
    let identified = |root: &handrail_files::Root| {
        let (device, inode) = root.identity().ok()?;
        let path = root.path().as_os_str().as_bytes().to_vec();
        let writable = root.is_writable() && plan.writes != Writes::None;
        let has_places = places.iter().any(|place| place.path.starts_with(&path));
        let shown_as = root.shown_as().map(|path| path.as_os_str().as_bytes().to_vec());
        Some(PlanRoot { path, device, inode, writable, has_places, shown_as })
    };
    let roots = match roots {
        Roots::Unrestricted => Vec::new(),
        Roots::Only(roots) => roots.iter().filter_map(identified).collect(),
    };
    let own_temporary = plan.own_temporary
        && plan.writes != Writes::Any
        && KernelPlans::is_temporary_folder_free(files.search, files.roots, files.environment);
    let PlanFiles { search, execute, loaders, .. } = files;
    let programs = execute.iter().map(PathBuf::as_path).collect();
    let surroundings = reads::Surroundings {
        roots: files.roots,
        search: search.directories().chain(search.given_paths()).collect(),
        programs: plan.programs.is_some().then_some(programs),
        environment: files.environment,
        own_temporary,
        writes_roots: plan.writes != Writes::None,
    };
    let (reads, watch) = reads::resolve(&plan.reads, files.read_places, &surroundings);
    let kernel_plan = KernelPlan {
        own_temporary,
        reads,
        writes_anywhere: plan.writes == Writes::Any,
        roots,
        execute: plan.programs.is_some().then(|| bytes(execute)),
        places,
        build: plan.programs.is_some() && plan.builds,
        build_among_temporary_files: plan.builds_among_temporary_files,
        loaders: bytes(loaders),
        network: Reach::Nothing,
        proxy_port: None,
        remove: plan.remove == Remove::Yes,
        removable: Vec::new(),
        truncate: plan.remove != Remove::NoTruncate,
        limits: kernel_limits(&plan.limits),
        spill: None,
        layer: None,
    };
    (kernel_plan, watch)
}

/// The limits of a plan, with the defaults of this machine.
fn kernel_limits(limits: &Limits) -> KernelLimits {
    let limit = |given: Option<u64>, default: Option<u64>| {
        given.or(default).filter(|&limit| limit != NO_LIMIT)
    };
    let [part, parts] = DEFAULT_MEMORY_SHARE;
    let memory = || Some(available_memory()? / parts * part);
    KernelLimits {
        memory_bytes: limit(limits.memory_bytes, memory()),
        processes: limit(limits.processes, Some(DEFAULT_PROCESSES)),
        cpu_ms: limit(limits.cpu_ms, None),
        file_bytes: limit(limits.file_bytes, Some(DEFAULT_FILE_BYTES)),
        disk_bytes: limit(limits.disk_bytes, None),
        open_files: limit(limits.open_files, None),
    }
}

/// Collects the files of a plan.
struct PlanFiles<'a> {
    search: &'a SearchPath,
    roots: &'a Roots,
    read_places: &'a ReadPlaces,
    environment: &'a [(String, String)],
    execute: BTreeSet<PathBuf>,
    loaders: BTreeSet<PathBuf>,
}

impl PlanFiles<'_> {
    fn add_program(&mut self, program: &Program, depth: usize) {
        for path in self.search.find_all(Path::new(&program.name)) {
            for place in program.places {
                self.add_place(&path, place);
                if let Ok(own) = std::fs::canonicalize(&path) {
                    self.add_place(&own, place);
                }
            }
            self.add_file(&path, 0);
        }
        for part in program.parts().filter(|_| depth < MAX_DEPTH) {
            self.add_program(&part, depth + 1);
        }
    }

    /// The files and folders of places, which commands may write to. Links from there to programs outside of the roots, and
    /// the interpreters of scripts there, are added as files that nobody may write to.
    fn add_places(&mut self, found: &FoundPlaces) -> Vec<PlanPlace> {
        let mut granted: Vec<&Path> = found.folders.iter().map(PathBuf::as_path).collect();
        for file in &found.files {
            if !self.roots.is_writable(file) {
                self.add_file(file, 0);
                continue;
            }
            if !found.has_folder_of(file) {
                granted.push(file);
            }
            self.add_needs(file, 0);
        }
        if !granted.is_empty() {
            // Programs in a folder are not looked at one by one.
            let present = COMMON_LOADERS.iter().filter_map(|path| std::fs::canonicalize(path).ok());
            self.loaders.extend(present);
        }
        let identified = |path: &Path| {
            let status = self.roots.symlink_metadata(path).ok()?;
            let (device, inode) = (status.dev(), status.ino());
            Some(PlanPlace { path: path.as_os_str().as_bytes().to_vec(), device, inode })
        };
        granted.into_iter().filter_map(identified).collect()
    }

    /// Adds a file, and the files that the kernel starts or maps when it is executed.
    fn add_file(&mut self, path: &Path, depth: usize) {
        let Ok(path) = self.roots.canonicalize(path) else { return };
        // The kernel grants the file itself, not its path. So it matters who can change the file, not who can move it.
        let is_protected = !self.roots.is_writable(&path) && !is_file_writable_by_others(&path);
        if depth > MAX_DEPTH || !is_protected || !self.execute.insert(path.clone()) {
            return;
        }
        self.add_needs(&path, depth);
    }

    /// Adds the files that the kernel starts or maps when this file is executed.
    fn add_needs(&mut self, path: &Path, depth: usize) {
        let opened = self.roots.openable(path);
        match FileFormat::of(&opened) {
            Some(FileFormat::Script { interpreters }) => {
                for name in &interpreters {
                    for path in self.search.find_all(Path::new(name)) {
                        self.add_file(&path, depth + 1);
                    }
                }
            }
            Some(FileFormat::Binary) => {
                if let Some(loader) = loader(&opened) {
                    self.loaders.insert(loader);
                }
            }
            None => {}
        }
    }

    /// Adds a further place that a program needs: a path that starts at the folder of the program, or `$VARIABLE/PATH`.
    fn add_place(&mut self, program: &Path, place: &str) {
        let path = match place.strip_prefix('$').and_then(|place| place.split_once('/')) {
            Some((variable, rest)) => {
                let mut variables = self.environment.iter();
                let value = variables.find(|(name, _)| name == variable).map(|(_, value)| value);
                value.map(|value| Path::new(value).join(rest)).filter(|path| path.is_absolute())
            }
            None => program.parent().map(|above| above.join(place)),
        };
        let Some(Ok(path)) = path.map(std::fs::canonicalize) else { return };
        if !path.is_dir() {
            return self.add_file(&path, 0);
        }
        let is_safe = ResolvedPath::of(&path).is_ok_and(|place| {
            !place.is_in_writable_root(self.roots) && !place.is_writable_by_others()
        });
        if is_safe {
            self.execute.insert(path);
        }
    }
}

fn is_file_writable_by_others(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |status| is_changeable_by_others(&status))
}

/// The canonical path of the loader that an ELF file names.
fn loader(program: &Path) -> Option<PathBuf> {
    let mut head = Vec::new();
    File::open(program).ok()?.take(ELF_HEAD_BYTES).read_to_end(&mut head).ok()?;
    let number = |at: usize, size: usize| -> Option<usize> {
        let bytes = head.get(at..at.checked_add(size)?)?;
        let value = bytes.iter().rev().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
        usize::try_from(value).ok()
    };
    let is_elf64 = head.starts_with(b"\x7fELF\x02\x01");
    let (start, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let entries = (0..count).filter_map(|index| start.checked_add(index * size));
    let entry = entries.filter(|_| is_elf64).find(|&at| number(at, 4) == Some(PT_INTERP))?;
    let (name, length) = (number(entry.checked_add(8)?, 8)?, number(entry.checked_add(32)?, 8)?);
    let name = head.get(name..name.checked_add(length)?)?;
    let name = name.split(|&byte| byte == 0).next()?;
    std::fs::canonicalize(std::ffi::OsStr::from_bytes(name)).ok()
}

#[cfg(test)]
mod tests;
