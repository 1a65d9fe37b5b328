// Generated from crates/node by `npm run build`. Do not edit.
import type { Json, BoundedText, Capability, Decision, Document, Event, FitQuestion, Fitted, Glimpse, History, HostQuestion, LastAnswer, NamedWords, NetworkContact, Plan, Question, RedactorOptions, RuleList, Screen, SearchFolder, Start, TextBounds, TextDigest, TextExcerpt } from './reports.js';

/* eslint-disable */

/** One supervisor and its workers. Nothing is started before the first run. */
export declare class NativeEngine {
  /**
   * `onEvent` is called on the JavaScript thread, and does not keep the process alive. It gets an event, and beside it the
   * texts or the bytes of that event.
   */
  constructor(options: NativeEngineOptions, onEvent: (event: Json<Event>, beside?: string[] | Uint8Array | null) => void)
  /**
   * Has everything that it starts write into the layer with this folder instead of into the writable ones of `roots`. Nothing may
   * have been started before. Waits until the layer is made; fails where this machine has none. `others`: roots that are as
   * they are.
   */
  enterLayer(folder: string, roots: NativeRoots, others: NativeRoots): void
  /** Keeps the folder of a layer for one program from being removed as one that a process has left behind. */
  holdLayer(folder: string): void
  /** Such a layer is gone. */
  releaseLayer(folder: string): void
  /**
   * Requests a socket that is connected to a port of the loopback that a runner's programs have with `network: 'loopback'`. An
   * event with the request's number follows.
   */
  connect(runner: NativeRunner, request: number, port: number): void
  /** Whether this machine can give programs a network namespace. The first call starts a process that tries it out. */
  hasNetworks(): boolean
  /**
   * Whether commands will have a view of the file system, with everything that plans ask for. The first call starts a process
   * that tries it out.
   */
  hasViews(): boolean
  /** Why no way out can lead through the proxy that the host uses, in a sentence; absent where one can. */
  proxyProblem(forHttps: string, forHttp: string): string | null
  /** Ends a run: SIGTERM, its grace, SIGKILL. */
  cancel(id: number): void
  /**
   * Writes to a run whose standard input is a pipe, after the bytes that already wait. An event with the request's number
   * follows.
   */
  write(id: number, request: number, bytes: Uint8Array): void
  /** Ends the standard input of such a run. */
  endInput(id: number): void
  /** Whether a process of this program listens on a TCP port. */
  listens(id: number, port: number): Promise<boolean>
  /**
   * The lines of a masked text that tell most, within about so many tokens, and a file of at most so many bytes with the whole;
   * nothing for a text that fits.
   */
  digest(text: string, tokens: number, spillBytes: number, spill?: NativeSpillFolder | undefined | null): Promise<Json<TextDigest> | null>
  /** The caller consumed one piece of output. */
  acknowledge(id: number): void
  /** Ends every program and the supervisor, removes the folders, then calls `callback`. */
  close(callback: () => void): void
}

/** The file tools. */
export declare class NativeFiles {
  /** Fails for an unknown value or an unknown rule. */
  constructor(roots: NativeRoots, redactor: NativeRedactor, config: NativeFilesConfig)
  /** Performs the operation of this name. The request and the answer are JSON. */
  call(operation: string, request: string): Promise<string>
  /** Closes the directories, once the calls that are running have ended. */
  close(): void
}

/** A command that was judged and may be started as it was. */
export declare class NativeJudgedCommand {
  /** The decision of the policy. */
  get decision(): Json<Decision>
  /** Whether it is a shell that starts because each line typed into it will be judged. */
  get typed(): boolean
}

/** A regular expression that output is waited for with. It is searched for in each line, in linear time. */
export declare class NativePattern {
  /** Refuses what is no such expression. */
  constructor(source: string)
  /** Whether it matches within a line of a text. */
  isIn(text: string): boolean
}

