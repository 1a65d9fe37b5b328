//! Recorded trees of control groups in a temporary folder. The kernel is not asked: in a tree of plain files every write succeeds,
//! and `cgroup.subtree_control` has what was recorded.

use std::fs;
use std::path::{Path, PathBuf};

use super::{ControlGroups, GroupCounts};
use crate::message::{Holder, LimitName, Limits};

const V2: &str = "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
const V1: &str = "33 24 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                  34 24 0:30 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n\
                  35 24 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
const LIMITS: Limits = Limits {
    memory_bytes: Some(1 << 20),
    processes: Some(50),
    cpu_ms: None,
    file_bytes: None,
    disk_bytes: None,
    open_files: None,
};

struct Tree(PathBuf);

impl Tree {
    fn new(name: &str) -> std::io::Result<Tree> {
        let folder = format!("handrail-groups-test-{}-{name}", std::process::id());
        let tree = Tree(std::env::temp_dir().join(folder));
        fs::create_dir_all(tree.0.join("sys/fs/cgroup"))?;
        Ok(tree)
    }

    fn group(&self, path: &str, subtree: &str) -> std::io::Result<PathBuf> {
        let folder = self.0.join("sys/fs/cgroup").join(path);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("cgroup.controllers"), "cpu memory pids\n")?;
        fs::write(folder.join("cgroup.subtree_control"), subtree)?;
        Ok(folder)
    }

    fn find(&self, own: &str, mounts: &str) -> ControlGroups {
        ControlGroups::find_in(own, mounts, &self.0)
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_default()
}

#[test]
fn v2_takes_the_own_group_where_it_passes_controllers_on() -> std::io::Result<()> {
    let tree = Tree::new("own")?;
    let own = tree.group("app", "memory pids\n")?;
    let groups = tree.find("0::/app\n", V2);
    let made = groups.make("w-1".as_ref(), &LIMITS);
    let folder = own.join("w-1");
    assert_eq!(made.folders, std::slice::from_ref(&folder));
    assert_eq!(text(&folder, "memory.max"), "1048576");
    assert_eq!(text(&folder, "memory.swap.max"), "0");
    // 50 and the worker.
    assert_eq!(text(&folder, "pids.max"), "51");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text);
    write("cgroup.procs", "")?;
    write("memory.events", "low 0\nhigh 0\nmax 7\noom 0\noom_kill 2\n")?;
    write("pids.events", "max 3\n")?;
    write("pids.peak", "50\n")?;
    let events = made.open().enter();
    assert_eq!(text(&folder, "cgroup.procs"), "0");
    assert_eq!(events.memory_holder(), Holder::GroupV2);
    assert_eq!(events.processes_holder(), Holder::GroupV2);
    // A group above was full.
    let none = GroupCounts::default();
    assert_eq!(events.limit_met(&none), None);
    assert_eq!(made.limit_met(), None);
    write("pids.peak", "51\n")?;
    assert_eq!(events.limit_met(&none), Some(LimitName::Processes));
    write("memory.events", "low 0\nhigh 0\nmax 7\noom 1\noom_kill 2\n")?;
    assert_eq!(events.limit_met(&none), Some(LimitName::MemoryBytes));
    assert_eq!(made.limit_met().map(|met| met.value), Some(1 << 20));
    // Of the run before.
    assert_eq!(events.limit_met(&events.counts()), None);
    Ok(())
}

#[test]
fn v2_takes_the_delegated_group_above_a_leaf() -> std::io::Result<()> {
    let tree = Tree::new("leaf")?;
    // The root of a container has a type; the host is in a leaf, which has processes and passes nothing on.
    let top = tree.group("", "memory pids\n")?;
    fs::write(top.join("cgroup.type"), "domain\n")?;
    let leaf = tree.group("host", "")?;
    fs::remove_file(leaf.join("cgroup.controllers"))?;
    let made = tree.find("0::/host\n", V2).make("w-1".as_ref(), &LIMITS);
    assert_eq!(made.folders, [top.join("w-1")]);
    Ok(())
}

#[test]
fn v2_never_leaves_what_holds_the_host() -> std::io::Result<()> {
    let tree = Tree::new("undelegated")?;
    // The root of the machine has no type, and nobody delegated it.
    tree.group("", "memory pids\n")?;
    let leaf = tree.group("service", "")?;
    fs::remove_file(leaf.join("cgroup.controllers"))?;
    assert!(tree.find("0::/service\n", V2).make("w-1".as_ref(), &LIMITS).is_empty());
    Ok(())
}

#[test]
fn v1_has_a_group_for_each_controller_beneath_the_own_ones() -> std::io::Result<()> {
    let tree = Tree::new("v1")?;
    for group in ["memory/docker/a", "pids/docker/a"] {
        fs::create_dir_all(tree.0.join("sys/fs/cgroup").join(group))?;
    }
    let groups = tree.find("9:pids:/docker/a\n4:memory:/docker/a\n0::/\n", V1);
    let made = groups.make("w-1".as_ref(), &LIMITS);
    let folder = |name: &str| tree.0.join("sys/fs/cgroup").join(name).join("docker/a/w-1");
    assert_eq!(made.folders, [folder("memory"), folder("pids")]);
    assert_eq!(text(&folder("memory"), "memory.limit_in_bytes"), "1048576");
    assert_eq!(text(&folder("memory"), "memory.kmem.tcp.limit_in_bytes"), "1048576");
    assert_eq!(text(&folder("pids"), "pids.max"), "51");
    let write = |name: &str, text: &str| fs::write(folder("memory").join(name), text);
    write("cgroup.procs", "")?;
    fs::write(folder("pids").join("cgroup.procs"), "")?;
    write("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n")?;
    write("memory.max_usage_in_bytes", "500000\n")?;
    write("memory.memsw.max_usage_in_bytes", "500000\n")?;
    write("memory.kmem.tcp.max_usage_in_bytes", "700000\n")?;
    let events = made.open().enter();
    let none = GroupCounts::default();
    assert_eq!(events.limit_met(&none), None);
    write("memory.memsw.max_usage_in_bytes", "1048576\n")?;
    assert_eq!(events.limit_met(&none), Some(LimitName::MemoryBytes));
    write("memory.memsw.max_usage_in_bytes", "500000\n")?;
    write("memory.kmem.tcp.max_usage_in_bytes", "1000000\n")?;
    assert_eq!(events.limit_met(&none), Some(LimitName::MemoryBytes));
    // A container without a namespace of groups sees its own one at the mount point.
    let bound = V1.replace(" / /sys", " /docker/a /sys");
    fs::create_dir_all(tree.0.join("sys/fs/cgroup/memory"))?;
    let made = tree.find("4:memory:/docker/a\n", &bound).make("w-2".as_ref(), &LIMITS);
    assert_eq!(made.folders, [tree.0.join("sys/fs/cgroup/memory/w-2")]);
    Ok(())
}

#[test]
fn groups_are_removed_by_the_start_of_their_name() -> std::io::Result<()> {
    let tree = Tree::new("removal")?;
    let own = tree.group("app", "memory pids\n")?;
    for name in ["state-1.w-1", "state-1.w-2", "state-10.w-1"] {
        fs::create_dir(own.join(name))?;
    }
    assert!(tree.find("0::/app\n", V2).remove_all("state-1."));
    assert!(!own.join("state-1.w-1").exists() && !own.join("state-1.w-2").exists());
    assert!(own.join("state-10.w-1").exists());
    Ok(())
}
