import path from 'node:path';

import { hostHome } from '../config/host-environment.js';
import type { NativeConfine, NativeRedactor, NativeTerminalConfig } from '../native/binding.js';
import type { CheckedConfine, ConfineOptions } from './confine.js';
import type { ChildEnvironment } from './environment.js';
import { SYSTEM_PATH } from './limits.js';
import type { CheckedTerminalOptions } from './options.js';
import { nativeRule } from './rule.js';

/** What protects places from being written to, beside the roots. */
export interface WriteGuards {
  /** Whether the list of protected places holds. */
  readonly writeRules: boolean;
  /** Ids of its rules that do not. */
  readonly lifted: readonly string[];
  /** Further places, absolute. */
  readonly protectedPaths: readonly string[];
}

const WHOLE_LIST: WriteGuards = { writeRules: true, lifted: [], protectedPaths: [] };

/** What the binding needs to know about a terminal. */
export function nativeTerminalConfig(
  options: CheckedTerminalOptions,
  cwd: string,
  environment: ChildEnvironment,
  redactor: NativeRedactor,
  guards: WriteGuards = WHOLE_LIST,
  judging = true,
): NativeTerminalConfig {
  const { output } = options;
  const home = hostHome();
  return {
    ...(options.allow === undefined ? {} : { allow: options.allow.map(nativeRule) }),
    ...(options.deny === undefined ? {} : { deny: options.deny.map(nativeRule) }),
    trustInterpreters: [...options.trustInterpreters],
    confine: nativeConfine(options.confine),
    judging,
    shell: options.shell,
    path: searchPath(options.path),
    ...(home === undefined ? {} : { home }),
    writeRules: guards.writeRules,
    lifted: [...guards.lifted],
    protectedPaths: [...guards.protectedPaths],
    cwd,
    env: environment.variables.map((variable) => ({ ...variable })),
    gitEnv: environment.git.map((variable) => ({ ...variable })),
    privateHome: environment.privateHome,
    graceMs: options.graceMs,
    headBytes: output.headBytes,
    tailBytes: output.tailBytes,
    ...(output.maxChars === undefined ? {} : { maxChars: output.maxChars }),
    spillBytes: output.spillBytes,
    excerptTokens: output.excerptTokens,
    redactor,
  };
}

/** The system's folders, Node's own, then what the host adds; each once. */
export function searchPath(added: readonly string[]): string[] {
  return [...new Set([...SYSTEM_PATH, path.dirname(process.execPath), ...added])];
}

/** What the binding needs to know about a `confine`. */
export function nativeConfine(confine: CheckedConfine | ConfineOptions): NativeConfine {
  const { writes, exec, network, remove, rewriters } = confine;
  return {
    ...(writes === undefined ? {} : { writes }),
    ...(exec === undefined ? {} : { exec }),
    ...(network === undefined ? {} : { network }),
    ...(remove === undefined ? {} : { remove }),
    ...(rewriters === undefined ? {} : { rewriters: [...rewriters] }),
  };
}
