/**
 * A binding that starts nothing and says what it is told to say. It lets tests of the facade reach
 * orders of events that a real machine gives only by chance.
 */
import type {
  NativeBinding,
  NativeCall,
  NativeCapability,
  NativeContact,
  NativeDecision,
  NativeEngineOptions,
  NativeEvent,
  NativeFoundFolder,
  NativeListener,
  NativePlan,
  NativeReport,
  NativeResult,
  NativeRoot,
  NativeRunnerConfig,
  NativeStart,
} from '../../ts/native/binding.js';
import { jsonOf, read } from '../../ts/native/json.js';
import type { Native } from '../../ts/native/loader.js';

export const ALLOW: NativeDecision = {
  decision: 'allow',
  reasons: [{ rule: 'list.allowed', span: [0, 4], program: 'echo', message: 'It is on the list' }],
};

export const ASK: NativeDecision = {
  decision: 'ask',
  reasons: [{ rule: 'interpreter.code', span: [0, 4], message: 'Nobody can say what it runs', hint: 'Ask first' }],
};

export const DENY: NativeDecision = {
  decision: 'deny',
  reasons: [{ rule: 'list.not_allowed', span: [0, 2], program: 'rm', message: 'rm is not on the list' }],
};

export const EXITED: NativeResult = {
  end: { status: 'exited', exitCode: 0, survivors: [], leftovers: [], sandbox: ['landlock abi 7'] },
  streams: { stdoutBytes: 3, stderrBytes: 3, keptBytes: 6, omittedBytes: 0, cuts: {} },
  stdout: 'out',
  stderr: 'err',
  output: 'outerr',
  durationMs: 3,
  redactions: 0,
  usage: { userMs: 1, systemMs: 2, maxRssBytes: 4 },
};

const PLAN: NativePlan = {
  writes: 'any',
  exec: 'any',
  network: 'any',
  remove: 'yes',
  reads: 'any',
  programs: [],
  writable: [],
};

/** What a test changes of a report: an end and streams in part. */
export type Change = Partial<Omit<NativeResult, 'end' | 'streams'>> & {
  readonly end?: object;
  readonly streams?: Partial<NativeResult['streams']>;
};

export interface FakeRun {
  readonly id: number;
  readonly command: string | string[];
  readonly call: NativeCall;
}

/** What the fake was told, and what it shall answer. */
export class FakeBinding {
  readonly engines: FakeEngine[] = [];
  readonly terminals: NativeRunnerConfig[] = [];
  /** Of each set of roots that was opened. */
  readonly roots: (NativeRoot[] | null)[] = [];
  readonly runs: FakeRun[] = [];
  readonly cancelled: number[] = [];
  readonly acknowledged: number[] = [];
  capabilities: NativeCapability[] = [];
  explain: (command: string | string[]) => NativeDecision = () => ALLOW;
  start: (run: FakeRun) => NativeStart = () => ({ decision: ALLOW, started: true });

