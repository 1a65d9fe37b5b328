// Generated from crates/reports by `cargo test -p handrail-reports`. Do not edit.

/** A report as it crosses: `read` in `json.ts` reads it. */
export type Json<Report> = string & { readonly report?: Report };

/**
 * A call, an option or an approval that lifts a reason.
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
 * Why the read is over.
 */
reason: AnswerReason, 
/**
 * Whether the kernel confirmed that the program waits for input.
 */
confirmed: boolean, 
/**
 * Whether what the read waited for came. Absent where the read waited for readiness alone.
 */
matched?: boolean, 
/**
 * What a shell that marks its commands has said about the one that was sent.
 */
command?: CommandEnd, 
/**
 * Whether the input of a send was written.
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
 * How many secrets were masked.
 */
redactions: number, 
/**
 * What the program shows. Absent where its output is lines.
 */
screen?: Screen, 
/**
 * The line that the program reads without echo.
 */
question?: SecretQuestion, 
/**
 * The position in the history at which the answer ends.
 */
cursor: number, };

/**
 * Why a read is over.
 */
export type AnswerReason = "marker" | "quiet" | "idle" | "matched" | "timeout" | "limit" | "exited" | "available";

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
 * The reason.
 */
detail: string, 
/**
 * What the host can do about it.
 */
fix?: string, };

/**
 * What is known about a command that was sent to a shell.
 */
export type CommandEnd = { 
/**
 * The exit status, where the shell has said it.
 */
status: number | null, 
/**
 * Milliseconds from the input to the end of the command, or of the read.
 */
durationMs: number, };

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
 * The decision of the policy about a command, with every reason.
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
 * The rule that forbids the start of an allowed program.
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
 * The entries of a TOML document, or the problem for which it is none.
 */
export type Document = { 
/**
 * The entries in the order of their names. The name of an entry in a table begins with the name of the table and a dot.
 */
entries: Array<Entry>, 
/**
 * Present when the text is no TOML.
 */
problem?: Problem, };

/**
 * How a program ended.
 */
export type End = { 
/**
 * Present when the program could not be started, or Handrail failed.
 */
failure?: Failure, 
/**
 * Processes that could not be ended; null where the worker and the supervisor that would know are gone.
 */
survivors: Array<Process> | null, 
/**
 * Processes that still ran when the program itself had ended, and were then ended.
 */
leftovers: Array<Process>, 
/**
 * What the kernel enforced, a short line for each mechanism.
 */
sandbox: Array<string>, } & ({ "status": "exited", 
/**
 * Its exit code.
 */
exitCode: number, } | { "status": "signaled", 
/**
 * The name of the signal, such as `SIGSEGV`.
 */
signal: string, } | { "status": "timed_out" } | { "status": "limited", 
/**
 * Which one.
 */
limit: LimitReport, } | { "status": "cancelled" } | { "status": "spawn_failed" });

export type Entry = { key: string, 
/**
 * The number of its line, from 1.
 */
line: number, 
/**
 * The kind of its value: `text`, `number`, `boolean`, a `list` of these, or `other`.
 */
kind: 'text' | 'number' | 'boolean' | 'list' | 'other', 
/**
 * The value as text; for a list, its elements.
 */
values: Array<string>, };

/**
 * An event of an engine. Its texts or bytes cross beside it.
 */
export type Event = { "kind": "output", 
/**
 * The id of the run.
 */
id: number, 
/**
 * The output that it was written to.
 */
stream: Stream, } | { "kind": "data", 
/**
 * The id of the service.
 */
id: number, } | { "kind": "answered", 
/**
 * The id of the session.
 */
id: number, 
/**
 * The reply.
 */
reply: Reply, } | { "kind": "written", 
/**
 * The id of the program.
 */
id: number, 
/**
 * The reply.
 */
reply: Reply, } | { "kind": "done", 
/**
 * The id of the program.
 */
id: number, 
/**
 * The report on it.
 */
report: RunReport, } | { "kind": "connected", 
/**
 * The number of the request.
 */
id: number, 
/**
 * The descriptor of the connected socket, which the receiver closes.
 */
descriptor: number | null, 
/**
 * Why there is none.
 */
message: string | null, } | { "kind": "closed" };

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
 * Why a program could not be started, or how Handrail failed.
 */
