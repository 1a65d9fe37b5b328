// Generated from crates/reports by `cargo test -p handrail-reports`. Do not edit.

/** A report as it crosses: `read` in `json.ts` reads it. */
export type Json<Report> = string & { readonly report?: Report };

/**
 * What lifts a refusal.
 */
export type Advice = { "kind": "replace", command: string, cwd?: string, } | { "kind": "option", name: 'allow' | 'trustInterpreters', value: AdviceValue, } | { "kind": "approve" };

/**
 * The value of an option, or one more entry of it where it is a list.
 */
export type AdviceValue = string | { program: string, args: Array<string>, };

/**
 * How a read of a session ended.
 */
export type Answer = { 
/**
 * Why it is over.
 */
reason: AnswerReason, 
/**
 * Whether the kernel confirmed that the program waits for input.
 */
confirmed: boolean, 
/**
 * Whether the input was written.
 */
sent: boolean, 
/**
 * Bytes between the last answer and this one that are in the history only.
 */
skippedBytes: number, 
/**
 * Bytes of this answer that are in the history only.
 */
omittedBytes: number, 
/**
 * Secrets masked.
 */
redactions: number, 
/**
 * Where it ends in the history.
 */
cursor: number, };

/**
 * Why a read is over.
 */
export type AnswerReason = "marker" | "quiet" | "timeout" | "limit" | "exited" | "available";

export type Asked = string | Array<string>;

/**
 * A text that was shortened to a head and a tail.
 */
export type BoundedText = { 
/**
 * The text, with a line that counts the omitted part.
 */
text: string, 
/**
 * Whether anything is missing.
 */
truncated: boolean, 
/**
 * Unicode scalar values left out.
 */
omittedChars: number, 
/**
 * UTF-8 bytes left out.
 */
omittedBytes: number, 
/**
 * Line ends left out.
 */
omittedLines: number, };

/**
 * One line of the report on what this machine enforces.
 */
export type Capability = { 
/**
 * The name of a guarantee.
 */
feature: string, 
/**
 * `enforced`, `best-effort` or `unavailable`.
 */
level: 'enforced' | 'best-effort' | 'unavailable', 
/**
 * What makes it so.
 */
detail: string, 
/**
 * What would make it better.
 */
fix?: string, };

/**
 * What is missing in each text; absent where nothing is.
 */
export type Cuts = { 
/**
 * Missing in standard output.
 */
stdout?: TextCut, 
/**
 * Missing in standard error.
 */
stderr?: TextCut, 
/**
 * Missing in both outputs as one text.
 */
output?: TextCut, };

/**
 * What the policy says about a command, with every reason.
 */
export type Decision = { 
/**
 * `allow`, `ask` or `deny`.
 */
decision: 'allow' | 'ask' | 'deny', 
/**
 * Never empty.
 */
reasons: Array<Reason>, };

/**
 * Why an allowed program must not be started.
 */
export type Denial = { 
/**
 * Stable id of the rule.
 */
rule: string, 
/**
 * One sentence.
 */
message: string, };

/**
 * A TOML document: its entries, or why it is none.
 */
export type Document = { 
/**
 * In the order of their names; what is in a table has the table's name before its own, with a dot between them.
 */
entries: Array<Entry>, 
/**
 * Why it is no TOML.
 */
problem?: Problem, };

/**
 * How a program ended.
 */
export type End = { 
/**
 * What went wrong on our side, or kept the program from starting.
 */
failure?: Failure, 
/**
 * Processes that could not be ended; null where nobody could look.
 */
survivors: Array<Process> | null, 
/**
 * Processes that still ran when the program had ended, and were ended.
 */
leftovers: Array<Process>, 
/**
 * What the kernel enforced, a short line per mechanism.
 */
sandbox: Array<string>, } & ({ "status": "exited", 
/**
 * Its exit code.
 */
exitCode: number, } | { "status": "signaled", 
/**
 * The name of the signal, such as `SIGSEGV`.
 */
signal: string, } | { "status": "timed_out" } | { "status": "cancelled" } | { "status": "spawn_failed" });

export type Entry = { key: string, 
/**
 * From 1.
 */
line: number, 
/**
 * `text`, `number`, `boolean`, `list` of these, or `other`.
 */
kind: 'text' | 'number' | 'boolean' | 'list' | 'other', 
/**
 * One, or those of the list.
 */
values: Array<string>, };

/**
 * What an engine tells its host. Texts and bytes are beside it.
 */
