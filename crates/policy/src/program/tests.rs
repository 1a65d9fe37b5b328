use super::*;

#[test]
fn a_path_is_trusted_only_where_no_link_can_mislead() {
    let trusted = ["/usr/bin".to_owned(), "/bin".to_owned()];
    let cases = [
        ("ls", Origin::Bare),
        ("/usr/bin/ls", Origin::Trusted),
        ("/usr/bin//ls", Origin::Trusted),
        ("/usr/./bin/ls", Origin::Trusted),
        ("/usr/bin/../bin/ls", Origin::Trusted),
        ("/../bin/ls", Origin::Trusted),
        ("/tmp/link/../../usr/bin/ls", Origin::Untrusted),
        ("/usr/bin/sub/../ls", Origin::Untrusted),
        ("/usr/binary/ls", Origin::Untrusted),
        ("/usr/bin/sub/ls", Origin::Untrusted),
        ("./ls", Origin::Untrusted),
        ("../bin/ls", Origin::Untrusted),
        ("usr/bin/ls", Origin::Untrusted),
        ("/ls", Origin::Untrusted),
    ];
    for (word, origin) in cases {
        assert_eq!(Program::parse(word, &trusted).origin, origin, "{word}");
    }
}

#[test]
fn versions_and_targets_are_no_other_kind_of_program() {
    for (name, kind) in [
        ("gcc-12", "gcc"),
        ("GCC-12.exe", "gcc"),
        ("pip3.11", "pip3"),
        ("x86_64-linux-gnu-gcc-12.2", "gcc"),
        ("arm-none-eabi-ld", "ld"),
        ("i686-w64-mingw32-g++", "g++"),
        ("sqlite3", "sqlite3"),
        ("ld.bfd", "ld.bfd"),
        ("x86_64-linux-gnu-gcc-ar-12", "gcc-ar"),
        ("x86_64-linux-gnu-gp-collect-app", "gp-collect-app"),
        ("x86_64-apple-darwin20-clang", "clang"),
        ("cpan5.36-x86_64-linux-gnu", "cpan5.36"),
        ("not-14.0.6", "not"),
        ("apt-get", "apt-get"),
        ("-5", "-5"),
        ("7", "7"),
    ] {
        assert_eq!(Program::parse(name, &[]).kind(), kind, "{name}");
    }
}

#[test]
fn folding_is_for_names_only() {
    assert_eq!(fold("RM.EXE"), "rm");
    assert_eq!(fold(".exe"), ".exe");
    assert_eq!(Program::parse("/BIN/Rm", &[]).base, "Rm");
}
