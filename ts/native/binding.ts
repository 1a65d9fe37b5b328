import type { NativeAdvice } from './advice.js';
import type {
  NativeBounded,
  NativeBounds,
  NativeChosen,
  NativeCut,
  NativeFitted,
  NativeReading,
} from './text-types.js';

/**
 * The native binding as this package sees it: the classes of `raw.ts`, with reports read. Only
 * files of this folder know the binding itself; everything else takes these types.
 */

import type { NativeRedactor, NativeRedactorOptions } from './redactor-binding.js';

export type {
  NativeRedactor,
  NativeRedactorOptions,
  NativeRedactStream,
  NativeRuleFile,
  NativeSecret,
} from './redactor-binding.js';

export interface NativeRule {
  program: string;
  args?: string[];
}

export interface NativeRoot {
  path: string;
  writable: boolean;
  /** Whether it may be the root of the file system. */
  allowFilesystemRoot?: boolean;
}

/** Directories that were opened once, for all that work in them. */
export interface NativeRoots {
  /** Gives them back; what was made with them keeps them until it is closed. */
  close(): void;
}

export interface NativeVariable {
  name: string;
  value: string;
}

export interface NativeReason {
  rule: string;
  /** UTF-16 offsets of its start and its end. */
  span: [start: number, end: number];
  program?: string;
  message: string;
  hint?: string;
  advice?: NativeAdvice[];
}

/** Secrets in its texts are masked. */
export interface NativeVerdict {
  /** `allow`, `ask` or `deny`. */
  decision: string;
  reasons: NativeReason[];
}

/** What the kernel holds commands to, by the names of its options. */
export interface NativePlan {
  writes: 'roots' | 'none' | 'any';
  exec: 'listed' | 'any';
  network: 'none' | 'any';
  remove: 'yes' | 'no' | 'no-truncate';
  /** Names of the programs that are listed. */
  programs: string[];
  /** Canonical directories of the roots that may be written beneath. */
  writable: string[];
}

export interface NativeConfine {
  writes?: string;
  exec?: string;
  network?: string;
  remove?: string;
  rewriters?: string[];
}

export interface NativeTerminalConfig {
  allow?: NativeRule[];
  deny?: NativeRule[];
  confine: NativeConfine;
  judging: boolean;
  trustInterpreters: string[];
  /** `none`: a text is one plain command; `bash`: it may be a script. */
  shell: 'none' | 'bash';
  home?: string;
  /** Whether scripts keep to the list of places that are not written to. */
  writeRules: boolean;
  /** Ids of rules of that list that do not hold. */
  lifted: string[];
  protectedPaths: string[];
  path: string[];
  cwd: string;
  env: NativeVariable[];
  gitEnv: NativeVariable[];
  privateHome: boolean;
  graceMs: number;
  headBytes: number;
  tailBytes: number;
  /** Of both outputs as one. */
  maxChars?: number;
  spillBytes: number;
  excerptTokens: number;
  redactor: NativeRedactor;
}

export interface NativeCall {
  cwd: string;
  timeoutMs: number;
  stdin?: Uint8Array;
  /** Whether the standard input is a pipe, which `NativeEngine.write` writes to. */
  piped?: boolean;
  merge: boolean;
  stream: boolean;
  approved: boolean;
}

export interface NativeRefusal {
  code: string;
  message: string;
}

/** Why a program could not be started, or what went wrong on our side. */
export interface NativeFailure {
  code: string;
  stage?: 'request' | 'fork' | 'confine' | 'directory' | 'terminal' | 'streams' | 'execute';
  message: string;
}

export interface NativeStart {
  verdict: NativeVerdict;
  started: boolean;
  /** Why an allowed command must not be started; its code stands for a rule. */
  refusal?: NativeRefusal;
  /** Why it cannot be. */
  failure?: NativeFailure;
}

/** A command that was judged and may be started as it was. */
export interface NativeJudged {
  readonly verdict: NativeVerdict;
}

/** A program that the host names, or one that was judged. */
export type NativeStartable = string | string[] | NativeJudged;

/** What starts the programs of one owner: runs, sessions and services. */
export interface NativeTerminal {
  /** How the policy judges a command. A relative `cwd` starts at the owner's directory. */
  explain(command: string | string[], cwd?: string): NativeVerdict;
  /** What the policy says of a text that bash runs. It may be typed anywhere: nothing counts as held by the kernel. */
  explainScript(script: string, cwd: string): NativeVerdict;
  /** Judges a program that is to live. */
  judge(command: string, cwd: string): NativeJudged;
  run(id: number, command: string | string[], call: NativeCall): NativeStart;
  capabilities(): NativeCapability[];
  plan(): NativePlan;
  /** Closes the directories that it holds. Commands can still be judged afterwards, but not run. */
  close(): void;
}