export type Event = { "kind": "output", 
/**
 * The run.
 */
id: number, 
/**
 * Where it was written.
 */
stream: Stream, } | { "kind": "data", 
/**
 * The service.
 */
id: number, } | { "kind": "answered", 
/**
 * The session.
 */
id: number, 
/**
 * How that went.
 */
reply: Reply, } | { "kind": "written", 
/**
 * The program.
 */
id: number, 
/**
 * How that went.
 */
reply: Reply, } | { "kind": "done", 
/**
 * The program.
 */
id: number, 
/**
 * How it went.
 */
report: RunReport, } | { "kind": "closed" };

/**
 * Lines that were chosen from an output.
 */
export type Excerpt = { 
/**
 * The chosen lines, with a line for each gap.
 */
text: string, 
/**
 * Lines of the whole text.
 */
totalLines: number, 
/**
 * Lines that are in `text`.
 */
shownLines: number, };

/**
 * What went wrong on our side, or kept a program from starting.
 */
export type Failure = { 
/**
 * Stable.
 */
code: FailureCode, 
/**
 * With the code `spawn`.
 */
stage?: StartStage, 
/**
 * For people; holds no secret of ours.
 */
message: string, };

/**
 * The one table of these codes: runs, sessions, services and servers of tools have them from here.
 */
export type FailureCode = "program_not_found" | "interpreter_not_found" | "not_found" | "not_a_directory" | "unreadable" | "system" | "spawn" | "busy" | "input_failed" | "worker_lost" | "supervisor_lost" | "internal";

/**
 * The text that the reader gets.
 */
export type Fitted = { 
/**
 * Absent when it equals the given text.
 */
text?: string, cut?: TextCut, 
/**
 * How many masks the text has.
 */
masks: number, };

/**
 * What a session wrote so far.
 */
export type History = { 
/**
 * As far as it is kept.
 */
text: string, 
/**
 * Absolute position of its first byte.
 */
start: number, 
/**
 * Of its end.
 */
end: number, 
/**
 * Bytes before `start` that were asked for and are not kept any more.
 */
droppedBytes: number, };

/**
 * What a program that has ended wrote since the last answer.
 */
export type LastAnswer = { 
/**
 * How the read ended.
 */
answer: Answer, 
/**
 * What it wrote.
 */
text: string, };

export type Listed = { program: string, args?: Array<string>, };

/**
 * The words of a command that may name files.
 */
export type NamedWords = { 
/**
 * Without their quotes, and parts of them that may be paths.
 */
words: Array<string>, 
/**
 * The command can name no other file: it has no variable, pattern or text in another language.
 */
areComplete: boolean, };

/**
 * What the kernel holds commands to, by the names of its options.
 */
export type Plan = { 
/**
 * Where they may write.
 */
writes: 'roots' | 'none' | 'any', 
/**
 * What they may start.
 */
exec: 'listed' | 'any', 
/**
 * What they may reach.
 */
network: 'none' | 'any', 
/**
 * Whether they may remove files.
 */
remove: 'yes' | 'no' | 'no-truncate', 
/**
 * Names of the programs that are listed.
 */
programs: Array<string>, 
/**
 * Canonical directories of the roots that may be written beneath.
 */
writable: Array<string>, };

export type Problem = { line: number, reason: string, };

/**
 * A process by id and name.
 */
export type Process = { 
/**
 * May be that of another process by now.
 */
pid: number, 
/**
 * The name that the kernel knew it by.
 */
program: string, };

/**
 * A command, and what it is judged by.
 */
export type Question = { command: Asked, 
/**
 * Whether a text may be a script.
 */
script: boolean, allow?: Array<Listed>, deny?: Array<Listed>, trustInterpreters: Array<string>, 
/**
 * Directories programs are found in.
 */
path: Array<string>, home?: string, 
/**
 * Names of the variables that commands find.
 */
environment: Array<string>, directory?: string, 
/**
 * Directories that may be written beneath. None: anywhere.
 */
roots?: Array<string>, };

/**
 * A text, what is missing in it already, and how much of it a reader gets.
 */
export type Reading = { text: string, maxChars: number, cut?: TextCut, };

/**
 * One finding of the policy. Secrets in its texts are masked: they may quote the command.
 */
export type Reason = { 
/**
 * Stable id of the rule.
 */
rule: string, 
/**
 * UTF-16 offsets of the start and the end of the text that it concerns.
 */
span: [number, number], 
/**
 * The program that it concerns.
 */
program?: string, 
/**
 * One sentence.
 */
message: string, 
/**
 * What to do instead.
 */
hint?: string, 
/**
 * What lifts it. An option with a masked secret in it would lift nothing, and is left out.
 */
advice?: Array<Advice>, };

/**
 * What a redactor looks for.
 */
