//! The folders of tool chains, which commands read wherever they lie.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::Surroundings;

/// Folders of a tool chain that its programs are found in.
const PROGRAM_FOLDERS: [&str; 2] = ["bin", "sbin"];
/// The folder of a version manager, whose programs start those of the versions beside it.
const SHIMS_FOLDER: &str = "shims";
/// What lies beside the programs of a tool chain. A folder without any of it holds other things besides the programs.
const TOOL_CHAIN_PARTS: [&str; 8] =
    ["lib", "lib32", "lib64", "libexec", "share", "pyvenv.cfg", "registry", ".crates.toml"];
/// A folder above folders of programs that holds much besides.
const LOCAL_FOLDER: &str = ".local";
/// The variables that say where a tool chain lies.
const TOOL_CHAIN_VARIABLES: [&str; 16] = [
    "RUSTUP_HOME",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "NODENV_ROOT",
    "GOENV_ROOT",
    "NVM_DIR",
    "FNM_DIR",
    "VOLTA_HOME",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "SDKMAN_DIR",
    "GOROOT",
    "JAVA_HOME",
    "DOTNET_ROOT",
    "GOPATH",
    "VIRTUAL_ENV",
];

/// The folders of the tool chains that the plan uses. Of a folder that is only searched for programs, that folder.
pub(super) fn folders(surroundings: &Surroundings<'_>, homes: &[PathBuf]) -> Vec<PathBuf> {
    let Surroundings { search, programs, environment, .. } = surroundings;
    let both = |path: &&Path| [Some(path.to_path_buf()), std::fs::canonicalize(path).ok()];
    let searched = search.iter().flat_map(both).flatten();
    let used = programs.iter().flatten().flat_map(both).flatten().filter_map(|path| {
        if path.is_dir() { Some(path) } else { path.parent().map(Path::to_path_buf) }
    });
    let variables = environment
        .iter()
        .filter(|(name, value)| {
            TOOL_CHAIN_VARIABLES.contains(&name.as_str()) && value.starts_with('/')
        })
        .filter_map(|(_, value)| std::fs::canonicalize(value).ok());
    // Where every program may be started, those of the searched folders are used.
    let searched = searched.map(|folder| match programs {
        Some(_) => folder,
        None => around(&folder, homes),
    });
    searched.chain(used.map(|folder| around(&folder, homes))).chain(variables).collect()
}

/// The folder of the tool chain whose programs lie in this folder.
fn around(programs: &Path, homes: &[PathBuf]) -> PathBuf {
    let name = programs.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let has_parts = |above: &&Path| TOOL_CHAIN_PARTS.iter().any(|part| above.join(part).exists());
    let above = programs.parent().filter(|above| {
        let is_tool_chain =
            name == SHIMS_FOLDER || PROGRAM_FOLDERS.contains(&name) && has_parts(above);
        let is_above_home = homes.iter().any(|home| home.starts_with(above));
        is_tool_chain
            && !is_above_home
            && above.file_name().is_some_and(|name| name != LOCAL_FOLDER)
    });
    above.unwrap_or(programs).to_path_buf()
}
