// Generated from crates/node by `npm run build`. Do not edit.
import type { Json, BoundedText, Capability, Decision, Document, Event, Fitted, History, LastAnswer, NamedWords, Plan, Question, Reading, RedactorOptions, RuleList, Start, TextBounds, TextExcerpt } from './reports.js';

/* eslint-disable */

/** One supervisor and its workers. Nothing is started before the first run. */
export declare class NativeEngine {
  /**
   * `onEvent` is called on the JavaScript thread; it does not keep the process alive. What belongs to an event but is not in
   * it is beside it: texts, or bytes.
   */
  constructor(options: NativeEngineOptions, onEvent: (event: Json<Event>, beside?: string[] | Uint8Array | null) => void)
  /** Ends a run: SIGTERM, its grace, SIGKILL. */
  cancel(id: number): void
  /**
   * Writes to a run whose standard input is a pipe, behind what waits already; an event with the request's number tells when
   * it was done.
   */
  write(id: number, request: number, bytes: Uint8Array): void
  /** Nothing more will be written to it. */
  endInput(id: number): void
  /** One piece of output was consumed. */
  acknowledge(id: number): void
  /** Ends every run and the supervisor, removes the folders, then calls back. */
  close(callback: () => void): void
}

/** The file tools. */
export declare class NativeFiles {
  /** Fails for a value or a rule that does not exist. */
  constructor(roots: NativeRoots, redactor: NativeRedactor, config: NativeFilesConfig)
  /** Does what `operation` names, to a request and with an answer in JSON. */
  call(operation: string, request: string): Promise<string>
  /** Gives the directories back when the calls at work are done. */
  close(): void
}

/** A command that was judged and may be started as it was. */
export declare class NativeJudgedCommand {
  /** What the policy says. */
  get decision(): Json<Decision>
  /** Whether it is a shell that starts because each line typed into it will be judged. */
  get typed(): boolean
}

/** Masks secrets. */
export declare class NativeRedactor {
  /** Compiles the rules; fails with the index and place of a bad pattern. */
  constructor(options: Json<RedactorOptions>)
  /** What the rule files say that means nothing here, for people. */
  ruleNotes(): Array<string>
  /** Masks one more known value, in streams and terminals at work too. */
  addSecret(name: string, value: string): void
  /** The masked bytes; null when nothing was found. */
  redactBytes(bytes: Uint8Array): Uint8Array | null
  /**
   * Takes the next piece of a string of `length` UTF-16 units, which does not end between two halves of a character;
   * `more` says that others follow. Gives what is certain by now to be masked, as start, end and code of each, with
   * offsets from the start of the string; null for nothing.
   */
  scan(piece: string, length: number, more: boolean): Uint32Array | null
  /** What is written in place of a mark with this code. */
  mask(code: number): string
  /** The id of the rule in a code. */
  rule(code: number): string
  /** A stream with the same result, however its input is cut. */
  stream(): NativeRedactStream
}

/** A redaction in progress. */
export declare class NativeRedactStream {
  /** Takes a piece; gives the output that is final now. */
  write(bytes: Uint8Array): Uint8Array
  /** The same for a string of `length` UTF-16 units. */
  writeText(text: string, length: number): Uint8Array
  /** Nothing came for a while: gives the part of an unfinished line that can be shown. */
  idle(): Uint8Array
  /** Ends the stream; gives the rest of the output. */
  end(): Uint8Array
  /** Secrets masked so far. */
  findings(): number
  /** The same by rule, without those that masked nothing. */
  counts(): Array<NativeRuleCount>
}

/** The directories tools work in. */
export declare class NativeRoots {
  /** Opens the directories; null means any. Fails when one cannot be used. */
  constructor(roots?: Array<NativeRoot> | undefined | null)
  /** Gives the directories back; what was made with them keeps them until it is closed. */
  close(): void
}