export interface NativeProcess {
  pid: number;
  program: string;
}

/** How a run went; what it wrote is beside it. */
export interface NativeReport {
  /** `exited`, `signaled`, `timed_out`, `cancelled` or `spawn_failed`. */
  status: string;
  exitCode?: number;
  signal?: string;
  /** What each text lacks; nothing is there of one that lacks nothing. */
  cuts: { stdout?: NativeCut; stderr?: NativeCut; output?: NativeCut };
  /** The output that is both as well, when the other one is empty. */
  alone?: 'stdout' | 'stderr';
  durationMs: number;
  stdoutBytes: number;
  stderrBytes: number;
  keptBytes: number;
  omittedBytes: number;
  excerpt?: NativeExcerpt;
  spillPath?: string;
  spillBytes: number;
  spillComplete: boolean;
  redactions: number;
  /** Null where nobody could look. */
  survivors: NativeProcess[] | null;
  leftovers: NativeProcess[];
  userMs: number;
  systemMs: number;
  maxRssBytes: number;
  failure?: NativeFailure;
  sandbox: string[];
}

/** Lines that were chosen from an output. */
export interface NativeExcerpt {
  text: string;
  totalLines: number;
  shownLines: number;
}

/** A report with the texts. */
export interface NativeResult extends NativeReport {
  stdout: string;
  stderr: string;
  output: string;
}

export interface NativeChunk {
  stream: 'stdout' | 'stderr';
  text: string;
}

/** How a read of a session ended; its text is beside it. */
export interface NativeAnswer {
  /** `marker`, `quiet`, `timeout`, `limit`, `exited` or `available`. */
  reason: string;
  confirmed: boolean;
  sent: boolean;
  skippedBytes: number;
  omittedBytes: number;
  redactions: number;
  cursor: number;
}

/** What became of a request to a session or a service. */
export interface NativeReply {
  request: number;
  /** Why it was not done. */
  failure?: NativeRefusal;
  answer?: NativeAnswer;
}

/** A run's output, the end of a program, what became of a request to a session or service, its output, or the end of the engine. */
export type NativeEvent =
  | { readonly kind: 'output'; readonly id: number; readonly chunk: NativeChunk }
  | { readonly kind: 'done'; readonly id: number; readonly result: NativeResult }
  | { readonly kind: 'answered'; readonly id: number; readonly reply: NativeReply; readonly text: string }
  | { readonly kind: 'written'; readonly id: number; readonly reply: NativeReply }
  | { readonly kind: 'data'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'closed' };

export interface NativeOpenCall {
  /** Absolute. */
  cwd: string;
  graceMs: number;
  /** On whose word it starts. */
  warrant: 'host' | 'approval' | 'policy';
  /** What runs in place of the words that were judged. */
  argv?: string[];
  /** What it finds in its environment: `NAME=value`, joined by NUL. */
  env: string;
  /** The same for programs that name git, beside those or in their place. */
  gitEnv: string;
  privateHome: boolean;
  /** What the kernel holds it to where the host names it. */
  confine?: NativeConfine;
  /** Whether it is a shell whose lines are judged. */
  typed: boolean;
}

export interface NativeSessionOptions {
  columns: number;
  rows: number;
  historyBytes: number;
  markers: string[];
}

export interface NativeRead {
  until: 'ready' | 'quiet' | 'now';
  timeoutMs: number;
  settleMs: number;
  quietMs: number;
  maxBytes: number;
}

export interface NativeHistory {
  text: string;
  /** Absolute position of its first byte. */
  start: number;
  end: number;
  /** Bytes before `start` that were asked for and are not kept any more. */
  droppedBytes: number;
}

/** A program on a terminal. What becomes of requests is told by events. */
export interface NativeSession {
  readonly start: NativeStart;
  read(request: number, read: NativeRead): void;
  send(request: number, input: Uint8Array, read: NativeRead): void;
  write(request: number, bytes: Uint8Array): void;
  resize(columns: number, rows: number): void;
  signal(number: number): void;
  setMarkers(markers: string[]): void;
  /** Where the program works now; null where that is not known. */
  cwd(): string | null;
  /** What the kernel holds it to while it runs. */
  sandbox(): string[];
  /** What a program that has ended wrote since the last answer. */
  rest(read: NativeRead): { readonly answer: NativeAnswer; readonly text: string } | undefined;
  /** Asks to be told when the program runs; a `written` event tells it. */
  awaitStart(request: number): void;
  /** Ends the read that is going on with what there is. */
  stop(): void;
  history(since?: number | null): NativeHistory;
}

