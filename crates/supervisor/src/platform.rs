//! The platform that this was built for.

/// The operating system and the processor as Node names them, for example `darwin arm64`.
pub fn name() -> String {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system} {processor}")
}

/// The message that says why no command runs on a system other than Linux.
pub fn refusal() -> String {
    format!("running commands is not supported on this platform ({}) yet; it needs Linux", name())
}