/** What starts the programs of one owner on an engine. */
export declare class NativeRunner {
  /** Opens the search path; fails when it cannot be used. */
  constructor(engine: NativeEngine, roots: NativeRoots, config: NativeRunnerConfig)
  /** What the policy says; nothing is run. */
  explain(command: string | Array<string>, cwd?: string | undefined | null): Json<Decision>
  /** What the policy says of a line that is typed into a shell, which `edits_lines` itself or does not. */
  explainTyped(line: string, editsLines: boolean, cwd: string): Json<Decision>
  /** Whether the command is a bash that takes what it runs from its terminal, and nothing else. */
  isLineShell(command: string | Array<string>): boolean
  /**
   * Judges a session, once: what this gives is what starts. A shell may start when nothing is open but the lines that will
   * be typed into it.
   */
  judge(command: string, cwd: string): NativeJudgedCommand
  /** Judges the command, and starts it when it may run; events with this id follow. */
  run(id: number, command: string | Array<string>, call: NativeCall): Json<Start>
  /** What this machine enforces for these commands; starts the supervisor. */
  capabilities(): Json<Capability[]>
  /** What the kernel holds these commands to. */
  plan(): Json<Plan>
  /** Closes the directories it holds; nothing can be run any more. */
  close(): void
}

/** A program on three pipes. */
export declare class NativeService {
  /** Starts it, or says in `start` why not. */
  constructor(terminal: NativeRunner, id: number, command: string | Array<string> | NativeJudgedCommand, call: NativeOpenCall)
  /** What became of the start. */
  get start(): Json<Start>
  /** Writes behind what waits already; an event with the request's number tells when it was done. */
  write(request: number, bytes: Uint8Array): void
  /** Nothing more will be written. */
  endInput(): void
  /** Sends a signal, by number, to the program that was started. */
  signal(number: number): void
  /** The end of its standard error, cleaned and masked. */
  stderr(): string
}

/** A program on a terminal. */
export declare class NativeSession {
  /** Starts it, or says in `start` why not. */
  constructor(terminal: NativeRunner, id: number, command: string | Array<string> | NativeJudgedCommand, call: NativeOpenCall, options: NativeSessionOptions)
  /** What became of the start. */
  get start(): Json<Start>
  /** What was written, when the program is ready; an event with the request's number tells it. */
  read(request: number, read: NativeRead): void
  /** Writes when the program is ready to take input, then as `read`. */
  send(request: number, input: Uint8Array, read: NativeRead): void
  /** Writes now, behind what waits already. */
  write(request: number, bytes: Uint8Array): void
  /** Changes the size of its terminal. */
  resize(columns: number, rows: number): void
  /** Sends a signal, by number, to the program that was started. */
  signal(number: number): void
  /** Changes what shows that the program is ready for input. */
  setMarkers(markers: Array<string>): void
  /** Asks to be told when the program runs; an event with the request's number tells it. */
  awaitStart(request: number): void
  /** Ends the read that is going on with what there is. */
  stop(): void
  /** The program's working directory as it is now; `None` where it is not known. */
  cwd(): string | null
  /** What the kernel holds the program to, while it runs. */
  sandbox(): Array<string>
  /** What a program that has ended wrote since the last answer. */
  rest(read: NativeRead): Json<LastAnswer> | null
  /** What was written so far, from an absolute position or all that is kept. */
  history(since?: number | undefined | null): Json<History>
}

/** The head and the tail of a text that is longer than its bounds. */
export declare function boundOutput(text: string, bounds: Json<TextBounds>): Json<BoundedText>

/** The most informative lines of the text, within about so many tokens. */
export declare function excerptOutput(text: string, tokens: number): Json<TextExcerpt>

/** What the policy says to a question; what it quotes is masked. */
export declare function explain(question: Json<Question>, redactor: NativeRedactor): Json<Decision>

/** Shortens the text of the question for its reader. */
export declare function fitOutput(question: Json<Reading>): Json<Fitted>

