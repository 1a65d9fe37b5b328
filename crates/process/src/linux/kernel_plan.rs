//! A policy's plan with its names resolved to files, as workers install it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use handrail_files::Roots;
use handrail_policy::plan::{Network, Plan, Program, Remove, Writes};
use handrail_supervisor::message::{Plan as KernelPlan, PlanRoot};

use crate::linux::program::{ResolvedPath, Start};
use crate::{SearchPath, Variant};

/// Scripts whose interpreter is a script, and parts that have parts.
const MAX_DEPTH: usize = 4;
/// The kind of a program header that names the loader.
const PT_INTERP: usize = 3;
/// As much of a program as its loader's name lies in.
const HEAD_BYTES: u64 = 64 * 1024;

/// Resolved plans that are kept, the last used first; a host with more kinds of programs has some resolved again.
const MAX_KEPT: usize = 16;

/// Plans as workers install them, each resolved with the first program that is held to it.
#[derive(Debug, Default)]
pub struct KernelPlans {
    resolved: Mutex<Vec<Resolved>>,
}

/// A plan with what its names were resolved by, beside folders and roots, which do not change.
#[derive(Debug)]
struct Resolved {
    plan: Plan,
    variant: Variant,
    environment: Vec<(String, String)>,
    kernel_plan: Arc<KernelPlan>,
}

impl KernelPlans {
    /// The plan with its names resolved: now, unless it has been. What was not there then is not in the plan.
    /// `environment`: names and values of what programs see.
    pub(crate) fn resolved(
        &self,
        plan: &Plan,
        variant: Variant,
        search: &SearchPath,
        roots: &Roots,
        environment: &[(String, String)],
    ) -> Arc<KernelPlan> {
        let mut kept = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|resolved| {
            resolved.variant == variant
                && resolved.plan == *plan
                && resolved.environment == environment
        });
        if let Some(index) = known {
            kept[..=index].rotate_right(1);
            return Arc::clone(&kept[0].kernel_plan);
        }
        let kernel_plan = Arc::new(kernel_plan(plan, variant, search, roots, environment));
        kept.truncate(MAX_KEPT - 1);
        let resolved = Resolved {
            plan: plan.clone(),
            variant,
            environment: environment.to_vec(),
            kernel_plan: Arc::clone(&kernel_plan),
        };
        kept.insert(0, resolved);
        kernel_plan
    }
}

fn kernel_plan(
    plan: &Plan,
    variant: Variant,
    search: &SearchPath,
    roots: &Roots,
    environment: &[(String, String)],
) -> KernelPlan {
    let (execute, loaders) = (BTreeSet::new(), BTreeSet::new());
    let files = Files { search, roots, environment, execute, loaders };
    match variant {
        Variant::Base => resolve(plan, files),
        // A script of rewriters may also redirect: what it must not empty, it still must not.
        Variant::Rewriting => KernelPlan {
            truncate: plan.remove != Remove::NoTruncate,
            ..resolve(&plan.rewriting(), files)
        },
        Variant::Approved => resolve(&plan.approved().rewriting(), files),
    }
}

fn resolve(plan: &Plan, mut files: Files<'_>) -> KernelPlan {
    for program in plan.programs.iter().flatten() {
        files.add_program(program, 0);
    }
    let bytes = |paths: BTreeSet<PathBuf>| -> Vec<Vec<u8>> {
        paths.into_iter().map(|path| path.into_os_string().into_vec()).collect()
    };
    let identified = |root: &handrail_files::Root| {
        let (device, inode) = root.identity().ok()?;
        let path = root.path().as_os_str().as_bytes().to_vec();
        let writable = root.is_writable() && plan.writes != Writes::None;
        Some(PlanRoot { path, device, inode, writable })
    };
    let Files { roots, execute, loaders, .. } = files;
    KernelPlan {
        writes_anywhere: plan.writes == Writes::Any,
        roots: match roots {
            Roots::Unrestricted => Vec::new(),
            Roots::Only(roots) => roots.iter().filter_map(identified).collect(),
        },
        execute: plan.programs.is_some().then(|| bytes(execute)),
        loaders: bytes(loaders),
        network: plan.network == Network::Any,
        remove: plan.remove == Remove::Yes,
        truncate: plan.remove != Remove::NoTruncate,
    }
}

/// The files of a plan while it is resolved.
struct Files<'a> {
    search: &'a SearchPath,
    roots: &'a Roots,
    environment: &'a [(String, String)],
    execute: BTreeSet<PathBuf>,
    loaders: BTreeSet<PathBuf>,
}

impl Files<'_> {
    fn add_program(&mut self, program: &Program, depth: usize) {
        for path in self.search.all(Path::new(&program.name)) {
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

    /// A file, and what the kernel starts or maps when it is executed.
    fn add_file(&mut self, path: &Path, depth: usize) {
        let Ok(path) = std::fs::canonicalize(path) else { return };
        // A file is granted by what it is, not by its path: who changes it matters, not who moves it.
        let is_own = !self.roots.is_writable(&path) && !is_file_writable_by_others(&path);
        if depth > MAX_DEPTH || !is_own || !self.execute.insert(path.clone()) {
            return;
        }
        match Start::of(&path) {
            Some(Start::Script(words)) => {
                for name in &words {
                    for path in self.search.all(Path::new(name)) {
                        self.add_file(&path, depth + 1);
                    }
                }
            }
            Some(Start::Binary) => {
                if let Some(loader) = loader(&path) {
                    self.loaders.insert(loader);
                }
            }
            None => {}
        }
    }

    /// From the folder the program was found in, or from its own if it is a link.
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
        let is_safe = ResolvedPath::of(&path)
            .is_ok_and(|way| !way.is_in_writable_root(self.roots) && !way.is_writable_by_others());
        if is_safe {
            self.execute.insert(path);
        }
    }
}

fn is_file_writable_by_others(path: &Path) -> bool {
    const GROUP_OR_OTHERS: u32 = 0o022;
    std::fs::metadata(path).map_or(true, |status| status.mode() & GROUP_OR_OTHERS != 0)
}

/// The loader that an ELF file names, canonical.
fn loader(program: &Path) -> Option<PathBuf> {
    let mut head = Vec::new();
    File::open(program).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
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