export type Failure = { 
/**
 * The stable code.
 */
code: FailureCode, 
/**
 * The refused step of the start; present with the code `spawn`.
 */
stage?: StartStage, 
/**
 * For people.
 */
message: string, };

/**
 * The codes of failures. Runs, sessions, services and MCP servers share them.
 */
export type FailureCode = "program_not_found" | "interpreter_not_found" | "not_found" | "not_a_directory" | "unreadable" | "system" | "spawn" | "busy" | "input_failed" | "worker_lost" | "supervisor_lost" | "loader_run" | "internal";

/**
 * A text, what is missing in it already, and how much of it a reader gets.
 */
export type FitQuestion = { text: string, maxChars: number, cut?: TextCut, };

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
 * What is new to somebody who looks on.
 */
export type Glimpse = { 
/**
 * Cleaned and masked.
 */
text: string, 
/**
 * Whether the text begins with the unfinished line that was given before, which has changed.
 */
replacesLine: boolean, 
/**
 * How many characters the cursor is left of the text's end.
 */
back: number, 
/**
 * The picture of a full-screen program, where it has changed.
 */
screen?: Screen, 
/**
 * Whether output is a picture now.
 */
fullScreen: boolean, 
/**
 * Bytes before the text that are not kept any more.
 */
skippedBytes: number, 
/**
 * The position of the text's end.
 */
cursor: number, };

/**
 * The output of a session so far.
 */
export type History = { 
/**
 * The text that is kept.
 */
text: string, 
/**
 * The absolute position of its first byte.
 */
start: number, 
/**
 * The absolute position of its end.
 */
end: number, 
/**
 * Bytes before `start` that were asked for and are not kept any more.
 */
droppedBytes: number, };

/**
 * A question about a host that no entry of an allow list names.
 */
export type HostQuestion = { 
/**
 * The number of the question, for the answer.
 */
number: number, 
/**
 * The host, in its canonical form.
 */
host: string, 
/**
 * The port.
 */
port: number, 
/**
 * What kind of address it is, with its article, where it is one that leads into the machine's own network.
 */
kind?: string, };

/**
 * The output since the last answer, of a program that has ended.
 */
export type LastAnswer = { 
/**
 * How the read ended.
 */
answer: Answer, 
/**
 * The output.
 */
text: string, };

/**
 * A limit that a program met.
 */
export type LimitReport = { 
/**
 * Which one.
 */
name: 'memoryBytes' | 'processes' | 'cpuMs' | 'fileBytes' | 'diskBytes' | 'openFiles', 
/**
 * The limit, in the unit of its name.
 */
value: number, 
/**
 * How much was used when that was seen, where it was counted.
 */
used?: number, };

export type ListedProgram = { program: string, args?: Array<string>, };

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
 * A host that programs asked for, and what became of that.
 */
export type NetworkContact = { 
/**
 * The host, in its canonical form. Absent for a request that named none.
 */
host?: string, 
/**
 * The port.
 */
port?: number, 
/**
 * `reached`, `refused`, or `failed` where the host is not there or something did not come in time.
 */
outcome: 'reached' | 'refused' | 'failed', 
/**
 * Why it was not reached, as a sentence without its full stop.
 */
message?: string, 
/**
 * The entry of the allow list that lifts it.
 */
entry?: string, 
/**
 * How often.
 */
times: number, };

/**
 * A kernel plan, by the names of its options.
 */
export type Plan = { 
/**
 * Where commands may write.
 */
writes: 'roots' | 'none' | 'any', 
/**
 * Which programs they may start.
 */
exec: 'listed' | 'any', 
/**
 * What they may connect to.
 */
network: 'none' | 'loopback' | 'allow' | 'any', 
/**
 * Whether they may remove files.
 */
remove: 'yes' | 'no' | 'no-truncate', 
/**
 * What they may read.
 */
reads: 'protected' | 'roots' | 'any', 
/**
 * Names of the programs that are listed.
 */
programs: Array<string>, 
/**
 * Canonical paths of the roots that they may write to.
 */
writable: Array<string>, };

export type Problem = { line: number, reason: string, };

/**
 * A process by id and name.
 */