/** Whether a path is protected outside of any root. */
export declare function isWriteBlocked(path: string, dataDir: string, workspace?: string | undefined | null): boolean

/** The words of a text in bash syntax that may name files. */
export declare function namedWords(text: string): Json<NamedWords>

/** How a command is run. */
export interface NativeCall {
  /** Working directory, absolute. */
  cwd: string
  /** Milliseconds. */
  timeoutMs: number
  /** What the command reads; nothing when absent. */
  stdin?: Uint8Array
  /** Whether its standard input is a pipe, which the engine writes and ends. */
  piped: boolean
  /** One pipe for both outputs. */
  merge: boolean
  /** Whether output is also sent as events. */
  stream: boolean
  /** Whether somebody who was asked said yes. */
  approved: boolean
}

/** What a host chose; the rest follows from its lists. */
export interface NativeConfine {
  /** `roots`, `none` or `any`. */
  writes?: 'roots' | 'none' | 'any'
  /** `listed` or `any`. */
  exec?: 'listed' | 'any'
  /** `none` or `any`. */
  network?: 'none' | 'any'
  /** `yes`, `no` or `no-truncate`. */
  remove?: 'yes' | 'no' | 'no-truncate'
  /** Programs that may remove files all the same. */
  rewriters?: Array<string>
}

/** How an engine is set up. */
export interface NativeEngineOptions {
  /** The supervisor executable. */
  supervisorPath: string
  /** Where private folders and spill files are made. */
  stateParent: string
  /** Runs at the same time; more wait. */
  maxWorkers: number
  /** Sessions at the same time; one more is refused. */
  maxSessions: number
  /** Services at the same time; one more is refused. */
  maxServices: number
  /** What all spill files take together, bytes. */
  spillTotalBytes: number
  /** False only in tests that show what survives without it. */
  killing: boolean
  /** False runs commands without the kernel's confinement. */
  confine: boolean
  /** What is used of the kernel; all it has when absent. */
  kernel?: NativeKernel
}

/** What a host decided, once. */
export interface NativeFilesConfig {
  /** The user's home folder, absolute. */
  home?: string
  /** Where relative paths start, absolute; the first root by default. */
  cwd?: string
  /** Whether the list of places that are not read holds. */
  readRules: boolean
  /** Whether the list of places that are not written to holds. */
  writeRules: boolean
  /** `block` or `mask`. */
  dotenvReads: 'block' | 'mask'
  /** Ids of rules that do not hold. */
  lifted: Array<string>
  /** Further places that are neither read nor written, absolute. */
  protectedPaths: Array<string>
  /** `refuse` or `break`. */
  hardLinks: 'refuse' | 'break'
  /** Whether files that nobody may write to are changed. */
  replaceReadOnly: boolean
  /** Whether what can only be changed in place is. */
  inPlace: boolean
  /** Whether a change is on the disk before it has its name. */
  sync: boolean
  /** Larger files are not read. */
  maxReadBytes: number
}

/** What is used of the kernel, in tests that show what others hold. */
export interface NativeKernel {
  /** The newest ABI of Landlock. */
  landlock: number
  /** Filters of system calls. */
  filters: boolean
  /** Namespaces. */
  namespaces: boolean
}

/** How a session or service is started. */
export interface NativeOpenCall {
  /** Working directory, absolute. */
  cwd: string
  /** From SIGTERM to SIGKILL, milliseconds. */
  graceMs: number
  /** On whose word: `host`, `approval` or `policy`. */
  warrant: 'host' | 'approval' | 'policy'
  /** What it finds in its environment: `NAME=value`, joined by NUL; one text crosses quicker than many. */
  env: string
  /** The same for programs that name git, beside those or in their place. */
  gitEnv: string
  /** Whether `HOME` is a private empty folder. */
  privateHome: boolean
  /** What the kernel holds it to where the host names it. */
  confine?: NativeConfine
  /** Whether it is a shell whose lines are judged. */
  typed: boolean
}