/** Masks secrets. */
export declare class NativeRedactor {
  /** Compiles the rules; the error for a bad pattern has its index and position. */
  constructor(options: Json<RedactorOptions>)
  /** Notes for people about entries of rule files that have no effect. */
  ruleNotes(): Array<string>
  /** Masks one more known value, also in streams and runs that have begun. */
  addSecret(name: string, value: string): void
  /** The masked bytes; null when no secret was found. */
  redactBytes(bytes: Uint8Array): Uint8Array | null
  /**
   * Takes the next piece of a string: `length` UTF-16 units, which do not end inside a surrogate pair. `more` says that
   * further pieces follow. Gives the marks that are final now, each as start, end and code, with offsets from the start of
   * the string; null when there are none.
   */
  scan(piece: string, length: number, more: boolean): Uint32Array | null
  /** The text that replaces a mark with this code. */
  mask(code: number): string
  /** The id of the rule in a code. */
  rule(code: number): string
  /** A stream, whose output does not depend on how its input is cut. */
  stream(): NativeRedactStream
}

/** A redaction in progress. */
export declare class NativeRedactStream {
  /** Takes a piece; gives the output that is final now. */
  write(bytes: Uint8Array): Uint8Array
  /** Takes a string of `length` UTF-16 units; gives the output that is final now. */
  writeText(text: string, length: number): Uint8Array
  /** Nothing came for a while: gives the part of an unfinished line that can be shown. */
  idle(): Uint8Array
  /** Ends the stream; gives the rest of the output. */
  end(): Uint8Array
  /** How many secrets were masked so far. */
  findings(): number
  /** The same count for each rule that masked something. */
  counts(): Array<NativeRuleCount>
}

/** The directories that tools work in. */
export declare class NativeRoots {
  /** Opens the directories; null means any. Fails when one cannot be used. */
  constructor(roots?: Array<NativeRoot> | undefined | null)
  /** What commands find at an absolute path, by its path on this machine. */
  realPath(path: string): string
  /** The paths of the directories that a layer gets folders for, in the order of its numbers. */
  ofLayer(): Array<string>
  /** The same directories as the programs of an engine with a layer find them. */
  inLayer(engine: NativeEngine): NativeRoots
  /** Closes the directories. Runners and file tools that were made with them keep them open until they are closed. */
  close(): void
}

/** Judges the programs of one owner, and starts them on an engine. */
export declare class NativeRunner {
  /** Opens the directories of the search path; fails when one cannot be used. */
  constructor(engine: NativeEngine, roots: NativeRoots, config: NativeRunnerConfig)
  /** The decision on a command; nothing is run. */
  explain(command: string | Array<string>, cwd?: string | undefined | null): Json<Decision>
  /** The decision on a line that is typed into a shell, which edits lines itself or does not. */
  explainTyped(line: string, editsLines: boolean, cwd: string): Json<Decision>
  /** Whether the command is a bash that reads its commands from its terminal only. */
  isLineShell(command: string | Array<string>): boolean
  /**
   * Judges the command of a session once; the result is what starts. A shell may start when nothing is undecided but the
   * lines that will be typed into it.
   */
  judge(command: string, cwd: string): NativeJudgedCommand
  /** Judges the command, and starts it when it may run; events with this id follow. */
  run(id: number, command: string | Array<string>, call: NativeCall): Json<Start>
  /** Sets the files that private homes start with, for later starts. */
  setHomeFiles(files: Array<NativeHomeFile>): void
  /** What this machine enforces for the commands of this runner. Starts the supervisor. */
  capabilities(): Json<Capability[]>
  /** What the kernel limits the commands of this runner to. */
  plan(): Json<Plan>
  /** The place that keeps commands from an absolute path. */
  withheld(path: string): NativeWithheld | null
  /** The folders that programs are found in, and those that were left out. */
  searchPath(): Json<SearchFolder[]>
  /** This moment, for `contactsSince`. */
  contactMark(): number
  /** The hosts that programs asked for since that moment, and what became of that. */
  contactsSince(mark: number): Json<NetworkContact[]>
  /** Calls `callback` with each question about a host, on the JavaScript thread. It does not keep the process alive. */
  onHostQuestion(callback: (question: Json<HostQuestion>) => void): void
  /** Answers a question about a host. Without an answer nobody could be asked, and a later connection asks again. */
  answerHost(number: number, allowed?: boolean | undefined | null): void
  /** The hosts that were asked about and allowed, as entries of an allow list. */
  approvedHosts(): Array<string>
  /** Closes the directories that it keeps open. Nothing can be started any more. */
  close(): void
}