export type Process = { 
/**
 * Its process id, which may be that of another process by now.
 */
pid: number, 
/**
 * The name of its program in the kernel.
 */
program: string, };

/**
 * A command, and the lists and paths that it is judged by.
 */
export type Question = { command: QuestionCommand, 
/**
 * Whether a text may be a script.
 */
script: boolean, allow?: Array<ListedProgram>, deny?: Array<ListedProgram>, ask?: Array<ListedProgram>, trustInterpreters: Array<string>, 
/**
 * The directories that programs are found in.
 */
path: Array<string>, home?: string, 
/**
 * The names of the variables in the environment of commands.
 */
environment: Array<string>, directory?: string, 
/**
 * The directories that commands may write to; any when absent.
 */
roots?: Array<string>, };

export type QuestionCommand = string | Array<string>;

/**
 * One reason of a decision. Its texts may quote the command, so secrets in them are masked.
 */
export type Reason = { 
/**
 * Stable id of the rule.
 */
rule: string, 
/**
 * The part of the command that it concerns: UTF-16 offsets of its start and its end.
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
 * Advice that lifts the reason. Advice with a masked secret in it would lift nothing, and is left out.
 */
advice?: Array<Advice>, };

/**
 * The options of a redactor.
 */
export type RedactorOptions = { secrets?: Array<Secret>, substrings?: Array<string>, patterns?: Array<string>, 
/**
 * `default`, `none` or `only`, which takes the rules that `ruleIds` names.
 */
rules?: 'default' | 'none' | 'only', ruleIds?: Array<string>, ruleFiles?: Array<RuleFile>, minSecretLength?: number, label?: boolean, };

/**
 * The reply to a request to a session or a service.
 */
export type Reply = { 
/**
 * The number of the request.
 */
request: number, 
/**
 * Why it was not served.
 */
error?: RequestError, 
/**
 * The answer of a session. Its text crosses beside the event.
 */
answer?: Answer, };

/**
 * Why a request was not served.
 */
export type RequestError = { 
/**
 * The stable code of the error that the caller gets.
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

/**
 * What a terminal shows.
 */
export type Screen = { 
/**
 * The rows.
 */
text: string, 
/**
 * Where the cursor is.
 */
cursor: ScreenCursor, 
/**
 * Whether a full-screen program paints it. Otherwise it is the end of the lines that were written.
 */
fullScreen: boolean, 
/**
 * How many secrets were masked.
 */
redactions: number, };

/**
 * The cursor of a terminal.
 */
export type ScreenCursor = { 
/**
 * The row, counted from 1.
 */
row: number, 
/**
 * The column, counted from 1.
 */
column: number, 
/**
 * Whether it is shown.
 */
visible: boolean, };

/**
 * A folder that programs are found in, or one that was left out.
 */
export type SearchFolder = { 
/**
 * Its path, canonical where it is in use.
 */
path: string, 
/**
 * Why it is not in use.
 */
leftOut: 'relative' | 'absent' | 'commands' | 'others', };

export type Secret = { name: string, value: string, };

/**
 * A line, such as a password, that a program reads with the echo of its terminal turned off.
 */
export type SecretQuestion = { 
/**
 * Counts the questions of the session.
 */
number: number, 
/**
 * The executable file of the process that waits, where the kernel names it.
 */
program?: string, 
/**
 * The arguments of this process, joined with blanks; not masked.
 */
command: string, };

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
 * The report on a request to start a program.
 */
export type Start = { 
/**
 * The decision of the policy.
 */
decision: Decision, 
/**
 * Whether the program was started.
 */
started: boolean, 
/**
 * Present when a rule forbids the start of an allowed program.
 */
denial?: Denial, 
/**
 * Present when the start failed.
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
 * How much of a text is missing, and where the text says so: the notice, as in `[… 12 lines left out …]`.
 */
export type TextCut = { 
/**
 * The unit of the first number in the notice.
 */
unit: TextUnit, bytes: number, chars: number, lines: number, 
/**
 * Where the notice is in the text, in UTF-16 units.
 */
notice: readonly [start: number, end: number], };

/**
 * What the reader of a long text gets.
 */
export type TextDigest = { 
/**
 * The chosen lines.
 */
excerpt: Excerpt, 
/**
 * The file with the whole text.
 */
spill?: Spill, };

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
