use std::os::unix::fs::symlink;
use std::sync::mpsc::{Sender, channel};

use super::*;
use crate::capability::Level;

fn engine(events: Sender<Event>) -> Engine<impl Fn(Event) + Send + 'static> {
    let options = EngineOptions {
        max_sessions: 1,
        max_services: 1,
        max_jobs: 1,
        supervisor: "/missing".into(),
        state_parent: "/missing".into(),
        max_workers: 1,
        spill_total_bytes: 0,
        killing: true,
        kernel: handrail_supervisor::message::Kernel::WHOLE,
        confine: true,
    };
    let sink = move |event| events.send(event).unwrap();
    Engine::new(options, sink).unwrap()
}

#[test]
fn nothing_is_enforced_and_the_report_says_why() {
    let report = engine(channel().0)
        .capabilities(&Arc::new(KernelPlan::unconfined()), Duration::ZERO)
        .unwrap();
    assert!(!report.is_empty());
    for line in report {
        assert_eq!(line.level, Level::Unavailable, "{}", line.feature);
        assert!(line.detail.contains(&platform::name()), "{}", line.detail);
        assert!(line.fix.is_some_and(|fix| fix.contains("Linux")));
    }
}

#[test]
fn a_refusal_has_its_code_and_names_the_platform() {
    assert_eq!(Error.code(), "ERR_NOT_SUPPORTED");
    assert!(Error.to_string().contains(&format!("({})", platform::name())), "{Error}");
}

#[test]
fn closing_is_told_once() {
    let (sender, events) = channel();
    let mut engine = engine(sender);
    engine.cancel(1);
    engine.acknowledge(1);
    assert!(events.try_recv().is_err());
    engine.close().unwrap();
    engine.close().unwrap();
    assert!(matches!(events.recv(), Ok(Event::Closed)));
    assert!(events.recv().is_err());
}

#[test]
fn commands_are_judged_by_the_directories_that_are_there() {
    let base = std::env::temp_dir().join(format!("handrail-unsupported-{}", std::process::id()));
    std::fs::create_dir_all(base.join("programs")).unwrap();
    symlink("programs", base.join("link")).unwrap();
    std::fs::write(base.join("file"), "").unwrap();
    let paths = ["link", "programs", "missing", "file", "file/below"].map(|name| base.join(name));
    let search = SearchPath::open(&paths, &Roots::Unrestricted).unwrap();
    let canonical = std::fs::canonicalize(base.join("programs")).unwrap();
    assert_eq!(search.directories().collect::<Vec<_>>(), [canonical]);

    let refused = |path: PathBuf, roots: &Roots| match SearchPath::open(&[path], roots) {
        Err(ProgramError::SearchDirectory(_, why)) => why,
        other => panic!("{other:?}"),
    };
    let writable = Roots::Only(vec![handrail_files::Root::open(&base, true).unwrap()]);
    assert!(refused(base.join("link"), &writable).contains("write"));
    assert!(refused("relative".into(), &Roots::Unrestricted).contains("absolute"));
    let long = Path::new("/").join("x".repeat(5000));
    let failed = SearchPath::open(&[long], &Roots::Unrestricted);
    assert!(matches!(failed, Err(ProgramError::System(..))), "{failed:?}");
    std::fs::remove_dir_all(&base).unwrap();
}
