use std::fs;

use handrail_files::Root;
use handrail_policy::plan::Confine;
use handrail_policy::{Config, Rule};

use super::*;

/// A folder that only this user can change, down from `/`: beside this test, or at home. Gone with it.
struct Fixture(PathBuf);

impl Fixture {
    fn new() -> Fixture {
        let built = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
        // A clone may lie beneath `/tmp`, which everybody can change.
        let is_own = |folder: &PathBuf| {
            ResolvedPath::of(folder).is_ok_and(|way| !way.is_writable_by_others())
        };
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let own = [Some(built), home].into_iter().flatten().find(is_own);
        let own = own.expect("the clone or HOME lies where only this user can write");
        let base = own.join(format!(".handrail-plan-{}", std::process::id()));
        for folder in ["bin", "home/toolchains"] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        fs::copy("/bin/true", base.join("bin/cargo")).unwrap();
        Fixture(base)
    }

    /// What may be executed where cargo is listed and this is a root.
    fn executed(&self, root: &str, variable: &str, value: &str) -> Vec<Vec<u8>> {
        let config = Config { allow: Some(vec![Rule::program("cargo")]), ..Config::default() };
        let plan = Plan::new(&config, &Confine::default(), true, false);
        let roots = Roots::Only(vec![Root::open(&self.0.join(root), true).unwrap()]);
        let search = SearchPath::open(&[self.0.join("bin")], &roots).unwrap();
        let environment = [(variable.to_owned(), value.to_owned())];
        let plans = KernelPlans::new(1, None);
        let resolved = || {
            plans.resolve(
                &plan,
                Variant::Base,
                &search,
                &roots,
                &ReadPlaces::default(),
                &environment,
            )
        };
        assert!(Arc::ptr_eq(&resolved(), &resolved()));
        resolved().execute.clone().unwrap()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn parts_may_lie_where_a_variable_says_but_not_where_commands_write() {
    let fixture = Fixture::new();
    let home = fixture.0.join("home").to_str().unwrap().to_owned();
    let toolchains = format!("{home}/toolchains").into_bytes();
    fs::create_dir(fixture.0.join("work")).unwrap();
    assert!(fixture.executed("work", "RUSTUP_HOME", &home).contains(&toolchains));
    assert!(!fixture.executed("work", "OTHER_HOME", &home).contains(&toolchains));
    assert!(!fixture.executed("home", "RUSTUP_HOME", &home).contains(&toolchains));
    assert!(!fixture.executed("work", "RUSTUP_HOME", "home").contains(&toolchains));
}
