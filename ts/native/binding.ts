/**
 * The native binding as this package sees it. Only files of this folder import the binding itself;
 * everything else takes these types.
 */

export interface NativeSecret {
  name: string;
  value: string;
}

export interface NativeRedactorOptions {
  secrets?: NativeSecret[];
  substrings?: string[];
  patterns?: string[];
  /** `default`, `none` or `only` (then `ruleIds` names them). */
  rules?: string;
  ruleIds?: string[];
  minSecretLength?: number;
  label?: boolean;
}

export interface NativeFinding {
  rule: string;
  start: number;
  end: number;
}

export interface NativeRedactStream {
  write(bytes: Uint8Array): Buffer;
  end(): Buffer;
  findings(): number;
}

export interface NativeRedactor {
  /** Null: nothing was found. */
  redact(text: string): string | null;
  /** Null: nothing was found. */
  redactBytes(bytes: Uint8Array): Buffer | null;
  scan(text: string): NativeFinding[];
  stream(): NativeRedactStream;
}

export interface NativeBounded {
  text: string;
  truncated: boolean;
  omittedChars: number;
  omittedBytes: number;
  omittedLines: number;
}

export interface NativeRule {
  program: string;
  args?: string[];
}

export interface NativeRoot {
  path: string;
  writable: boolean;
}

export interface NativeVariable {
  name: string;
  value: string;
}

export interface NativeReason {
  rule: string;
  start: number;
  end: number;
  program?: string;
  message: string;
  hint?: string;
}

export interface NativeVerdict {
  /** `allow`, `ask` or `deny`. */
  decision: string;
  reasons: NativeReason[];
}

export interface NativeTerminalConfig {
  allow?: NativeRule[];
  deny?: NativeRule[];
  trustInterpreters: string[];
  path: string[];
  roots?: NativeRoot[];
  cwd: string;
  env: NativeVariable[];
  privateHome: boolean;
  headBytes: number;
  tailBytes: number;
  spillBytes: number;
  redactor: NativeRedactor;
}

export interface NativeCall {
  cwd?: string;
  timeoutMs: number;
  graceMs: number;
  stdin?: Uint8Array;
  merge: boolean;
  stream: boolean;
  approved: boolean;
}

export interface NativeRefusal {
  code: string;
  message: string;
}

export interface NativeStart {
  verdict: NativeVerdict;
  started: boolean;
  refusal?: NativeRefusal;
}

export interface NativeTerminal {
  explain(command: string | string[]): NativeVerdict;
  run(id: number, command: string | string[], call: NativeCall): NativeStart;
}

export interface NativeProcess {
  pid: number;
  program: string;
}

export interface NativeResult {
  /** `exited`, `signaled`, `timed_out`, `cancelled` or `spawn_failed`. */
  status: string;
  exitCode?: number;
  signal?: string;
  stdout: string;
  stderr: string;
  output: string;
  truncated: boolean;
  durationMs: number;
  stdoutBytes: number;
  stderrBytes: number;
  keptBytes: number;
  omittedBytes: number;
  omittedLines: number;
  spillPath?: string;
  spillBytes: number;
  spillComplete: boolean;
  redactions: number;
  survivors: NativeProcess[];
  leftovers: NativeProcess[];
  userMs: number;
  systemMs: number;
  maxRssBytes: number;
  failure?: NativeRefusal;
  sandbox: string[];
}

export interface NativeChunk {
  /** `stdout` or `stderr`. */
  stream: string;
  text: string;
}

export interface NativeEvent {
  /** `output`, `done` or `closed`. */
  kind: string;
  id: number;
  chunk?: NativeChunk;
  result?: NativeResult;
}

export interface NativeCapability {
  feature: string;
  /** `enforced`, `best-effort` or `unavailable`. */
  level: string;
  detail: string;
  fix?: string;
}

export interface NativeEngineOptions {
  supervisorPath: string;
  /** Folder that private folders and spill files are made in. */
  stateParent: string;
  maxWorkers: number;
  killing: boolean;
  /** False runs commands without the kernel's confinement. */
  confine: boolean;
}

export interface NativeEngine {
  cancel(id: number): void;
  acknowledge(id: number): void;
  capabilities(): NativeCapability[];
  close(callback: () => void): void;
}

/** What the `.node` file exports. */
export interface NativeBinding {
  version(): string;
  NativeRedactor: new (options: NativeRedactorOptions) => NativeRedactor;
  NativeEngine: new (options: NativeEngineOptions, onEvent: (event: NativeEvent) => void) => NativeEngine;
  NativeTerminal: new (engine: NativeEngine, config: NativeTerminalConfig) => NativeTerminal;
  sanitize(bytes: Uint8Array): string;
  stripAnsi(text: string): string;
  truncateOutput(text: string, maxChars: number): string;
  boundOutput(text: string, headChars: number, tailChars: number): NativeBounded;
}
