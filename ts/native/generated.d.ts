// Generated from crates/node by `npm run build`. Do not edit.
/* eslint-disable */

/** One supervisor and its workers. Nothing is started before the first run. */
export declare class NativeEngine {
  /** `onEvent` is called on the JavaScript thread; it does not keep the process alive. */
  constructor(options: NativeEngineOptions, onEvent: (arg: NativeEvent) => void)
  /** Ends a run: SIGTERM, its grace, SIGKILL. */
  cancel(id: number): void
  /** One piece of output was consumed. */
  acknowledge(id: number): void
  /** What this machine enforces; starts the supervisor. */
  capabilities(): Array<NativeCapability>
  /** Ends every run and the supervisor, removes the folders, then calls back. */
  close(callback: () => void): void
}

/** Masks secrets. */
export declare class NativeRedactor {
  /** Compiles the rules; fails with the index and place of a bad pattern. */
  constructor(options: NativeRedactorOptions)
  /** The masked text; null when nothing was found. */
  redact(text: string): string | null
  /** The masked bytes; null when nothing was found. */
  redactBytes(bytes: Uint8Array): Buffer | null
  /** Where secrets are. */
  scan(text: string): Array<NativeFinding>
  /** A stream with the same result, however its input is cut. */
  stream(): NativeRedactStream
}

/** A redaction in progress. */
export declare class NativeRedactStream {
  /** Takes a piece; returns what is certain by now. */
  write(bytes: Uint8Array): Buffer
  /** The rest. */
  end(): Buffer
  /** Secrets masked so far. */
  findings(): number
}

/** One configured terminal on an engine. */
export declare class NativeTerminal {
  /** Opens the roots and the search path; fails when one cannot be used. */
  constructor(engine: NativeEngine, config: NativeTerminalConfig)
  /** What the policy says; nothing is run. */
  explain(command: string | Array<string>): NativeVerdict
  /** Judges the command, and starts it when it may run; events with this id follow. */
  run(id: number, command: string | Array<string>, call: NativeCall): NativeStart
}

/** Head and tail of the text, when it is longer than both together. */
export declare function boundOutput(text: string, headChars: number, tailChars: number): NativeBounded

/** A text that was shortened to a head and a tail. */
export interface NativeBounded {
  /** The text, with a line that counts what is missing. */
  text: string
  /** Whether anything is missing. */
  truncated: boolean
  /** Unicode scalar values left out. */
  omittedChars: number
  /** UTF-8 bytes left out. */
  omittedBytes: number
  /** Line ends left out. */
  omittedLines: number
}

/** What can differ from call to call. */
export interface NativeCall {
  /** Working directory. */
  cwd?: string
  /** Deadline, milliseconds. */
  timeoutMs: number
  /** From SIGTERM to SIGKILL, milliseconds. */
  graceMs: number
  /** What the command reads. */
  stdin?: Uint8Array
  /** One pipe for both outputs. */
  merge: boolean
  /** Whether output is also sent as events. */
  stream: boolean
  /** Whether an `ask` was answered with yes. */
  approved: boolean
}

/** One line of the report on what this machine enforces. */
export interface NativeCapability {
  /** A guarantee's name. */
  feature: string
  /** `enforced`, `best-effort` or `unavailable`. */
  level: string
  /** What makes it so. */
  detail: string
  /** What would make it better. */
  fix?: string
}

/** A piece of output. */
export interface NativeChunk {
  /** `stdout` or `stderr`. */
  stream: string
  /** Cleaned and redacted. */
  text: string
}

/** How an engine is set up. */
export interface NativeEngineOptions {
  /** The supervisor executable. */
  supervisorPath: string
  /** Where private folders and spill files are made. */
  stateParent: string
  /** Runs at the same time; more wait. */
  maxWorkers: number
  /** False only in tests that show what survives without it. */
  killing: boolean
  /** False runs commands without the kernel's confinement. */
  confine: boolean
}

/** What an engine tells JavaScript. */
export interface NativeEvent {
  /** `output`, `done` or `closed`. */
  kind: string
  /** The run; 0 for `closed`. */
  id: number
  /** With `output`. */
  chunk?: NativeChunk
  /** With `done`. */
  result?: NativeResult
}

/** A secret that was found; never the secret itself. */
export interface NativeFinding {
  /** The rule's id. */
  rule: string
  /** UTF-16 offset where it starts. */
  start: number
  /** UTF-16 offset behind its end. */
  end: number
}

/** A process by id and name. */
export interface NativeProcess {
  /** Its id when it was seen. */
  pid: number
  /** The kernel's short name of it. */
  program: string
}

/** One finding of the policy. */
export interface NativeReason {
  /** Stable id of the rule. */
  rule: string
  /** UTF-16 offset where it starts. */
  start: number
  /** UTF-16 offset behind its end. */
  end: number
  /** The program that it concerns. */
  program?: string
  /** One sentence. */
  message: string
  /** What to do instead. */
  hint?: string
}

