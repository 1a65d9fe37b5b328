/**
 * The public surface of Handrail. Names are listed one by one: what is not here is internal.
 *
 * @module handrail
 */
export type { AuditListener } from './audit/listeners.js';
export {
  type AuditDetail,
  type AuditRecord,
  type CallFacts,
  type CommandDetail,
  type CustomDetail,
  type FileDetail,
  type JobDetail,
  MAX_AUDIT_CHARS,
  type McpDetail,
  type MessageDetail,
  type NetworkContact,
  type RefusedDetail,
  type SessionDetail,
} from './audit/record.js';
export type {
  Bus,
  BusHandler,
  BusMessage,
  BusReadBlockingOptions,
  BusReadOptions,
  Delivery,
  Published,
  PublishOptions,
  SubscribeOptions,
  Subscription,
} from './bus/bus.js';
export {
  MessageEnvelope,
  type MessageEnvelopeError,
  type MessageEnvelopeIssue,
  type MessageEnvelopeResult,
  type MessageEnvelopeSchema,
} from './bus/envelope.js';
export {
  MAX_BUS_READERS,
  MAX_CONTENT_BYTES,
  MAX_ENVELOPE_BYTES,
} from './bus/limits.js';
export { MemoryBus, type MemoryBusOptions } from './bus/memory.js';
export { RedisBus, type RedisBusOptions } from './bus/redis.js';
export type { SentMessage } from './bus/send.js';
export { AGTerm, type AGTermOptions, type AGTermReadOptions } from './compat/agterm.js';
export { getBus, type SendMessageOptions, sendMessage, setBusForTesting } from './compat/chat.js';
export {
  BASH_TIMEOUT_SECS,
  buildResponse,
  builtinToolDefs,
  type ExecutorResult,
  MAX_BASH_OUTPUT,
  MAX_READ_OUTPUT,
  type OutgoingMessage,
  type ToolDef,
  toolsEnabled,
} from './compat/executor-tools.js';
export {
  type DirectoryListing,
  FilesystemTool,
  type FilesystemToolArguments,
  type FilesystemToolOptions,
} from './compat/filesystem-tool.js';
export type { FunctionDescription, FunctionSchema, JsonSchema } from './compat/function-schema.js';
export { terminalRun } from './compat/terminal-function.js';
export {
  DEFAULT_TERMINAL_FUNCTION_OUTPUT_MAX_CHARS,
  DEFAULT_TERMINAL_OUTPUT_CAP_BYTES,
  DEFAULT_TERMINAL_TIMEOUT_SECONDS,
  loadTerminalPolicyFromEnv,
  type TerminalPolicy,
} from './compat/terminal-policy.js';
export {
  DEFAULT_BLACKLIST,
  TerminalTool,
  type TerminalToolArguments,
  type TerminalToolOptions,
  type TerminalToolResult,
} from './compat/terminal-tool.js';
export { ToolError } from './compat/tool-error.js';
export { ToolExecutor, type ToolExecutorOptions } from './compat/tool-executor.js';
export { isWriteBlocked } from './compat/write-block.js';
export {
  HandrailError,
  type HandrailErrorCode,
  type HandrailErrorData,
  type HandrailErrorOptions,
  isHandrailError,
} from './errors.js';
export type {
  ChangedFile,
  ChangeHistory,
  ChangeRecord,
  CommittedLayer,
  DiffOmission,
  EditedFile,
  FileDiff,
  FileEncoding,
  FileEntry,
  FileMatches,
  FileNewline,
  FileRefusal,
  FoundFiles,
  FoundLine,
  FoundLines,
  LayerChange,
  LayerChangeKind,
  LayerChanges,
  LayerConflict,
  LayerConflictReason,
  LayerEntryType,
  LayerPaths,
  LeftOutFiles,
  ListedDirectory,
  PatchedFile,
  PatchedFiles,
  ReadFile,
  ReplacedPlace,
  SearchStop,
  SkippedFiles,
  StatedFile,
  TakenFor,
  UndoneChanges,
  WrittenFile,
} from './files/answers.js';
export type {
  Edit,
  EditOptions,
  GlobOptions,
  GrepOptions,
  HistoryOptions,
  ListOptions,
  PatchOptions,
  ReadOptions,
  SearchOptions,
  UndoOptions,
  WriteOptions,
} from './files/call.js';
export type { ChangesOptions } from './files/changes.js';
export { Files } from './files/files.js';
export {
  DEFAULT_CHANGES_BYTES,
  DEFAULT_CHANGES_DAYS,
  DEFAULT_DIRECTORY_ENTRIES,
  DEFAULT_MAX_READ_BYTES,
  DEFAULT_READ_LINES,
  MAX_CHANGES,
  MAX_DIRECTORY_ENTRIES,
  MAX_EDITS,
  MAX_LIST_DEPTH,
  MAX_PATCH_CHARS,
  MAX_PATCH_FILES,
  MAX_READ_BYTES,
  MAX_READ_LINES,
} from './files/limits.js';
export type { FileGuardOptions, FilesOptions } from './files/options.js';
export type {
  FileAnswer,
  FileData,
  FileEditData,
  FileGlobData,
  FileGrepData,
  FileHistoryData,
  FileListData,
  FileOperation,
  FilePatchData,
  FileReadData,
  FileStatData,
  FileUndoData,
  FileWriteData,
  RefusedFile,
} from './files/results.js';
export type { Job } from './jobs/job.js';
export type { Jobs } from './jobs/jobs.js';
export { DEFAULT_JOB_MS, MAX_ENDED_JOBS, MAX_JOB_HISTORY_BYTES, MAX_UNREAD_INPUT_BYTES } from './jobs/limits.js';
export type { JobOptions, JobWaitOptions } from './jobs/options.js';
export type { JobOutput, JobReason } from './jobs/output.js';
export type {
  McpBlock,
  McpData,
  McpError,
  McpMedia,
  McpResource,
  McpResourceLink,
  McpStatus,
  McpText,
  McpUnreadable,
} from './mcp/data.js';
export type { McpServerInfo, McpServerState } from './mcp/server-info.js';
export type { McpServerOptions } from './mcp/server-options.js';
export type { McpToolChange, McpToolPart, McpToolsChange } from './mcp/tool-set.js';
export type { ServedMcpHttp, ServeMcpHttpOptions, ServeTlsOptions } from './mcp-server/http-options.js';
export { serveMcp } from './mcp-server/serve.js';
export { serveMcpHttp } from './mcp-server/serve-http.js';
export type { ServeMcpOptions } from './mcp-server/serve-options.js';
export type { ProjectPackage } from './presets/packages.js';
export type { ProjectKind } from './presets/preset.js';
export type { Project, ProjectOption } from './presets/project.js';
export type { TextCut } from './redaction/fit.js';
export type { Finding } from './redaction/marks.js';
export {
  DEFAULT_MIN_SECRET_LENGTH,
  MAX_MIN_SECRET_LENGTH,
  MAX_PATTERN_CHARS,
  MAX_REDACTION_ENTRIES,
  type RedactorOptions,
} from './redaction/options.js';
export { readRuleFile } from './redaction/read-rule-file.js';
export { Redactor } from './redaction/redactor.js';
export { MAX_RULE_FILE_BYTES, MAX_RULE_FILES, type RuleFile } from './redaction/rule-file.js';
export type { RedactionStream } from './redaction/stream.js';
export {
  type BoundedText,
  type BoundOptions,
  boundOutput,
  type Excerpt,
  type ExcerptOptions,
  excerptOutput,
  MAX_OUTPUT_CHARS,
  sanitize,
  stripAnsi,
  truncateOutput,
} from './redaction/text.js';
export type {
  Advice,
  AdvisedUse,
  ApproveAdvice,
  LimitAdvice,
  OptionAdvice,
  OptionName,
  ReplaceAdvice,
} from './report/advice.js';
export type { Blocked } from './report/blocked.js';
export type { Decision, Denial, Reason } from './report/decision.js';
export type { EndReport, Failure, FailureCode, LiveEnd, SandboxReport, StartStage } from './report/end.js';
export type { LimitMet } from './report/limit.js';
export type {
  CancelledCommand,
  CommandReport,
  CommandResult,
  CommandStatus,
  DeniedCommand,
  ExitedCommand,
  FailedCommand,
  LimitedCommand,
  SignaledCommand,
  Spill,
  TimedOutCommand,
} from './report/result.js';
export type { StagedChanges, StagedConflict } from './report/staged.js';
export type { ProcessNote, Survivors } from './report/survivors.js';
export type { AttachMode, SessionAttachment } from './session/attachment.js';
export {
  DEFAULT_COLUMNS,
  DEFAULT_HISTORY_BYTES,
  DEFAULT_QUIET_MS,
  DEFAULT_ROWS,
  DEFAULT_SESSION_OUTPUT_BYTES,
  DEFAULT_SESSION_TIMEOUT_MS,
  DEFAULT_SETTLE_MS,
  MAX_HISTORY_BYTES,
  MAX_READY_MARKER_BYTES,
  MAX_READY_MARKERS,
  MAX_SESSION_INPUT_BYTES,
  MAX_SESSION_TIMEOUT_MS,
  MAX_TERMINAL_SIZE,
  MAX_WAITING_READS,
} from './session/limits.js';
export type { SessionAwaited, SessionOptions, SessionReadOptions } from './session/options.js';
export type {
  SessionCommand,
  SessionCursor,
  SessionHistory,
  SessionOutput,
  SessionReason,
  SessionScreen,
} from './session/output.js';
export type {
  QuestionedSession,
  SecretValue,
  SentSecret,
  SessionQuestion,
} from './session/questions.js';
export type { RecordOptions } from './session/record-options.js';
export type { Session, SessionEnd } from './session/session.js';
export type { Sessions } from './session/sessions.js';
export type {
  SessionScreenUpdate,
  SessionTextUpdate,
  SessionUpdate,
  SessionUpdates,
  SessionWatchOptions,
} from './session/watch.js';
export type { Approval, ApprovalQuestion, ApprovalRequest, Approve } from './terminal/approval.js';
export type { OutputChunk, RunOptions, StreamOptions } from './terminal/call.js';
export type { Capability, CapabilityReport, ReportedRegistry } from './terminal/capabilities.js';
export type { ConfineOptions, Guarantee, NetworkAllowList, NetworkOption } from './terminal/confine.js';
export type { EnvironmentOptions } from './terminal/environment.js';
export { type ExplainOptions, explain } from './terminal/explain.js';
export type { ForwardedPort, ForwardOptions } from './terminal/forward.js';
export type { GitOptions } from './terminal/git-hooks.js';
export type { StdinPiece, StdinSource } from './terminal/input.js';
export type { LimitOptions } from './terminal/limit-options.js';
export {
  DEFAULT_GRACE_MS,
  DEFAULT_HEAD_BYTES,
  DEFAULT_MAX_JOBS,
  DEFAULT_MAX_SERVICES,
  DEFAULT_MAX_SESSIONS,
  DEFAULT_SPILL_BYTES,
  DEFAULT_SPILL_TOTAL_BYTES,
  DEFAULT_TAIL_BYTES,
  DEFAULT_TIMEOUT_MS,
  MAX_ENVIRONMENT_ENTRIES,
  MAX_GRACE_MS,
  MAX_KEPT_BYTES,
  MAX_LIST_ENTRIES,
  MAX_LIVE_PROGRAMS,
  MAX_RULE_ARGUMENTS,
  MAX_SPILL_BYTES,
  MAX_SPILL_TOTAL_BYTES,
  MAX_START_MS_PER_TURN,
  MAX_STARTS_PER_TURN,
  MAX_STDIN_BYTES,
  MAX_TIMEOUT_MS,
  MAX_WORKERS,
} from './terminal/limits.js';
export type {
  OutputOptions,
  Root,
  TerminalOptions,
} from './terminal/options.js';
export type { Rule } from './terminal/rule.js';
export type { PathOptions } from './terminal/search-path.js';
export type { CommandStream } from './terminal/stream.js';
export type { TemplateValue } from './terminal/template.js';
export { Terminal } from './terminal/terminal.js';
export {
  createToolkit,
  type JobListener,
  type QuestionListener,
  type StagedLayer,
  type Toolkit,
  type ToolkitMcp,
  type ToolsListener,
  type Transaction,
  type TransactionChangesOptions,
  type TransactionCommitOptions,
} from './toolkit.js';
export type { ToolkitChatOptions } from './tools/chat-options.js';
export type {
  ArgumentSchema,
  BooleanSchema,
  FieldsOf,
  ListSchema,
  NumberSchema,
  ObjectSchema,
  RequiredNames,
  TextSchema,
  ValueOf,
} from './tools/custom-schema.js';
export { type CustomTool, type CustomToolCall, type CustomToolOptions, defineTool } from './tools/custom-tool.js';
export type {
  CallContext,
  CallDecision,
  CommandData,
  CustomData,
  JobData,
  ListedJob,
  MessageData,
  ParametersSchema,
  SentMessageData,
  SessionData,
  ToolAnnotations,
  ToolData,
  ToolDefinition,
  ToolRefusal,
  ToolResult,
  UnsentMessageData,
} from './tools/definition.js';
export {
  DEFAULT_CUSTOM_TIMEOUT_MS,
  DEFAULT_RESULT_CHARS,
  MAX_COMMAND_CHARS,
  MAX_PATH_CHARS,
  MAX_RESULT_CHARS,
  MIN_RESULT_CHARS,
} from './tools/limits.js';
export type { TelemetryOptions } from './tools/telemetry-options.js';
export type {
  AuditFileOptions,
  ToolkitLimits,
  ToolkitOptions,
  ToolkitTerminalOptions,
} from './tools/toolkit-options.js';
