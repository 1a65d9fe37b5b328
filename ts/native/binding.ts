/**
 * The types of the native binding. They are generated: those of classes and of their arguments from `crates/node`, those of
 * reports, which cross as JSON, from `crates/reports`.
 */
import type * as generated from './generated.js';
import type { Event, Json, RedactorOptions, RunReport } from './reports.js';

export type {
  NativeCall,
  NativeChangesConfig,
  NativeConfine,
  NativeEngine,
  NativeEngineOptions,
  NativeFiles,
  NativeFilesConfig,
  NativeJudgedCommand,
  NativeLayerFolder,
  NativeOpenCall,
  NativePattern,
  NativeRead,
  NativeRedactStream,
  NativeRoot,
  NativeRoots,
  NativeRule,
  NativeRunner,
  NativeRunnerConfig,
  NativeSearchFolder,
  NativeService,
  NativeSession,
  NativeSessionOptions,
  NativeSpillFolder,
  NativeVariable,
  NativeWayOut,
  NativeWithheld,
} from './generated.js';
export type {
  Answer as NativeAnswer,
  BoundedText as NativeBoundedText,
  Capability as NativeCapability,
  Decision as NativeDecision,
  Document as NativeDocument,
  End as NativeEnd,
  Event as NativeEvent,
  Failure as NativeFailure,
  FailureCode,
  HostQuestion as NativeHostQuestion,
  LimitReport,
  NetworkContact as NativeContact,
  Plan as NativePlan,
  Process as NativeProcess,
  Question as NativeQuestion,
  RedactorOptions as NativeRedactorOptions,
  Reply as NativeReply,
  RuleList as NativeRuleList,
  RunReport as NativeReport,
  SearchFolder as NativeFoundFolder,
  Start as NativeStart,
  StartStage,
  TextBounds as NativeTextBounds,
  TextDigest as NativeTextDigest,
} from './reports.js';

/** A redactor, of the native files or of the WASM module. */
export interface NativeRedactor extends generated.NativeRedactor {
  /** True when the WASM module that it is in has stopped: then every call throws. */
  readonly isLost?: boolean;
}

/** The report of a run with its texts. */
export interface NativeResult extends RunReport {
  readonly stdout: string;
  readonly stderr: string;
  /** Both outputs, in the order they were read. */
  readonly output: string;
}

/** A piece of a run's output. */
export interface NativeChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** Receives events. The texts or the bytes of an event come beside it. */
export type NativeListener = (event: Json<Event>, beside?: string[] | Uint8Array | null) => void;

/** Why a call of the file tools has no answer: an argument of this name is wrong, or there is a bug. */
export interface NativeCallError {
  code: string;
  message: string;
  /** Empty for a bug. */
  name: string;
}

/** What a call of the file tools gave; `ts/files/answers.ts` has the types of answers and refusals. */
export type NativeFileAnswer =
  | ({ ok: true } & Record<string, unknown>)
  | { ok: false; refusal: object }
  | { ok: false; error: NativeCallError };

/** The functions that both the native files and the WASM module have: they run nothing and open no file. */
export interface TextBinding
  extends Pick<
    typeof generated,
    | 'explain'
    | 'readRuleList'
    | 'readToml'
    | 'sanitize'
    | 'stripAnsi'
    | 'truncateOutput'
    | 'boundOutput'
    | 'excerptOutput'
    | 'fitOutput'
  > {
  NativeRedactor: new (options: Json<RedactorOptions>) => NativeRedactor;
}

export type NativeBinding = typeof generated;