export type RedactorOptions = { secrets?: Array<Secret>, substrings?: Array<string>, patterns?: Array<string>, 
/**
 * `default`, `none` or `only`, which takes the rules that `ruleIds` names.
 */
rules?: 'default' | 'none' | 'only', ruleIds?: Array<string>, ruleFiles?: Array<RuleFile>, minSecretLength?: number, label?: boolean, };

/**
 * What became of a request to a session or a service.
 */
export type Reply = { 
/**
 * The number it came with.
 */
request: number, 
/**
 * Why it was not served.
 */
error?: RequestError, 
/**
 * What a session wrote; its text is beside this.
 */
answer?: Answer, };

/**
 * Why a request was not served.
 */
export type RequestError = { 
/**
 * The code of the error that the caller gets.
 */
code: 'ERR_BUSY' | 'ERR_CLOSED' | 'ERR_INVALID_ARGUMENT', 
/**
 * For people.
 */
message: string, };

export type RuleFile = { name: string, toml: string, };

/**
 * A list of rules: each rule as its words, or why it is none.
 */
export type RuleList = { rules: Array<Array<string>>, 
/**
 * To be read after the name of the list.
 */
problem?: string, };

/**
 * How a run went, without its texts.
 */
export type RunReport = { 
/**
 * How it ended.
 */
end: End, 
/**
 * Counts of its outputs.
 */
streams: Streams, 
/**
 * The most informative lines of both outputs, where they were asked for and not all lines fit.
 */
excerpt?: Excerpt, 
/**
 * The file with the whole output, where that did not fit.
 */
spill?: Spill, 
/**
 * How many secrets were masked.
 */
redactions: number, 
/**
 * Time from the request to the end, in milliseconds.
 */
durationMs: number, 
/**
 * The processor time and memory of the program and its descendants.
 */
usage: Usage, };

export type Secret = { name: string, value: string, };

/**
 * A file with an output that did not fit.
 */
export type Spill = { 
/**
 * Absolute.
 */
path: string, 
/**
 * Its size.
 */
bytes: number, 
/**
 * False when its limit cut it.
 */
complete: boolean, };

/**
 * What became of a request to start a program.
 */
export type Start = { 
/**
 * What the policy says.
 */
decision: Decision, 
/**
 * Whether it runs.
 */
started: boolean, 
/**
 * Why an allowed program must not be started.
 */
denial?: Denial, 
/**
 * Why it cannot be.
 */
failure?: Failure, };

/**
 * The steps of starting a program, in their order.
 */
export type StartStage = "request" | "fork" | "confine" | "directory" | "terminal" | "streams" | "execute";

/**
 * One of a command's two outputs.
 */
export type Stream = "stdout" | "stderr";

/**
 * Counts of the outputs, in bytes.
 */
export type Streams = { 
/**
 * Bytes that the command wrote to its standard output.
 */
stdoutBytes: number, 
/**
 * Bytes that the command wrote to its standard error.
 */
stderrBytes: number, 
/**
 * Bytes kept of both outputs.
 */
keptBytes: number, 
/**
 * Bytes left out of both outputs.
 */
omittedBytes: number, 
/**
 * What is missing in each text.
 */
cuts: Cuts, };

/**
 * How much of a text is kept.
 */
export type TextBounds = { 
/**
 * The unit of `head` and `tail`.
 */
unit: TextUnit, 
/**
 * Kept from the beginning.
 */
head: number, 
/**
 * Kept from the end.
 */
tail: number, 
/**
 * Characters kept of a line.
 */
maxLineChars?: number, };

/**
 * What is missing in a text, and where its notice about that is.
 */
export type TextCut = { 
/**
 * What its notice counts first.
 */
unit: TextUnit, bytes: number, chars: number, lines: number, 
/**
 * Where the notice is in the text, in UTF-16 units.
 */
notice: readonly [start: number, end: number], };

/**
 * Lines that were chosen from a text.
 */
export type TextExcerpt = { 
/**
 * Whether anything is missing.
 */
truncated: boolean, 
/**
 * The chosen lines, with a line for each gap.
 */
text: string, 
/**
 * Lines of the whole text.
 */
totalLines: number, 
/**
 * Lines that are in `text`.
 */
shownLines: number, };

/**
 * A unit in which texts are measured.
 */
export type TextUnit = "bytes" | "chars" | "lines";

/**
 * The processor time and memory of a program and its descendants.
 */
export type Usage = { 
/**
 * Processor time in user mode, in milliseconds.
 */
userMs: number, 
/**
 * Processor time in the kernel, in milliseconds.
 */
systemMs: number, 
/**
 * Largest resident size of a single process, in bytes.
 */
maxRssBytes: number, };
