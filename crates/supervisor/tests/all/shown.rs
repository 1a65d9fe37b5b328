//! A root of a plan that a view shows by a second path.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use handrail_supervisor::message::{FromSupervisor, Plan, PlanRoot, ToSupervisor};

use crate::host::{Answer, Host};

const PLAN: u32 = 7;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> io::Result<Folder> {
        let name = format!("handrail-shown-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(folder.join("sub"))?;
        fs::write(folder.join("notes"), "noted\n")?;
        Ok(Folder(fs::canonicalize(folder)?))
    }

    /// A plan that writes in this folder alone, which is shown at a second path.
    fn plan(&self, shown_as: &str) -> io::Result<Plan> {
        let status = fs::metadata(&self.0)?;
        let root = PlanRoot {
            path: self.0.as_os_str().as_bytes().to_vec(),
            device: status.dev(),
            inode: status.ino(),
            writable: true,
            has_places: false,
            shown_as: Some(shown_as.as_bytes().to_vec()),
        };
        Ok(Plan { writes_anywhere: false, roots: vec![root], ..Plan::unconfined() })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The wait status of a script under a plan, and whether its worker has a view.
fn run_under(host: &Host, plan: Plan, script: &str) -> io::Result<(i32, bool)> {
    host.ask(&ToSupervisor::Plan { number: PLAN, plan })?;
    host.ask(&ToSupervisor::MoreWorkers { plan: PLAN, count: 1 })?;
    let (worker, has_view) = host.worker_with(|message| match message {
        FromSupervisor::Worker { enforcement, .. } => Some(enforcement.namespace),
        _ => None,
    })?;
    let Answer::Made(worker) = worker else { return Err(io::ErrorKind::NotFound.into()) };
    Ok((worker.run(1, script)?.wait_status, has_view.unwrap_or(false)))
}

#[test]
fn a_view_has_the_root_at_a_second_path_with_everything_else_in_its_place() {
    let folder = Folder::new("place").unwrap();
    let (host, _first) = Host::start("shown-place").unwrap();
    let real = folder.0.display();
    let script = format!(
        "set -e; cd /handrail-shown/a
        [ \"$(cat notes)\" = noted ]; [ . -ef {real} ]; echo one > sub/x; mv sub/x y
        [ \"$(cat {real}/y)\" = one ]; [ -e /proc/self/status ]; echo > /dev/null
        [ \"$(readlink /proc/self/cwd)\" = /handrail-shown/a ]; [ -d /usr/bin ]; [ -d /sys/kernel ]
        ! mkdir /handrail-made 2> /dev/null; ! echo > /handrail-shown/made 2> /dev/null"
    );
    let plan = folder.plan("/handrail-shown/a").unwrap();
    let (status, has_view) = run_under(&host, plan, &script).unwrap();
    assert_eq!((status, has_view), (0, true));
    assert_eq!(fs::read(folder.0.join("y")).unwrap(), b"one\n");
    assert!(!fs::exists("/handrail-shown").unwrap() && !fs::exists("/handrail-made").unwrap());
    assert!(host.close().unwrap());
}

#[test]
fn a_second_path_hides_nothing_of_the_machine() {
    let folder = Folder::new("hides").unwrap();
    let (host, _first) = Host::start("shown-hides").unwrap();
    for shown_as in ["/etc", "/usr/shown", "/", "/handrail/../etc", "relative", "/proc", "/tmp/x"] {
        let plan = folder.plan(shown_as).unwrap();
        // The view is as good as any other, without the second path.
        let real = folder.0.display();
        let script =
            format!("[ ! {shown_as} -ef {real} ] && [ -e /etc/passwd ] && ! mkdir /etc/made");
        assert_eq!(run_under(&host, plan, &script).unwrap(), (0, true), "{shown_as}");
    }
    assert!(host.close().unwrap());
}
