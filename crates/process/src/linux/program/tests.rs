use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use handrail_files::Root;

use super::*;

/// A search directory `bin`, a workspace `work`, and a folder nobody named.
struct Fixture(PathBuf);

impl Fixture {
    fn new(name: &str) -> Fixture {
        Fixture::below(&std::env::temp_dir(), name)
    }

    /// In a folder that only this user can change, down from `/`: where this test was built, or at home.
    fn private(name: &str) -> Fixture {
        let built = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let mut folders = [Some(built), home].into_iter().flatten();
        let is_private =
            |folder: &PathBuf| !ResolvedPath::of(folder).unwrap().is_writable_by_others();
        Fixture::below(&folders.find(is_private).expect("a folder of this user's own"), name)
    }

    fn below(parent: &Path, name: &str) -> Fixture {
        let base = parent.join(format!("handrail-program-{name}-{}", std::process::id()));
        for folder in ["bin", "work", "elsewhere"] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        Fixture(base)
    }

    /// A copy of a real binary, to be told apart by where it lies.
    fn plant(&self, path: &str) {
        fs::copy("/bin/true", self.0.join(path)).unwrap();
    }

    fn script(&self, path: &str, line: &str) {
        fs::write(self.0.join(path), format!("{line}\n")).unwrap();
        fs::set_permissions(self.0.join(path), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn roots(&self) -> Roots {
        Roots::Only(vec![Root::open(&self.0.join("work"), true).unwrap()])
    }

    fn search(&self) -> SearchPath {
        SearchPath::open(&[self.0.join("bin"), PathBuf::from("/bin")], &self.roots()).unwrap()
    }

    fn find(&self, name: &str) -> Result<Program, ProgramError> {
        self.search().find(&[name.as_bytes().to_vec()], &self.roots(), None)
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn path_of(program: &Program) -> PathBuf {
    real_path(program.executable.as_fd()).unwrap()
}

#[test]
fn names_are_found_in_the_search_path_only() {
    let fixture = Fixture::new("names");
    fixture.plant("work/planted");
    fixture.plant("elsewhere/planted");
    assert_eq!(fixture.find("planted").unwrap_err(), ProgramError::NotFound);
    fixture.plant("bin/planted");
    let found = fixture.find("planted").unwrap();
    assert_eq!(path_of(&found), fs::canonicalize(fixture.0.join("bin/planted")).unwrap());
}

#[test]
fn a_path_must_lie_in_the_search_path() {
    let fixture = Fixture::new("paths");
    fixture.plant("bin/tool");
    fixture.plant("elsewhere/tool");
    let inside = fixture.0.join("bin/tool");
    assert!(fixture.find(inside.to_str().unwrap()).is_ok());
    let outside = fixture.0.join("elsewhere/tool");
    for path in [outside.to_str().unwrap(), "./tool", "../bin/tool", "bin/tool"] {
        assert_eq!(fixture.find(path).unwrap_err(), ProgramError::NotTrusted, "{path}");
    }
}

#[test]
fn a_host_that_approved_it_may_run_a_path_outside() {
    let fixture = Fixture::new("approved");
    fixture.plant("elsewhere/tool");
    let directory = handrail_files::open_directory(&fixture.0.join("elsewhere")).unwrap();
    let arguments = [b"./tool".to_vec()];
    let found = fixture.search().find(&arguments, &fixture.roots(), Some(directory.as_fd()));
    assert_eq!(
        path_of(&found.unwrap()),
        fs::canonicalize(fixture.0.join("elsewhere/tool")).unwrap()
    );
}

#[test]
fn a_link_into_a_writable_root_is_not_trusted() {
    let fixture = Fixture::new("link");
    fixture.plant("work/tool");
    symlink(fixture.0.join("work/tool"), fixture.0.join("bin/tool")).unwrap();
    assert_eq!(fixture.find("tool").unwrap_err(), ProgramError::NotTrusted);
}

#[test]
fn a_search_directory_in_a_writable_root_is_an_error() {
    let fixture = Fixture::new("search");
    fs::create_dir(fixture.0.join("work/bin")).unwrap();
    let error = SearchPath::open(&[fixture.0.join("work/bin")], &fixture.roots()).unwrap_err();
    assert!(matches!(error, ProgramError::SearchDirectory(..)), "{error}");
    assert!(SearchPath::open(&[PathBuf::from("relative")], &fixture.roots()).is_err());
}

/// A folder of the host's own `PATH`.
fn optional(path: PathBuf) -> SearchFolder {
    SearchFolder { path, is_required: false }
}

#[test]
fn a_folder_of_the_hosts_path_that_others_may_change_is_left_out_whatever_it_holds() {
    let fixture = Fixture::private("optional");
    let roots = fixture.roots();
    for folder in ["work/bin", "open", "open/below", "later"] {
        fs::create_dir_all(fixture.0.join(folder)).unwrap();
        fixture.plant(&format!("{folder}/tool"));
    }
    symlink(fixture.0.join("work/bin"), fixture.0.join("link")).unwrap();
    fs::set_permissions(fixture.0.join("open"), fs::Permissions::from_mode(0o777)).unwrap();
    let cases = [
        (PathBuf::from("relative"), LeftOut::Relative),
        (fixture.0.join("missing"), LeftOut::Absent),
        (fixture.0.join("work/bin"), LeftOut::Commands),
        (fixture.0.join("link"), LeftOut::Commands),
        (fixture.0.join("open"), LeftOut::Others),
        (fixture.0.join("open/below"), LeftOut::Others),
    ];
    let folders: Vec<SearchFolder> = cases.iter().map(|(path, _)| optional(path.clone())).collect();
    let search = SearchPath::open(&folders, &roots).unwrap();
    assert_eq!(search.left_out(), cases);
    let tool = [b"tool".to_vec()];
    assert_eq!(search.find(&tool, &roots, None).unwrap_err(), ProgramError::NotFound);

    let all = folders.into_iter().chain([optional(fixture.0.join("later"))]);
    let found = SearchPath::open(all, &roots).unwrap().find(&tool, &roots, None).unwrap();
    assert!(path_of(&found).ends_with("later/tool"));
    // The attack: a required folder is used although others may write to it.
    let open = SearchPath::open([fixture.0.join("open")], &roots).unwrap();
    assert!(open.find(&tool, &roots, None).is_ok());
}

#[test]
fn what_was_looked_at_is_what_runs() {
    let fixture = Fixture::new("swap");
    fixture.plant("bin/tool");
    let judged = fs::metadata(fixture.0.join("bin/tool")).unwrap().ino();
    let found = fixture.find("tool").unwrap();
    fs::rename(fixture.0.join("bin/tool"), fixture.0.join("bin/old")).unwrap();
    fixture.plant("bin/tool");
    assert_eq!(rustix::fs::fstat(&found.executable).unwrap().st_ino, judged);
    // The attack works: the name now means another file.
    assert_ne!(fs::metadata(fixture.0.join("bin/tool")).unwrap().ino(), judged);
}

#[test]
fn only_executable_regular_files_count() {
    let fixture = Fixture::new("kinds");
    fs::create_dir(fixture.0.join("bin/folder")).unwrap();
    fs::write(fixture.0.join("bin/plain"), "x").unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, fixture.0.join("bin/fifo"), FileType::Fifo, Mode::RWXU, 0)
        .unwrap();
    for name in ["folder", "plain", "fifo", "missing", ""] {
        assert_eq!(fixture.find(name).unwrap_err(), ProgramError::NotFound, "{name}");
    }
}

#[test]
fn a_path_without_a_program_says_what_is_there() {
    let fixture = Fixture::new("absent");
    fs::create_dir(fixture.0.join("bin/folder")).unwrap();
    fs::write(fixture.0.join("bin/plain"), "x").unwrap();
    for (name, expected) in [
        ("missing", ProgramError::NoFile),
        ("plain", ProgramError::NotExecutable),
        ("folder", ProgramError::NotExecutable),
    ] {
        let path = fixture.0.join("bin").join(name);
        assert_eq!(fixture.find(path.to_str().unwrap()).unwrap_err(), expected, "{name}");
    }
}

#[test]
fn scripts_that_others_can_change_are_not_trusted() {
    let fixture = Fixture::new("script");
    // The system's folder for temporary files is writable by everybody.
    fixture.script("bin/tool", "#!/bin/sh");
    assert_eq!(fixture.find("tool").unwrap_err(), ProgramError::NotTrusted);
}

/// What the interpreter of the script `name` is given as the script.
fn script_of(fixture: &Fixture, name: &str) -> Result<PathBuf, ProgramError> {
    let program = fixture.find(name)?;
    let script = program.arguments[1].clone();
    Ok(PathBuf::from(std::ffi::OsString::from_vec(script)))
}

#[test]
fn a_script_with_many_names_is_run_by_the_name_that_was_found() {
    let fixture = Fixture::private("names-of-script");
    fixture.script("elsewhere/wrapper", "#!/bin/sh");
    symlink(fixture.0.join("elsewhere/wrapper"), fixture.0.join("elsewhere/alternative")).unwrap();
    symlink("../elsewhere/alternative", fixture.0.join("bin/psql")).unwrap();
    let found = fs::canonicalize(fixture.0.join("bin")).unwrap().join("psql");
    for name in ["psql", fixture.0.join("bin/psql").to_str().unwrap()] {
        assert_eq!(script_of(&fixture, name).unwrap(), found, "{name}");
    }
    // The attack: by its own name the script would take its first argument for a program's name.
    assert_ne!(found, fs::canonicalize(fixture.0.join("bin/psql")).unwrap());
}

#[test]
fn a_script_is_refused_where_a_link_on_the_way_to_it_can_be_swapped() {
    let fixture = Fixture::private("way-of-script");
    fixture.script("elsewhere/wrapper", "#!/bin/sh");
    for folder in ["shared", "safe"] {
        fs::create_dir(fixture.0.join(folder)).unwrap();
        symlink(fixture.0.join("elsewhere/wrapper"), fixture.0.join(folder).join("link")).unwrap();
    }
    symlink(fixture.0.join("elsewhere/wrapper"), fixture.0.join("work/link")).unwrap();
    fs::set_permissions(fixture.0.join("shared"), fs::Permissions::from_mode(0o777)).unwrap();
    for (name, through) in [("a", "shared/link"), ("b", "work/link"), ("c", "safe/link")] {
        symlink(fixture.0.join(through), fixture.0.join("bin").join(name)).unwrap();
    }
    assert_eq!(script_of(&fixture, "a").unwrap_err(), ProgramError::NotTrusted);
    assert_eq!(script_of(&fixture, "b").unwrap_err(), ProgramError::NotTrusted);
    assert!(script_of(&fixture, "c").is_ok());
    // And where the file, its folder, or the folder of the found name can.
    for place in ["elsewhere/wrapper", "elsewhere", "bin"] {
        let place = fixture.0.join(place);
        fs::set_permissions(&place, fs::Permissions::from_mode(0o777)).unwrap();
        let refused = script_of(&fixture, "c").unwrap_err();
        assert_eq!(refused, ProgramError::NotTrusted, "{}", place.display());
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn a_link_through_a_writable_root_is_not_trusted_whatever_it_leads_to_now() {
    let fixture = Fixture::new("link-through");
    symlink("/bin/true", fixture.0.join("work/tool")).unwrap();
    symlink(fixture.0.join("work/tool"), fixture.0.join("bin/tool")).unwrap();
    assert_eq!(fixture.find("tool").unwrap_err(), ProgramError::NotTrusted);
}

#[test]
fn a_refusal_says_what_the_host_can_do() {
    let fixture = Fixture::new("remedies");
    fixture.plant("elsewhere/tool");
    let outside = fixture.0.join("elsewhere/tool");
    let refusals = [
        (fixture.find("missing").unwrap_err(), "no such program"),
        (fixture.find(outside.to_str().unwrap()).unwrap_err(), "outside the search path"),
        (ProgramError::Interpreter, "`#!` line"),
    ];
    for (error, problem) in refusals {
        let message = error.to_string();
        assert!(message.contains(problem), "{message}");
        assert_eq!(message.matches("; the host can add ").count(), 1, "{message}");
        assert!(message.ends_with("to the search path"), "{message}");
    }
    // What the remedy promises: with its folder in `path` the program is found.
    let search = SearchPath::open(&[fixture.0.join("elsewhere")], &fixture.roots()).unwrap();
    assert!(search.find(&[b"tool".to_vec()], &fixture.roots(), None).is_ok());
}

#[test]
fn interpreter_lines_are_read_as_the_kernel_reads_them() {
    let words = |line: &str| -> Option<Vec<String>> {
        let command = interpreter(line.as_bytes())?;
        Some(command.into_iter().map(|word| String::from_utf8(word).unwrap()).collect())
    };
    let cases: [(&str, Option<&[&str]>); 9] = [
        ("/bin/sh", Some(&["/bin/sh"])),
        (" /bin/bash -eu ", Some(&["/bin/bash", "-eu"])),
        ("/usr/bin/awk -f x", Some(&["/usr/bin/awk", "-f x"])),
        ("/usr/bin/env node", Some(&["node"])),
        ("/usr/bin/env -S node --flag", Some(&["node", "--flag"])),
        ("/usr/bin/env -i node", None),
        ("/usr/bin/env A=b node", None),
        ("/usr/bin/env -S sh -c 'x'", None),
        ("", None),
    ];
    for (line, expected) in cases {
        let expected = expected.map(|words| words.iter().map(ToString::to_string).collect());
        assert_eq!(words(line), expected, "{line}");
    }
}

#[test]
fn a_directory_that_the_system_fails_to_open_is_an_error_and_an_absent_one_is_not() {
    let fixture = Fixture::new("failing");
    fs::write(fixture.0.join("file"), "").unwrap();
    symlink("loop", fixture.0.join("loop")).unwrap();
    for absent in ["missing", "file", "file/below"] {
        let search = SearchPath::open(&[fixture.0.join(absent)], &fixture.roots()).unwrap();
        assert_eq!(search.directories().count(), 0, "{absent}");
    }
    let failing = fixture.0.join("loop");
    let error = SearchPath::open(std::slice::from_ref(&failing), &fixture.roots()).unwrap_err();
    assert_eq!(error, ProgramError::System(failing, Errno::LOOP.raw_os_error()));
}

#[test]
fn a_shortage_of_descriptors_does_not_read_as_a_missing_program() {
    for shortage in [Errno::MFILE, Errno::NFILE, Errno::NOMEM] {
        let error = open_failure(Path::new("git"), shortage).unwrap_err();
        assert_eq!(error, ProgramError::System("git".into(), shortage.raw_os_error()));
        assert!(error.to_string().starts_with("git could not be opened: "));
    }
    assert!(open_failure(Path::new("git"), Errno::NOENT).unwrap().is_none());
}
