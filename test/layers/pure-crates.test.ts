import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Copy } from '../support/copy.js';

/** Compiles one small crate with nothing to reuse. */
const CLIPPY_TIMEOUT_MS = 1_200_000;

/** One use of each kind of thing a pure crate may not touch. */
const BREACHES = {
  files: 'std::fs::read("/etc/hostname").ok()',
  environment: 'std::env::var("HOME").ok()',
  network: 'std::net::TcpStream::connect("127.0.0.1:1").ok()',
  time: 'std::time::Instant::now()',
  threads: 'std::thread::spawn(|| 1)',
  processes: 'std::process::Command::new("true")',
};

/** The lints are one list: a layer rule holds the lists of the other pure crates equal to this one's. */
describe('clippy rules of the pure crates', () => {
  let copy: Copy;
  let output = '';

  beforeAll(() => {
    copy = new Copy();
    const uses = Object.entries(BREACHES).map(
      ([name, code]) => `/// Breaks a rule.\npub fn breach_${name}() {\n    let _unused = ${code};\n}\n`,
    );
    copy.append('crates/text/src/lib.rs', `\n${uses.join('\n')}`);
    const { stdout, stderr } = spawnSync(
      'cargo',
      ['clippy', '--offline', '-p', 'handrail-text', '--', '-D', 'warnings'],
      {
        cwd: copy.folder,
        encoding: 'utf8',
        env: { ...process.env, CARGO_TARGET_DIR: path.join(copy.folder, 'target') },
      },
    );
    output = stdout + stderr;
  }, CLIPPY_TIMEOUT_MS);

  afterAll(() => copy.remove());

  it.each(Object.keys(BREACHES))('refuse %s', (name) => {
    const lines = copy.read('crates/text/src/lib.rs').split('\n');
    const line = lines.findIndex((text) => text.includes(`breach_${name}`)) + 2;
    expect(output).toMatch(new RegExp(`disallowed (method|type)[^\\n]*\\n[^\\n]*lib\\.rs:${line}:`));
  });

  it('fail the build', () => {
    expect(output).toContain('could not compile `handrail-text`');
  });
});
