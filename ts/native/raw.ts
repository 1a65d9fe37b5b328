/**
 * The binding as the `.node` file exports it. Reports cross as JSON: one string costs a fraction of
 * what dozens of properties set one by one cost.
 */
import type {
  NativeAnswer,
  NativeBinding,
  NativeCall,
  NativeCapability,
  NativeDocument,
  NativeEngine,
  NativeEngineOptions,
  NativeEvent,
  NativeFileAnswer,
  NativeFilesConfig,
  NativeHistory,
  NativeJudged,
  NativeOpenCall,
  NativePlan,
  NativeRead,
  NativeRedactor,
  NativeRedactorOptions,
  NativeReply,
  NativeResult,
  NativeRoots,
  NativeService,
  NativeSession,
  NativeSessionOptions,
  NativeStart,
  NativeStartable,
  NativeTerminal,
  NativeTerminalConfig,
  NativeVerdict,
} from './binding.js';
import { jsonOf } from './json.js';
import type { NativeFitted } from './text-types.js';

/** What a kind of event does not have, or what is empty, is missing. */
export type RawListener = (
  kind: number,
  id: number,
  report: string | null,
  stdout: string | null,
  stderr: string | null,
  output: string | null,
  bytes: Buffer | null,
) => void;

/** The kinds of events, as `crates/node/src/result.rs` numbers them. */
const CLOSED = 0;
const OUTPUT = 1;
const DONE = 2;
const ANSWERED = 3;
const WRITTEN = 4;

export interface RawJudged {
  readonly verdict: string;
}

export interface RawTerminal {
  explain(command: string | string[], cwd?: string | null): string;
  explainScript(script: string, cwd: string): string;
  judge(command: string, cwd: string): RawJudged;
  run(
    id: number,
    command: string | string[],
    cwd: string,
    timeoutMs: number,
    flags: number,
    stdin?: Uint8Array | null,
  ): string;
  capabilities(): NativeCapability[];
  plan(): string;
  close(): void;
}

export interface RawSession extends Omit<NativeSession, 'start' | 'history' | 'rest'> {
  rest(read: NativeRead): string[] | null;
  readonly start: string;
  history(since?: number | null): string;
}

export interface RawService extends Omit<NativeService, 'start'> {
  readonly start: string;
}

export interface RawFiles {
  call(operation: string, request: string): Promise<string>;
  close(): void;
}

/** What the `.node` file exports. */
export interface RawBinding
  extends Omit<
    NativeBinding,
    | 'NativeRedactor'
    | 'explain'
    | 'readToml'
    | 'fitOutput'
    | 'NativeEngine'
    | 'NativeTerminal'
    | 'NativeFiles'
    | 'NativeSession'
    | 'NativeService'
  > {
  NativeSession: new (
    terminal: RawTerminal,
    id: number,
    command: string | string[] | RawJudged,
    call: NativeOpenCall,
    options: NativeSessionOptions,
  ) => RawSession;
  NativeService: new (
    terminal: RawTerminal,
    id: number,
    command: string | string[] | RawJudged,
    call: NativeOpenCall,
  ) => RawService;
  NativeRedactor: new (options: string) => NativeRedactor;
  explain(question: string, redactor: NativeRedactor): string;
  readToml(text: string): string;
  fitOutput(reading: string): string;
  NativeFiles: new (roots: NativeRoots, redactor: NativeRedactor, config: NativeFilesConfig) => RawFiles;
  NativeEngine: new (options: NativeEngineOptions, onEvent: RawListener) => NativeEngine;
  NativeTerminal: new (engine: NativeEngine, roots: NativeRoots, config: NativeTerminalConfig) => RawTerminal;
}

const MERGE = 1;
const STREAM = 2;
const APPROVED = 4;
const PIPED = 8;

