/** What people type in a project of Rust. */
import type { Preset } from './preset.js';

export const RUST: Preset = {
  packages: 'cargo',
  groups: [
    {
      about: 'cargo: build, test, run, check, format, document; not publish',
      programs: 'cargo cargo-clippy cargo-fmt cargo-nextest cargo-doc cargo-tree',
      uses: ['cargo nextest', 'cargo llvm-cov', 'cargo deny', 'cargo audit', 'cargo machete', 'cargo expand'],
    },
    {
      about: 'The compiler and its companions',
      programs: 'rustc rustdoc rustfmt clippy-driver rust-analyzer wasm-pack',
    },
    { about: 'What cargo built', places: 'target/**' },
    {
      about: 'Which toolchain there is',
      uses: ['rustup show', 'rustup which', 'rustup --version', 'rustup toolchain list'],
    },
    { about: 'Runners of recipes', programs: 'just' },
  ],
  caches: { CARGO_HOME: 'cargo' },
  inherit: 'RUSTUP_TOOLCHAIN',
};
