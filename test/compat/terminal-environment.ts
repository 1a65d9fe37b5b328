/** A clean set of `TERMINAL_*` variables and a folder for each test that runs commands through them. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';

const NAMES = [
  'ALLOWED_COMMANDS',
  'DENY_COMMANDS',
  'TRUSTED_INTERPRETERS',
  'TIMEOUT_SECONDS',
  'OUTPUT_CAP_BYTES',
  'FUNCTION_OUTPUT_MAX_CHARS',
  'REDACT_SUBSTRINGS',
  'REDACT_PATTERNS',
  'SANDBOX_CWD',
] as const;

/**
 * Sets `TERMINAL_*` variables until the end of the test; those that are not named are unset, but for the deadline: the
 * one that commands have else is too short for a busy machine.
 */
export function terminalEnvironment(values: Partial<Record<(typeof NAMES)[number], string>>): void {
  const given = { TIMEOUT_SECONDS: '600', ...values };
  for (const name of NAMES) vi.stubEnv(`TERMINAL_${name}`, given[name]);
}

/** Gives each test of a file a folder of its own, by its real path, and takes it away again. */
export function temporaryFolder(): () => string {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-terminal-')));
    terminalEnvironment({});
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  return () => folder;
}

/** The parts of a text that `terminalRun` returned. */
export interface TerminalText {
  readonly status: string;
  readonly label: 'output' | 'error';
  readonly body: string;
}

export function parseText(text: string): TerminalText {
  const match = /^(ok=[^\n]*)\n(output|error):\n(.*)$/s.exec(text);
  if (match === null) throw new Error(`no status line and heading in ${JSON.stringify(text)}`);
  const [, status = '', label = '', body = ''] = match;
  return { status, label: label as 'output' | 'error', body };
}

export const REFUSED = 'ok=false exit=None timeout=false truncated=false';
export const SUCCEEDED = 'ok=true exit=0 timeout=false truncated=false';