  readonly native: Native = { binding: this.#binding(), supervisorPath: '/nowhere/handrail-supervisor' };

  /** The engine of the test. */
  get engine(): FakeEngine {
    const engine = this.engines[0];
    if (engine === undefined) throw new Error('no engine was made');
    return engine;
  }

  #binding(): NativeBinding {
    const fake = this;
    return {
      version: () => '0',
      controllingTerminal: () => 'none',
      discardTypedInput: () => undefined,
      peer: () => ({ pid: 0, refusal: 'unknown' }),
      explain: (question) => jsonOf(fake.explain(read(question).command)),
      NativePattern: class {
        isIn = () => false;
      },
      NativeRedactor: class {
        ruleNotes = () => [];
        addSecret = () => undefined;
        redactBytes = () => null;
        scan = (piece: string) => {
          const marks = [...piece.matchAll(/hunter2/g)].flatMap(({ index, 0: found }) => [
            index,
            index + found.length,
            0,
          ]);
          return marks.length === 0 ? null : Uint32Array.from(marks);
        };
        mask = () => '[REDACTED]';
        rule = () => 'fake';
        stream = () => ({
          write: () => Buffer.alloc(0),
          writeText: () => Buffer.alloc(0),
          end: () => Buffer.alloc(0),
          idle: () => Buffer.alloc(0),
          findings: () => 0,
          counts: () => [],
        });
      },
      NativeJudgedCommand: class {} as unknown as NativeBinding['NativeJudgedCommand'],
      NativeRedactStream: class {} as unknown as NativeBinding['NativeRedactStream'],
      NativeSession: class {
        constructor() {
          throw new Error('the fake binding has no sessions');
        }
      } as unknown as NativeBinding['NativeSession'],
      NativeService: class {
        constructor() {
          throw new Error('the fake binding has no services');
        }
      } as unknown as NativeBinding['NativeService'],
      NativeEngine: class extends FakeEngine {
        constructor(options: NativeEngineOptions, onEvent: NativeListener) {
          super(fake, options, onEvent);
        }
      },
      NativeRoots: class {
        constructor(roots: NativeRoot[] | null) {
          fake.roots.push(roots);
        }
        ofLayer = () => [];
        inLayer = () => this;
        close = () => undefined;
        realPath = (file: string) => file;
      },
      NativeFiles: class {
        call = () => Promise.resolve('{"ok":true}');
        close = () => undefined;
      },
      isWriteBlocked: () => true,
      NativeRunner: class {
        constructor(_engine: unknown, _roots: unknown, config: NativeRunnerConfig) {
          fake.terminals.push(config);
        }
        explain = (command: string | string[]) => jsonOf(fake.explain(command));
        explainTyped = (line: string) => jsonOf(fake.explain(line));
        isLineShell = () => false;
        judge = (command: string) => ({ decision: jsonOf(fake.explain(command)), typed: false });
        run(id: number, command: string | string[], call: NativeCall) {
          const run = { id, command, call };
          const start = fake.start(run);
          if (start.started) fake.runs.push(run);
          return jsonOf(start);
        }
        capabilities = () => jsonOf(fake.capabilities);
        plan = () => jsonOf<NativePlan>(PLAN);
        withheld = () => null;
        setHomeFiles = () => undefined;
        searchPath = () => jsonOf<NativeFoundFolder[]>([]);
        contactMark = () => 0;
        contactsSince = () => jsonOf<NativeContact[]>([]);
        onHostQuestion = () => undefined;
        answerHost = () => undefined;
        approvedHosts = () => [];
        close = () => undefined;
      },
      namedWords: (text: string) => jsonOf({ words: [text], areComplete: true }),
      readRuleList: () => jsonOf({ rules: [] }),
      readToml: () => jsonOf({ entries: [] }),
      sanitize: (bytes) => Buffer.from(bytes).toString(),
      stripAnsi: (text) => text,
      truncateOutput: (text) => text,
      boundOutput: (text) => jsonOf({ text, truncated: false, omittedChars: 0, omittedBytes: 0, omittedLines: 0 }),
      fitOutput: () => jsonOf({ masks: 0 }),
      estimateTokens: (text) => text.length,
      excerptOutput: (text) => jsonOf({ text, totalLines: 1, shownLines: 1, truncated: false }),
    };
  }
}

export class FakeEngine {
  readonly #fake: FakeBinding;
  readonly options: NativeEngineOptions;
  readonly #onEvent: NativeListener;
  readonly closeCallbacks: Array<() => void> = [];

  constructor(fake: FakeBinding, options: NativeEngineOptions, onEvent: NativeListener) {
    this.#fake = fake;
    this.options = options;
    this.#onEvent = onEvent;
    fake.engines.push(this);
  }

  write = (): void => undefined;
  endInput = (): void => undefined;
  connect = (): void => undefined;
  hasNetworks = (): boolean => true;
  hasViews = (): boolean => true;
  enterLayer = (): void => undefined;
  holdLayer = (): void => undefined;
  releaseLayer = (): void => undefined;
  proxyProblem = (): null => null;

  cancel(id: number): void {
    this.#fake.cancelled.push(id);
  }

  digest(): Promise<null> {
    return Promise.resolve(null);
  }

  listens(): Promise<boolean> {
    return Promise.resolve(false);
  }

  acknowledge(id: number): void {
    this.#fake.acknowledged.push(id);
  }

  close(callback: () => void): void {
    this.closeCallbacks.push(callback);
  }

  /** What the binding's thread would deliver. */
  emit(event: NativeEvent, beside?: string[]): void {
    this.#onEvent(jsonOf(event), beside);
  }

  output(id: number, text: string, stream: 'stdout' | 'stderr' = 'stdout'): void {
    this.emit({ kind: 'output', id, stream }, [text]);
  }

  done(id: number, { end, streams, ...change }: Change = {}): void {
    const { stdout, stderr, output, ...report } = { ...EXITED, ...change };
    const whole = {
      ...report,
      end: { ...EXITED.end, ...end },
      streams: { ...EXITED.streams, ...streams },
    } as NativeReport;
    this.emit({ kind: 'done', id, report: whole }, [stdout, stderr, output]);
  }
}

/** Lets everything that is ready run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