/** A program on three pipes. */
export interface NativeService {
  readonly start: NativeStart;
  write(request: number, bytes: Uint8Array): void;
  endInput(): void;
  signal(number: number): void;
  stderr(): string;
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
  maxSessions: number;
  maxServices: number;
  /** What all spill files take together. */
  spillTotalBytes: number;
  killing: boolean;
  /** False runs commands without the kernel's confinement. */
  confine: boolean;
  /** What is used of the kernel: all it has when absent. */
  kernel?: { landlock: number; filters: boolean; namespaces: boolean };
}

export interface NativeEngine {
  /** Writes to a run with a pipe, behind what waits already; a `written` event tells when it was done. */
  write(id: number, request: number, bytes: Uint8Array): void;
  endInput(id: number): void;
  cancel(id: number): void;
  acknowledge(id: number): void;
  close(callback: () => void): void;
}

export interface NativeFilesConfig {
  home?: string;
  /** Where relative paths start. Default: the first root. */
  cwd?: string;
  readRules: boolean;
  writeRules: boolean;
  dotenvReads: 'block' | 'mask';
  /** Ids of rules that do not hold. */
  lifted: string[];
  protectedPaths: string[];
  hardLinks: 'refuse' | 'break';
  replaceReadOnly: boolean;
  inPlace: boolean;
  sync: boolean;
  maxReadBytes: number;
}

/** Why a file was not touched. */
export interface NativeFileRefusal {
  code: string;
  rule?: string;
  message: string;
  /** The message without what became of the call. */
  reason: string;
  hint?: string;
  lines?: number[];
  suggestions?: string[];
  /** Index of the edit it concerns, from 0. */
  edit?: number;
}

/** What a call of the file tools gave; the fields of the answer are in crates/files/src/linux/answer.rs. */
export type NativeFileAnswer =
  | ({ ok: true } & Record<string, unknown>)
  | { ok: false; refusal: NativeFileRefusal }
  /** The program's mistake, or a bug. */
  | { ok: false; error: NativeRefusal };

/** Operations are named in crates/files/src/linux.rs, and requests have the fields of crates/files/src/linux/request.rs. */
export interface NativeFiles {
  call(operation: string, request: object): Promise<NativeFileAnswer>;
  close(): void;
}

/** A TOML document: its entries, or why it is none. */
export interface NativeDocument {
  readonly entries: readonly {
    /** With the names of its tables before it: `table.name`. */
    readonly key: string;
    /** From 1. */
    readonly line: number;
    readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'other';
    readonly values: readonly string[];
  }[];
  readonly problem?: { readonly line: number; readonly reason: string };
}

/** A command, and what it is judged by where nothing runs. */
export interface NativeQuestion {
  command: string | readonly string[];
  /** Whether a text may be a script. */
  script: boolean;
  allow?: NativeRule[];
  deny?: NativeRule[];
  trustInterpreters: string[];
  /** Directories programs are found in. */
  path: string[];
  home?: string;
  /** Names of the variables that commands find. */
  environment: string[];
  directory?: string;
  /** Directories that may be written beneath. Absent: anywhere. */
  roots?: string[];
}

/** What needs no machine: the native files have it, and the WASM module. */
export interface TextBinding {
  NativeRedactor: new (options: NativeRedactorOptions) => NativeRedactor;
  explain(question: NativeQuestion, redactor: NativeRedactor): NativeVerdict;
  readToml(text: string): NativeDocument;
  sanitize(bytes: Uint8Array): string;
  stripAnsi(text: string): string;
  truncateOutput(text: string, maxChars: number): string;
  boundOutput(text: string, bounds: NativeBounds): NativeBounded;
  fitOutput(reading: NativeReading): NativeFitted;
  excerptOutput(text: string, tokens: number): NativeChosen;
}

export interface NativeBinding extends TextBinding {
  version(): string;
  NativeEngine: new (options: NativeEngineOptions, onEvent: (event: NativeEvent) => void) => NativeEngine;
  /** Null allows any directory. */
  NativeRoots: new (
    roots: NativeRoot[] | null,
  ) => NativeRoots;
  NativeTerminal: new (engine: NativeEngine, roots: NativeRoots, config: NativeTerminalConfig) => NativeTerminal;
  NativeSession: new (
    terminal: NativeTerminal,
    id: number,
    command: NativeStartable,
    call: NativeOpenCall,
    options: NativeSessionOptions,
  ) => NativeSession;
  NativeService: new (
    terminal: NativeTerminal,
    id: number,
    command: NativeStartable,
    call: NativeOpenCall,
  ) => NativeService;
  NativeFiles: new (roots: NativeRoots, redactor: NativeRedactor, config: NativeFilesConfig) => NativeFiles;
  isWriteBlocked(path: string, dataDir: string, workspace?: string | null): boolean;
}
