import path from 'node:path';

import type { NativeRedactor, NativeRule, NativeTerminalConfig } from '../native/binding.js';
import type { ChildEnvironment } from './environment.js';
import type { CheckedRule, CheckedTerminalOptions } from './options.js';

/** Searched first, in this order; the same folders the commands see in PATH. */
const SYSTEM_PATH: readonly string[] = ['/usr/local/bin', '/usr/bin', '/bin'];

/** What the binding needs to know about a terminal. */
export function nativeTerminalConfig(
  options: CheckedTerminalOptions,
  cwd: string,
  environment: ChildEnvironment,
  redactor: NativeRedactor,
): NativeTerminalConfig {
  return {
    ...(options.allow === undefined ? {} : { allow: options.allow.map(nativeRule) }),
    ...(options.deny === undefined ? {} : { deny: options.deny.map(nativeRule) }),
    trustInterpreters: [...options.trustInterpreters],
    shell: 'none',
    path: searchPath(options.path),
    cwd,
    env: environment.variables.map((variable) => ({ ...variable })),
    gitEnv: environment.git.map((variable) => ({ ...variable })),
    privateHome: environment.privateHome,
    graceMs: options.graceMs,
    headBytes: options.headBytes,
    tailBytes: options.tailBytes,
    spillBytes: options.spillBytes,
    redactor,
  };
}

/** The system's folders, Node's own, then what the host adds; each once. */
function searchPath(added: readonly string[]): string[] {
  return [...new Set([...SYSTEM_PATH, path.dirname(process.execPath), ...added])];
}

function nativeRule(rule: CheckedRule): NativeRule {
  return {
    program: rule.program,
    ...(rule.args === undefined ? {} : { args: [...rule.args] }),
  };
}
