//! All seeds of the repository pass the checks. They include the inputs that once failed.

use std::path::Path;

#[test]
fn seeds_pass() {
    for (name, check) in handrail_fuzz::CHECKS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name);
        let files: Vec<_> = std::fs::read_dir(&folder).expect("a folder of seeds").collect();
        assert!(!files.is_empty(), "{name} has no seeds");
        for file in files {
            let path = file.expect("an entry").path();
            let input = std::fs::read(&path).expect("a seed");
            let passes = std::panic::catch_unwind(|| check(&input)).is_ok();
            assert!(passes, "{} does not pass", path.display());
        }
    }
}