/** What a redactor looks for. */
export interface NativeRedactorOptions {
  /** Values masked wherever they appear. */
  secrets?: Array<NativeSecret>
  /** Texts masked wherever they appear. */
  substrings?: Array<string>
  /** Regular expressions, linear time. */
  patterns?: Array<string>
  /** `default`, `none` or `only` (then `ruleIds` names them). */
  rules?: string
  /** With `only`. */
  ruleIds?: Array<string>
  /** Shorter secrets are refused; characters. */
  minSecretLength?: number
  /** Whether masks name their rule. */
  label?: boolean
}

/** A code with a message. */
export interface NativeRefusal {
  /** Stable. */
  code: string
  /** For people and models. */
  message: string
}

/** How a run went. Sizes are bytes. */
export interface NativeResult {
  /** `exited`, `signaled`, `timed_out`, `cancelled` or `spawn_failed`. */
  status: string
  /** With `exited`. */
  exitCode?: number
  /** With `signaled`, for example `SIGSEGV`. */
  signal?: string
  /** Standard output, bounded. */
  stdout: string
  /** Standard error, bounded. */
  stderr: string
  /** Both in the order they were read, bounded. */
  output: string
  /** Whether any of the three lost something. */
  truncated: boolean
  /** From the request to the end. */
  durationMs: number
  /** Written by the command. */
  stdoutBytes: number
  /** Written by the command. */
  stderrBytes: number
  /** Kept in `output`. */
  keptBytes: number
  /** Left out of `output`. */
  omittedBytes: number
  /** Line ends left out of `output`. */
  omittedLines: number
  /** The file with the whole output, when it did not fit. */
  spillPath?: string
  /** Its size. */
  spillBytes: number
  /** False when its cap cut it. */
  spillComplete: boolean
  /** Secrets masked. */
  redactions: number
  /** Processes that could not be killed. */
  survivors: Array<NativeProcess>
  /** Processes that still ran when the command had ended, and were killed. */
  leftovers: Array<NativeProcess>
  /** Processor time. */
  userMs: number
  /** Processor time. */
  systemMs: number
  /** Largest resident size of a single process. */
  maxRssBytes: number
  /** Present when something went wrong on our side or the program could not start. */
  failure?: NativeRefusal
  /** What the kernel enforced. */
  sandbox: Array<string>
}

/** An allowed directory. */
export interface NativeRoot {
  /** Absolute. */
  path: string
  /** Whether agents may change what is below. */
  writable: boolean
}

/** A program, with the arguments it must start with. */
export interface NativeRule {
  /** A name, or an absolute path. */
  program: string
  /** Leading arguments. */
  args?: Array<string>
}

/** A value the host names. */
export interface NativeSecret {
  /** For messages. */
  name: string
  /** What is masked. */
  value: string
}

/** What became of a request. */
export interface NativeStart {
  /** What the policy says. */
  verdict: NativeVerdict
  /** Whether it runs. */
  started: boolean
  /** Why an allowed command does not. */
  refusal?: NativeRefusal
}

/** What a host decided, once. */
export interface NativeTerminalConfig {
  /** Only these, when given. */
  allow?: Array<NativeRule>
  /** Never these. */
  deny?: Array<NativeRule>
  /** Interpreters whose code is not judged. */
  trustInterpreters: Array<string>
  /** Directories programs are found in. */
  path: Array<string>
  /** Directories commands may work in; absent means any. */
  roots?: Array<NativeRoot>
  /** Default working directory; absolute. */
  cwd: string
  /** What commands find in their environment. */
  env: Array<NativeVariable>
  /** Whether `HOME` is a private empty folder. */
  privateHome: boolean
  /** Kept from the start of an output, bytes. */
  headBytes: number
  /** Kept from its end, bytes. */
  tailBytes: number
  /** Largest spill file, bytes; 0 makes none. */
  spillBytes: number
  /** Masks secrets. */
  redactor: NativeRedactor
}

/** A variable of the environment. */
export interface NativeVariable {
  /** Its name. */
  name: string
  /** Its value. */
  value: string
}

/** What the policy says about a command. */
export interface NativeVerdict {
  /** `allow`, `ask` or `deny`. */
  decision: string
  /** Why; never empty. */
  reasons: Array<NativeReason>
}

/** Bytes of a terminal as text: controls resolved, invalid UTF-8 replaced. */
export declare function sanitize(bytes: Uint8Array): string

/** The text without escape sequences. */
export declare function stripAnsi(text: string): string

/** The head of the text with a notice, when it is longer. */
export declare function truncateOutput(text: string, maxChars: number): string

/** The release this binding belongs to; the loader refuses another one. */
export declare function version(): string