/** When a read is over. */
export interface NativeRead {
  /** `ready`, `quiet` or `now`. */
  until: 'ready' | 'quiet' | 'now'
  /** The whole of it, milliseconds. */
  timeoutMs: number
  /** After a marker that the kernel cannot confirm, milliseconds. */
  settleMs: number
  /** Without output, milliseconds. */
  quietMs: number
  /** Of the answer. */
  maxBytes: number
}

/** An allowed directory. */
export interface NativeRoot {
  /** Absolute. */
  path: string
  /** Whether agents may change what is below. */
  writable: boolean
  /** Whether it may be the root of the file system. */
  allowFilesystemRoot?: boolean
}

/** A program, with the arguments it must start with. */
export interface NativeRule {
  /** A name, or an absolute path. */
  program: string
  /** Leading arguments. */
  args?: Array<string>
}

/** How often a rule masked something. */
export interface NativeRuleCount {
  /** The rule's id. */
  rule: string
  /** Masks. */
  count: number
}

/** What a host decided, once. */
export interface NativeRunnerConfig {
  /** Only these, when given. */
  allow?: Array<NativeRule>
  /** Never these. */
  deny?: Array<NativeRule>
  /** Interpreters whose code is not judged. */
  trustInterpreters: Array<string>
  /** What the kernel holds commands to, as far as the host chose. */
  confine: NativeConfine
  /** False only in tests of what the kernel holds by itself. */
  judging: boolean
  /** `none`: a text is one plain command; `bash`: it may be a script. */
  shell: 'none' | 'bash'
  /** Directories programs are found in. */
  path: Array<string>
  /** The user's home folder, absolute. */
  home?: string
  /** Whether scripts keep to the list of places that are not written to. */
  writeRules: boolean
  /** Ids of rules of that list that do not hold. */
  lifted: Array<string>
  /** Further places that scripts do not write to, absolute. */
  protectedPaths: Array<string>
  /** Default working directory; absolute. */
  cwd: string
  /** What commands find in their environment. */
  env: Array<NativeVariable>
  /** What those that name git find there as well, or instead. */
  gitEnv: Array<NativeVariable>
  /** Whether `HOME` is a private empty folder. */
  privateHome: boolean
  /** From SIGTERM to SIGKILL, milliseconds. */
  graceMs: number
  /** Kept from the start of an output, bytes. */
  headBytes: number
  /** Kept from its end, bytes. */
  tailBytes: number
  /** Kept of both outputs as one, for its reader, characters. */
  maxChars?: number
  /** Largest spill file, bytes; 0 makes none. */
  spillBytes: number
  /** Of the excerpt from both outputs, about; 0 makes none. */
  excerptTokens: number
  /** Masks secrets. */
  redactor: NativeRedactor
}

/** How a session's terminal is made. */
export interface NativeSessionOptions {
  /** Characters of a row. */
  columns: number
  /** Rows. */
  rows: number
  /** Cleaned text that is kept, bytes. */
  historyBytes: number
  /** What shows that the program is ready for input. */
  markers: Array<string>
}

/** A variable of the environment. */
export interface NativeVariable {
  /** Its name. */
  name: string
  /** Its value. */
  value: string
}

/** The rules of a list as a person types it, each as its words, or what is wrong with it. */
export declare function readRuleList(list: string): Json<RuleList>

/** The entries of a TOML document, each with the line it stands in, or what is wrong with it. */
export declare function readToml(text: string): Json<Document>

/** Bytes of a terminal as text: controls resolved, invalid UTF-8 replaced. */
export declare function sanitize(bytes: Uint8Array): string

/** The text without escape sequences. */
export declare function stripAnsi(text: string): string

/** The head of a text that is longer, with a notice. */
export declare function truncateOutput(text: string, maxChars: number): string

/** The release this binding belongs to; the loader refuses another one. */
export declare function version(): string