/** A program on three pipes. */
export declare class NativeService {
  /** Starts the program; `start` says whether that worked. */
  constructor(terminal: NativeRunner, id: number, command: string | Array<string> | NativeJudgedCommand, call: NativeOpenCall)
  /** The report on the start. */
  get start(): Json<Start>
  /** Writes after the bytes that already wait. An event with the request's number follows. */
  write(request: number, bytes: Uint8Array): void
  /** Ends the standard input. */
  endInput(): void
  /** Sends a signal, by number, to the program that was started. */
  signal(number: number): void
  /** The end of its standard error, cleaned and masked. */
  stderr(): string
}

/** A program on a terminal. */
export declare class NativeSession {
  /** Starts the program; `start` says whether that worked. */
  constructor(terminal: NativeRunner, id: number, command: string | Array<string> | NativeJudgedCommand, call: NativeOpenCall, options: NativeSessionOptions)
  /** The report on the start. */
  get start(): Json<Start>
  /** Reads until the program is ready. An event with the request's number has the answer. */
  read(request: number, read: NativeRead): void
  /** Writes when the program is ready for input, and then reads. */
  send(request: number, input: Uint8Array, read: NativeRead): void
  /** Writes now, after the bytes that already wait. */
  write(request: number, bytes: Uint8Array): void
  /**
   * Writes judged lines, if the first program of the session is the one that reads them. An event with the request's
   * number follows.
   */
  lines(request: number, bytes: Uint8Array): void
  /** Writes a key, if another program than the first one waits for it. An event with the request's number follows. */
  key(request: number, bytes: Uint8Array): void
  /** Answers the question of this number. An event with the request's number follows. */
  secret(request: number, question: number, line: Uint8Array): void
  /** Whether arrow keys have their application form. */
  applicationCursor(): boolean
  /** Whether pasted text is marked as such. */
  bracketedPaste(): boolean
  /** Changes the size of its terminal. */
  resize(columns: number, rows: number): void
  /** Sends a signal, by number, to the program that was started. */
  signal(number: number): void
  /** Replaces the texts that show that the program is ready for input. */
  setMarkers(markers: Array<string>): void
  /** Requests an event with this number when the program runs. */
  awaitStart(request: number): void
  /** Ends the read that is going on: the answer is the output so far. */
  stop(): void
  /** The present working directory of the program; null where it is unknown. */
  cwd(): string | null
  /** What the kernel enforces on the program while it runs, a line for each mechanism. */
  sandbox(): Array<string>
  /** The output since the last answer, of a program that has ended. */
  rest(read: NativeRead): Json<LastAnswer> | null
  /** The output so far: from an absolute position, or all that is kept. */
  history(since?: number | undefined | null): Json<History>
  /** What the terminal shows now. */
  screen(): Json<Screen>
  /** Adds somebody who looks on, from a position of the history on; null where there are as many as there may be. */
  addOnlooker(since?: number | undefined | null): number | null
  /** What is new to an onlooker; null where nothing is. */
  glimpse(onlooker: number, maxBytes: number): Json<Glimpse> | null
  /** Requests an event with this number when there is something new to an onlooker. */
  awaitNews(request: number, onlooker: number): void
  /** Removes an onlooker, and answers its request. */
  removeOnlooker(onlooker: number): void
}

/** The head and the tail of a text that is longer than its bounds. */
export declare function boundOutput(text: string, bounds: Json<TextBounds>): Json<BoundedText>

/** Whether this process has a controlling terminal, and may read from it: `none`, `background` or `foreground`. */
export declare function controllingTerminal(): 'none' | 'background' | 'foreground'

/** Discards what was typed on the controlling terminal and not read yet. */
export declare function discardTypedInput(): void

/** The estimated number of tokens of the text. */
export declare function estimateTokens(text: string): number

/** The most informative lines of the text, within about so many tokens. */
export declare function excerptOutput(text: string, tokens: number): Json<TextExcerpt>

/** The decision on the command of a question. Secrets in quoted parts of the command are masked. */
export declare function explain(question: Json<Question>, redactor: NativeRedactor): Json<Decision>

/** Shortens the text of the question for its reader. */
export declare function fitOutput(question: Json<FitQuestion>): Json<Fitted>

/** Whether a path outside all roots is protected from writes. */
export declare function isWriteBlocked(path: string, dataDir: string, workspace?: string | undefined | null): boolean

/** The words of a text in bash syntax that may name files. */
export declare function namedWords(text: string): Json<NamedWords>