/** The binding with its reports read. */
export function readReports(raw: RawBinding): NativeBinding {
  /** What sessions and services are made with: the binding wants objects of its own. */
  const terminals = new WeakMap<NativeTerminal, RawTerminal>();
  const rawOf = (terminal: NativeTerminal): RawTerminal => {
    const found = terminals.get(terminal);
    if (found === undefined) throw new TypeError('not a terminal of this binding');
    return found;
  };
  const judgements = new WeakMap<NativeJudged, RawJudged>();
  const startable = (command: NativeStartable): string | string[] | RawJudged => {
    if (typeof command === 'string' || Array.isArray(command)) return command;
    const found = judgements.get(command);
    if (found === undefined) throw new TypeError('not judged by this binding');
    return found;
  };
  return {
    ...raw,
    NativeRedactor: class extends raw.NativeRedactor {
      constructor(options: NativeRedactorOptions) {
        super(jsonOf(options));
      }
    },
    explain: (question, redactor) => JSON.parse(raw.explain(jsonOf(question), redactor)) as NativeVerdict,
    readToml: (text) => JSON.parse(raw.readToml(text)) as NativeDocument,
    fitOutput: (reading) => JSON.parse(raw.fitOutput(jsonOf(reading))) as NativeFitted,
    NativeEngine: class extends raw.NativeEngine {
      constructor(options: NativeEngineOptions, onEvent: (event: NativeEvent) => void) {
        super(options, (...received) => {
          onEvent(eventOf(...received));
        });
      }
    },
    NativeTerminal: class {
      readonly #raw: RawTerminal;

      constructor(engine: NativeEngine, roots: NativeRoots, config: NativeTerminalConfig) {
        this.#raw = new raw.NativeTerminal(engine, roots, config);
        terminals.set(this, this.#raw);
      }

      explain(command: string | string[], cwd?: string): NativeVerdict {
        return JSON.parse(this.#raw.explain(command, cwd)) as NativeVerdict;
      }

      explainScript(script: string, cwd: string): NativeVerdict {
        return JSON.parse(this.#raw.explainScript(script, cwd)) as NativeVerdict;
      }

      judge(command: string, cwd: string): NativeJudged {
        const found = this.#raw.judge(command, cwd);
        const judged = { verdict: JSON.parse(found.verdict) as NativeVerdict };
        judgements.set(judged, found);
        return judged;
      }

      run(id: number, command: string | string[], call: NativeCall): NativeStart {
        const { merge, stream, approved, piped } = call;
        const flags =
          (merge ? MERGE : 0) | (stream ? STREAM : 0) | (approved ? APPROVED : 0) | (piped === true ? PIPED : 0);
        return JSON.parse(this.#raw.run(id, command, call.cwd, call.timeoutMs, flags, call.stdin)) as NativeStart;
      }

      capabilities(): NativeCapability[] {
        return this.#raw.capabilities();
      }

      plan(): NativePlan {
        return JSON.parse(this.#raw.plan()) as NativePlan;
      }

      close(): void {
        this.#raw.close();
      }
    },
    NativeSession: class {
      readonly start: NativeStart;
      readonly #raw: RawSession;

      constructor(
        terminal: NativeTerminal,
        id: number,
        command: NativeStartable,
        call: NativeOpenCall,
        options: NativeSessionOptions,
      ) {
        this.#raw = new raw.NativeSession(rawOf(terminal), id, startable(command), call, options);
        this.start = JSON.parse(this.#raw.start) as NativeStart;
      }

      read(request: number, read: NativeRead): void {
        this.#raw.read(request, read);
      }

      send(request: number, input: Uint8Array, read: NativeRead): void {
        this.#raw.send(request, input, read);
      }

      write(request: number, bytes: Uint8Array): void {
        this.#raw.write(request, bytes);
      }

      resize(columns: number, rows: number): void {
        this.#raw.resize(columns, rows);
      }

      signal(number: number): void {
        this.#raw.signal(number);
      }

      setMarkers(markers: string[]): void {
        this.#raw.setMarkers(markers);
      }

      awaitStart(request: number): void {
        this.#raw.awaitStart(request);
      }

      stop(): void {
        this.#raw.stop();
      }

      cwd(): string | null {
        return this.#raw.cwd();
      }

      sandbox(): string[] {
        return this.#raw.sandbox();
      }

      rest(read: NativeRead): { readonly answer: NativeAnswer; readonly text: string } | undefined {
        const [answer, text = ''] = this.#raw.rest(read) ?? [];
        return answer === undefined ? undefined : { answer: JSON.parse(answer) as NativeAnswer, text };
      }

      history(since?: number | null): NativeHistory {
        return JSON.parse(this.#raw.history(since)) as NativeHistory;
      }
    },
    NativeService: class {
      readonly start: NativeStart;
      readonly #raw: RawService;

      constructor(terminal: NativeTerminal, id: number, command: NativeStartable, call: NativeOpenCall) {
        this.#raw = new raw.NativeService(rawOf(terminal), id, startable(command), call);
        this.start = JSON.parse(this.#raw.start) as NativeStart;
      }

      write(request: number, bytes: Uint8Array): void {
        this.#raw.write(request, bytes);
      }

      endInput(): void {
        this.#raw.endInput();
      }

      signal(number: number): void {
        this.#raw.signal(number);
      }

      stderr(): string {
        return this.#raw.stderr();
      }
    },
    NativeFiles: class {
      readonly #raw: RawFiles;

      constructor(roots: NativeRoots, redactor: NativeRedactor, config: NativeFilesConfig) {
        this.#raw = new raw.NativeFiles(roots, redactor, config);
      }

      async call(operation: string, request: object): Promise<NativeFileAnswer> {
        return JSON.parse(await this.#raw.call(operation, JSON.stringify(request))) as NativeFileAnswer;
      }

      close(): void {
        this.#raw.close();
      }
    },
  };
}

function eventOf(...[kind, id, report, stdout, stderr, output, bytes]: Parameters<RawListener>): NativeEvent {
  switch (kind) {
    case CLOSED:
      return { kind: 'closed' };
    case OUTPUT: {
      const chunk =
        stderr === null
          ? { stream: 'stdout' as const, text: stdout ?? '' }
          : { stream: 'stderr' as const, text: stderr };
      return { kind: 'output', id, chunk };
    }
    case DONE: {
      const result = JSON.parse(report ?? '{}') as NativeResult;
      result.stdout = stdout ?? '';
      result.stderr = stderr ?? '';
      result.output = result.alone === undefined ? (output ?? '') : result[result.alone];
      return { kind: 'done', id, result };
    }
    case ANSWERED:
      return { kind: 'answered', id, reply: JSON.parse(report ?? '{}') as NativeReply, text: stdout ?? '' };
    case WRITTEN:
      return { kind: 'written', id, reply: JSON.parse(report ?? '{}') as NativeReply };
    default:
      return { kind: 'data', id, bytes: bytes ?? Buffer.alloc(0) };
  }
}
