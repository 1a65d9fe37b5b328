import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { requirements } from '../../scripts/lib/toolchain.mjs';

let programs;

beforeEach(() => {
  programs = mkdtempSync(path.join(tmpdir(), 'handrail-path-'));
});
afterEach(() => rmSync(programs, { recursive: true, force: true }));

function fake(name, answer) {
  const file = path.join(programs, name);
  writeFileSync(file, `#!/bin/sh\necho '${answer}'\n`);
  chmodSync(file, 0o755);
}

/** Runs the build where only the fake programs are found. */
function build() {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    encoding: 'utf8',
    env: { PATH: programs },
  });
  return { status, stderr };
}

it('says what is missing and how to get it', () => {
  const { status, stderr } = build();
  expect(status).toBe(1);
  expect(stderr).toContain(`rustc and cargo not found: Rust ${requirements().rust} or newer is needed.`);
  expect(stderr).toContain('https://rustup.rs');
  expect(stderr).toContain('cc not found: Rust needs a linker.');
});

it('says what is too old', () => {
  fake('rustc', 'rustc 1.70.0 (90c541806 2023-05-31)');
  fake('cargo', 'cargo 1.70.0');
  fake('cc', 'cc 12');
  const { status, stderr } = build();
  expect(status).toBe(1);
  expect(stderr.trim()).toBe(
    `rustc 1.70.0 is too old: ${requirements().rust} or newer is needed. ` +
      'Get it from https://rustup.rs, or update it with `rustup update stable`.',
  );
});