/** How a command is run. */
export interface NativeCall {
  /** Working directory; absolute. */
  cwd: string
  /** Limit of the whole run, in milliseconds. */
  timeoutMs: number
  /** The standard input; empty when absent. */
  stdin?: Uint8Array
  /** Whether the standard input is a pipe, which `write` and `endInput` of the engine serve. */
  piped: boolean
  /** Whether both outputs share one pipe. */
  merge: boolean
  /** Whether the output is also sent as events. */
  stream: boolean
  /** Whether somebody approved a command that the policy asks about. */
  approved: boolean
  /** Whether it counts among the jobs. */
  job: boolean
  /** The folder of its caller for output that does not fit its result. */
  spill?: NativeSpillFolder
  /** The layer in which it writes, of its own. */
  layer?: NativeLayerFolder
}

/** Where what changes replace is kept, and how long. */
export interface NativeChangesConfig {
  /** Absolute path of a folder that only this user may use. */
  folder: string
  /** Tells the calls of these file tools from those of others. */
  owner: string
  /** Most bytes of all contents together. */
  maxBytes: number
  /** How long a call is kept, in milliseconds. */
  maxAgeMs: number
}

/** The parts of the kernel plan that a host chose; the others follow from its lists. */
export interface NativeConfine {
  /** Where commands may write: `roots`, `none` or `any`. */
  writes?: 'roots' | 'none' | 'any'
  /** Which programs they may start: `listed` or `any`. */
  exec?: 'listed' | 'any'
  /** What they may connect to: `none`, `loopback`, `allow` for the hosts of the runner's way out, or `any`. */
  network?: 'none' | 'loopback' | 'allow' | 'any'
  /** Whether they may remove files: `yes`, `no` or `no-truncate`. */
  remove?: 'yes' | 'no' | 'no-truncate'
  /** Names of programs that may remove files where others may not. */
  rewriters?: Array<string>
  /** What they may read: `protected`, `roots` or `any`. */
  reads?: 'protected' | 'roots' | 'any'
  /** Places that they may read all the same. */
  readable?: Array<string>
  /** Further places that they may not read. */
  unreadable?: Array<string>
  /** How much each run may use. */
  limits?: NativeLimits
}

/** How an engine is set up. */
export interface NativeEngineOptions {
  /** Path of the supervisor executable. */
  supervisorPath: string
  /** Directory in which private folders and spill files are made. */
  stateParent: string
  /** Most runs at the same time; further ones wait. */
  maxWorkers: number
  /** Most sessions at the same time; one more is refused. */
  maxSessions: number
  /** Most services at the same time; one more is refused. */
  maxServices: number
  /** Most jobs at the same time; one more is refused. */
  maxJobs: number
  /** Most bytes that all spill files take together. */
  spillTotalBytes: number
  /** Whether processes are killed at the end of a run; false only in tests that show what survives without it. */
  killing: boolean
  /** Whether the kernel confines commands. */
  confine: boolean
  /** The mechanisms of the kernel that are used; all of them when absent. */
  kernel?: NativeKernel
}

/** What a host decides once for its file tools. */
export interface NativeFilesConfig {
  /** The user's home folder; absolute. */
  home?: string
  /** The directory that relative paths start at, absolute; the first root by default. */
  cwd?: string
  /** Whether protected places of the built-in list are not read. */
  readRules: boolean
  /** Whether protected places of the built-in list are not written to. */
  writeRules: boolean
  /** Whether reads of `.env` files are refused (`block`) or masked (`mask`). */
  dotenvReads: 'block' | 'mask'
  /** Ids of rules that are switched off. */
  lifted: Array<string>
  /** Further places that are neither read nor written to; absolute. */
  protectedPaths: Array<string>
  /** Whether random values that were masked in a file are masked everywhere by the redactor from then on. */
  learnSecrets: boolean
  /**
   * Whether a change of a file with several hard links is refused (`refuse`) or leaves the other links with the old content
   * (`break`).
   */
  hardLinks: 'refuse' | 'break'
  /** Whether read-only files are changed. */
  replaceReadOnly: boolean
  /** Whether files that can only be changed in place are changed. */
  inPlace: boolean
  /** Whether a change is synced to the disk before it gets the name of the file. */
  sync: boolean
  /** The largest size, in bytes, of a file that is read. */
  maxReadBytes: number
  /** Where what changes replace is kept. Undefined for nowhere. */
  changes?: NativeChangesConfig
}

/** A file of a private home. */
export interface NativeHomeFile {
  /** Its path beneath the home. */
  path: string
  /** Its content. */
  content: string
}

/** The mechanisms of the kernel that are used, in tests of what the other ones enforce. */
export interface NativeKernel {
  /** The newest ABI of Landlock that is used. */
  landlock: number
  /** Whether system calls are filtered. */
  filters: boolean
  /** Whether namespaces are used. */
  namespaces: boolean
  /** Whether control groups are used; they are when absent. */
  controlGroups?: boolean
}

/** A layer for one program. */
export interface NativeLayerFolder {
  /** The path of its folder; absolute. */
  folder: string
  /** The paths of the roots that it lies over, in the order of their numbers. */
  roots: Array<string>
}

/** How much each run may use. An infinite number is no limit. */
export interface NativeLimits {
  /** The memory of all of its processes. */
  memoryBytes?: number
  /** Processes and their threads. */
  processes?: number
  /** The processor time of all of its processes. */
  cpuMs?: number
  /** The size of one file that it writes. */
  fileBytes?: number
  /** What all of its processes write to disk. */
  diskBytes?: number
  /** The descriptors that one process has open. */
  openFiles?: number
}

/** How a session or service is started. */
export interface NativeOpenCall {
  /** Working directory; absolute. */
  cwd: string
  /** Time from SIGTERM to SIGKILL, in milliseconds. */
  graceMs: number
  /** Who decided that it may start: `host`, `approval` or `policy`. */
  warrant: 'host' | 'approval' | 'policy'
  /** The environment: entries `NAME=value`, joined by NUL, since one text crosses faster than many. */
  env: string
  /** Further variables for programs that name git; they replace others of the same name. */
  gitEnv: string
  /** Whether `HOME` is a private empty folder. */
  privateHome: boolean
  /** Whether a private home has the files that those of commands start with. */
  homeFiles: boolean
  /** The confinement of a program that the host names. */
  confine?: NativeConfine
  /** Whether it is a shell whose lines are judged. */
  typed: boolean
  /** The folder of spilled output that it sees, where a caller started it. */
  spill?: NativeSpillFolder
  /** The layer in which it writes, of its own. */
  layer?: NativeLayerFolder
}

/** The process at the other end of a Unix socket. */
export interface NativePeer {
  /** Its id; 0 where it is refused. */
  pid: number
  /** Why it is not talked to: `other_user`, `command` for what a command started, or `unknown`. Absent where it is. */
  refusal?: 'other_user' | 'command' | 'unknown'
}

/** When a read of a session is over. */
export interface NativeRead {
  /** `ready`, `quiet` or `now`; `text`, `pattern`, `port` and `silence` have their value beside it. */
  until: 'ready' | 'quiet' | 'now' | 'text' | 'pattern' | 'port' | 'silence'
  /** The text, or the regular expression. */
  awaited?: string
  /** The port, or the silence in milliseconds. */
  awaitedNumber?: number
  /** Longest duration of the read, in milliseconds. */
  timeoutMs: number
  /** Time without output after a marker that the kernel cannot confirm, in milliseconds. */
  settleMs: number
  /** Time without output after which the program counts as quiet, in milliseconds. */
  quietMs: number
  /** Most bytes of the answer. */
  maxBytes: number
  /** Whether a longer answer keeps its end. */
  keepsEnd?: boolean
  /** Whether a send writes nothing to a program that reads without echo. */
  sparesQuestions?: boolean
  /** Whether a send writes only to the first program of the session. */
  onlyToFirst?: boolean
}

/** An allowed directory. */
export interface NativeRoot {
  /** Its path; absolute. */
  path: string
  /** Whether agents may change files in it. */
  writable: boolean
  /** Whether it may be the root of the file system. */
  allowFilesystemRoot?: boolean
  /**
   * A second path of it, which commands find in their view of the file system. Only where they have one; the machine has
   * nothing at its first name.
   */
  shownAs?: string
  /** Whether refusals do not name it as a place to work in. */
  unnamed?: boolean
}

/** A program of a list, with the arguments that its commands must begin with. */
export interface NativeRule {
  /** Its name, its absolute path, or a place beneath a root. */
  program: string
  /** The arguments that a command must begin with. */
  args?: Array<string>
}

/** How often a rule masked something. */
export interface NativeRuleCount {
  /** The id of the rule. */
  rule: string
  /** How often it masked something. */
  count: number
}

/** What a host decides once for the programs of one owner. */
export interface NativeRunnerConfig {
  /** The programs that may run; any when absent. */
  allow?: Array<NativeRule>
  /** The programs that may not run. */
  deny?: Array<NativeRule>
  /** Uses of programs that are asked about. */
  ask?: Array<NativeRule>
  /** Names of interpreters whose code is not judged. */
  trustInterpreters: Array<string>
  /** The parts of the kernel plan that the host chose. */
  confine: NativeConfine
  /** The way out, where the network is `allow`. */
  wayOut?: NativeWayOut
  /** Whether commands are judged; false only in tests of what the kernel enforces by itself. */
  judging: boolean
  /** `none` where a text must be one plain command, `bash` where it may be a script. */
  shell: 'none' | 'bash'
  /** The folders that programs are found in, the first searched first. */
  path: Array<NativeSearchFolder>
  /** The scripts that stand before the hooks of git, absolute. Programs read their folders under every plan. */
  hooks: Array<string>
  /** The user's home folder, absolute. */
  home?: string
  /** The home folder that the user has for the system, absolute. */
  loginHome?: string
  /** Whether scripts may not write to the built-in list of protected places. */
  writeRules: boolean
  /** Ids of rules of that list that are switched off. */
  lifted: Array<string>
  /** Further protected places; absolute. */
  protectedPaths: Array<string>
  /** Default working directory; absolute. */
  cwd: string
  /** The environment of commands. */
  env: Array<NativeVariable>
  /** Further variables for commands that name git; they replace others of the same name. */
  gitEnv: Array<NativeVariable>
  /** Whether `HOME` is a private empty folder. */
  privateHome: boolean
  /** Time from SIGTERM to SIGKILL, in milliseconds. */
  graceMs: number
  /** Bytes kept from the start of an output. */
  headBytes: number
  /** Bytes kept from its end. */
  tailBytes: number
  /** Most characters of both outputs as one text, for its reader. */
  maxChars?: number
  /** Most bytes of a spill file; 0 makes none. */
  spillBytes: number
  /** About how many tokens the excerpt of both outputs has; 0 makes none. */
  excerptTokens: number
  /** Masks secrets. */
  redactor: NativeRedactor
}

/** A folder of the search path. */
export interface NativeSearchFolder {
  /** Its path. */
  path: string
  /** Whether it is an error that it cannot be used; otherwise it is left out. */
  required: boolean
}

/** Options of a session, beside those of its start. */
export interface NativeSessionOptions {
  /** Characters of a row. */
  columns: number
  /** Rows. */
  rows: number
  /** How many bytes of cleaned text are kept. */
  historyBytes: number
  /** Texts that show that the program is ready for input. */
  markers: Array<string>
  /** Whether the terminal echoes, so that programs that ask for a password are told from others. */
  echoes: boolean
}

/** A folder for output that did not fit into results of one caller. */
export interface NativeSpillFolder {
  /** Its name in the state directory. */
  name: string
  /** Whether the caller's commands see it. */
  shown: boolean
}

/** A variable of the environment. */
export interface NativeVariable {
  /** Its name. */
  name: string
  /** Its value. */
  value: string
}

/** The way out of the network of an owner's programs. */
export interface NativeWayOut {
  /** The hosts that programs reach; `registries` stands for those of the two lists below. */
  allow: Array<string>
  /** Hosts of package registries that the settings of the project name. */
  registries: Array<string>
  /** Hosts of package registries that the machine's own settings name, or the tools by themselves. */
  ownRegistries: Array<string>
  /** How long an answer about a host that no entry names may take, in milliseconds; nobody is asked when absent. */
  answerMs?: number
  /** The port of its proxy, at 127.0.0.1 in the network of programs. */
  proxyPort: number
  /** `HTTPS_PROXY` of the host, or empty. */
  httpsProxy: string
  /** `HTTP_PROXY` of the host, or empty. */
  httpProxy: string
  /** `NO_PROXY` of the host, or empty. */
  noProxy: string
}

/** A place that commands are kept from. */
export interface NativeWithheld {
  /** The guarantee that keeps them from it. */
  guarantee: 'reads' | 'sockets'
  /** Its canonical path. */
  place: string
}

/** Looks at the process at the other end of a connected socket, by the descriptor of the socket. */
export declare function peer(socket: number): NativePeer

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

/** The release of this binding; the loader refuses any other. */
export declare function version(): string
