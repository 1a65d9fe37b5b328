import { realpathSync } from 'node:fs';
import path from 'node:path';

import { hostEnvironment } from '../config/host-environment.js';
import type { RegistryHost } from '../config/registries.js';
import type {
  NativeCall,
  NativeCapability,
  NativeFoundFolder,
  NativeHostQuestion,
  NativeJudgedCommand,
  NativePlan,
  NativeRunner,
  NativeStart,
  NativeWithheld,
} from '../native/binding.js';
import { type Json, read } from '../native/json.js';
import { callNative } from '../native/unwrap.js';
import { Redactor } from '../redaction/redactor.js';
import { type Decision, decisionOf } from '../report/decision.js';
import type { Approve } from './approval.js';
import type { EnforcedPlan, KernelPlan } from './blocked.js';
import { REGISTRIES_ENTRY } from './confine.js';
import type { Engine, ProgramListener, RunListener, StartedRun, StartOutcome } from './engine.js';
import { childEnvironment, type HostVariables, namedSockets } from './environment.js';
import { GitHooks } from './git-hooks.js';
import { homeFiles, hostVariables } from './hand-over.js';
import { HostQuestions } from './host-questions.js';
import { withMaskedErrors } from './masked-errors.js';
import { nativeRunnerConfig, type ProtectedPlaces } from './native-config.js';
import type { CheckedTerminalOptions } from './options.js';
import { type GivenUp, type ProjectNetwork, reachedNetwork } from './reached-hosts.js';
import { type OpenRoots, shownPath, withRoots, writableRoots } from './roots.js';
import { searchFolders } from './search-path.js';
import {
  entriesOf,
  type HostContact,
  hasWayOut,
  isAllowList,
  maskedContact,
  namesRegistries,
  wayOutVariables,
} from './way-out.js';

/** What a runner needs in addition to its options. */
export interface RunnerParts {
  readonly engine: Engine;
  /** The roots of the options, opened already. Default: the runner opens them. */
  readonly roots?: OpenRoots | undefined;
  /** The places that redirections of scripts may not write to. Default: the built-in list. */
  readonly guards?: ProtectedPlaces | undefined;
  /** What presets say about the network. Default: no preset is used. */
  readonly project?: ProjectNetwork | undefined;
}

/** A command that was judged. Starting it does not judge it again. */
export interface JudgedCommand {
  readonly decision: Decision;
  readonly native: NativeJudgedCommand;
  /** Whether it is a shell that may start because each line typed into it will be judged. */
  readonly isJudgedShell: boolean;
}

/**
 * Judges and starts the runs, sessions and services of one owner. It holds everything that decides what may start:
 * lists, kernel plan, roots, folders of programs and environment.
 */
export class Runner {
  readonly engine: Engine;
  /** The options with the network that commands have. */
  readonly options: CheckedTerminalOptions;
  readonly redactor: Redactor;
  /** The directory in which programs start by default; absolute. */
  readonly cwd: string;
  /** Names of the host's variables that commands do not see, sorted. */
  readonly withheld: readonly string[];
  /** The paths of sockets that variables of its programs name. */
  readonly sockets: readonly string[];
  /** The folders that programs are searched in, including those that were left out. */
  readonly path: readonly string[];
  /** The variables that its programs get of the host without being named. */
  readonly hostVariables: HostVariables;
  /** What stands before the hooks of git. */
  readonly hooks: GitHooks;
  /** The hosts of package registries that its programs reach, because a list says so. Secrets masked. */
  readonly registries: readonly RegistryHost[];
  /** Why its programs reach everything although the presets name hosts. Undefined where they do not. */
  readonly #givenUp: GivenUp | undefined;
  readonly #native: NativeRunner;
  readonly #roots: OpenRoots | undefined;
  #hasHomeFiles = false;
  /** Undefined where nobody is asked about hosts. */
  readonly #questions: HostQuestions | undefined;
  /** The moment up to which the contacts were taken. */
  #takenContacts = 0;
  /** The moment at which each run was started. */
  readonly #contactMarks = new WeakMap<StartedRun, number>();

  constructor(given: CheckedTerminalOptions, { engine, roots, guards, project }: RunnerParts) {
    this.engine = engine;
    this.#roots = roots;
    this.redactor = given.redactor ?? new Redactor();
    const reached = reachedNetwork(given, project, hostEnvironment(), engine);
    const options = { ...given, confine: { ...given.confine, network: reached.network } };
    this.options = options;
    this.#givenUp = reached.givenUp;
    this.registries = reached.registries.map((registry) => this.#masked(registry));
    this.cwd = path.resolve(options.roots?.[0]?.path ?? process.cwd(), options.cwd ?? '');
    const host = hostEnvironment();
    this.hostVariables = hostVariables(host, this.redactor, options.env.identity ?? true);
    const folders = searchFolders(options.path, options.env, host, this.cwd);
    this.path = folders.map((folder) => folder.path);
    this.hooks = new GitHooks({
      choice: options.git.hooks,
      startsGit: options.allow?.some(({ program }) => path.basename(program) === 'git') ?? true,
      mayBeListed: options.allow !== undefined && options.confine.exec !== 'any',
      startsBash: options.allow === undefined || options.shell === 'bash' || options.confine.exec === 'any',
      folders: [this.cwd, ...(options.roots?.map((root) => root.path) ?? [])],
      // Of the others it is not known yet who may write to them.
      programs: folders.flatMap(({ path: folder, required }) => (required ? [folder] : [])),
      writable: writableRoots(options.roots),
      host,
    });
    const wayOut = engine.confines ? wayOutVariables(options.confine.network) : [];
    const environment = childEnvironment(options.env, host, this.hostVariables, this.hooks.path ?? null, wayOut);
    this.withheld = environment.withheld;
    this.sockets = namedSockets(environment.variables);
    const redactor = Redactor.nativeOf(this.redactor);
    const config = nativeRunnerConfig(
      options,
      this.cwd,
      folders,
      this.hooks.files,
      environment,
      redactor,
      guards,
      engine.judges,
      engine.confines,
      reached.registries,
    );
    this.#native = withMaskedErrors(this.redactor, () =>
      roots === undefined
        ? withRoots(options.roots, (opened) => engine.runner(opened, config))
        : engine.runner(roots, config),
    );
    if (options.confine.network === 'ask') this.#questions = this.#makeQuestions(options);
  }

  /** Judges a command without running it. */
  explain(command: string | string[], cwd?: string): Decision {
    return decisionOf(read(callNative(() => this.#native.explain(command, cwd))));
  }

  /**
   * Judges a line that is typed into a shell in this directory.
   *
   * @param editsLines Whether the program may edit lines and expand history itself.
   */
  explainTyped(line: string, editsLines: boolean, cwd: string): Decision {
    return decisionOf(read(callNative(() => this.#native.explainTyped(line, editsLines, cwd))));
  }

  /** Whether a command is a bash that reads the commands which it runs from its terminal alone. */
  isLineShell(command: string | string[]): boolean {
    return callNative(() => this.#native.isLineShell(command));
  }

  /** Judges a session: one plain command, or a shell whose lines will be judged. */
  judge(command: string, cwd: string): JudgedCommand {
    const native = callNative(() => this.#native.judge(command, cwd));
    return { native, decision: decisionOf(read(native.decision)), isJudgedShell: native.typed };
  }

  /** Judges a command and starts it when it may run. */
  start(command: string | string[], call: NativeCall, listener: RunListener): StartOutcome {
    this.#setHomeFiles();
    const mark = this.#contactMark();
    const outcome = this.engine.start(this.#native, command, call, listener);
    if (outcome.run !== undefined) this.#contactMarks.set(outcome.run, mark);
    return outcome;
  }

  /** Starts a session or a service: `open` gets its number and creates the object of the binding. */
  open<Native extends { readonly start: Json<NativeStart> }>(
    open: (native: NativeRunner, id: number) => Native,
    listener: ProgramListener,
  ): { readonly id: number; readonly native: Native; readonly start: NativeStart } {
    this.#setHomeFiles();
    return this.engine.open((id) => open(this.#native, id), listener);
  }

  /** Looks up the files of private homes, before the first program starts. */
  #setHomeFiles(): void {
    if (this.#hasHomeFiles) return;
    this.#hasHomeFiles = true;
    if (this.options.env.identity === false) return;
    const programs = this.searchPath().flatMap(({ path: folder, leftOut }) => (leftOut === undefined ? [folder] : []));
    const { writable } = this.plan();
    const files = homeFiles({ host: hostEnvironment(), redactor: this.redactor, cwd: this.cwd, programs, writable });
    callNative(() => this.#native.setHomeFiles(files.map((file) => ({ ...file }))));
  }

  /** What this machine can enforce on the commands of this runner. Starts the supervisor. */
  capabilities(): NativeCapability[] {
    const features = read(callNative(() => this.#native.capabilities()));
    if (this.#givenUp === undefined) return features;
    const { problem, fix } = this.#givenUp;
    const given = {
      level: 'unavailable',
      detail: `${problem}: commands reach everything, not only the registries that presets name`,
      fix: `${fix}; or ask for \`none\`; \`require: ['network']\` refuses to start`,
    } as const;
    return features.map((line) => (line.feature === 'network' ? { ...line, ...given } : line));
  }

  #masked({ entry, from, isOwn }: RegistryHost): RegistryHost {
    return { entry: this.redactor.redact(entry), from: this.redactor.redact(from), isOwn };
  }

  /** The folders that programs are found in, and those that were left out with the reason. */
  searchPath(): NativeFoundFolder[] {
    return read(callNative(() => this.#native.searchPath()));
  }

  /** The kernel plan of its commands. */
  plan(): NativePlan {
    return read(callNative(() => this.#native.plan()));
  }

  /** What held a command that ran under this plan and began in this directory. */
  enforcedPlan(plan: KernelPlan, cwd: string): EnforcedPlan {
    const withheld = (file: string) => this.placeKeeping(file);
    return {
      plan,
      writable: plan.writable,
      shownWritable: plan.writable.filter((folder) => this.#isNamed(folder)).map((folder) => this.shownPath(folder)),
      path: this.path,
      cwd: this.realPath(cwd),
      sockets: this.sockets,
      withheld,
      realPath: (file) => this.realPath(file),
    };
  }

  /** Whether refusals name a root, by its resolved path. */
  #isNamed(folder: string): boolean {
    return !this.options.roots?.some(({ path: root, unnamed }) => unnamed === true && realpathSync(root) === folder);
  }

  /** The path by which commands know an absolute path. */
  shownPath(place: string): string {
    return shownPath(this.options.roots ?? [], place);
  }

  /** What commands find at an absolute path, by its path on this machine. */
  realPath(file: string): string {
    const hasSecondPath = this.options.roots?.some(({ shownAs }) => shownAs !== undefined) ?? false;
    const roots = hasSecondPath ? this.#roots : undefined;
    return roots === undefined ? file : callNative(() => roots.realPath(file));
  }

  /** The place that keeps its commands from an absolute path, and the guarantee; undefined where they may read it. */
  placeKeeping(file: string): NativeWithheld | undefined {
    return callNative(() => this.#native.withheld(file)) ?? undefined;
  }

  /** The kernel plan of every command. Where a network of their own cannot be made for them, commands have none. */
  planAsHeld(): KernelPlan {
    const plan = this.plan();
    if (plan.network !== 'loopback' && plan.network !== 'allow') return plan;
    const held = this.capabilities().find(({ feature }) => feature === 'network');
    if (held?.level === 'unavailable') return { ...plan, network: 'none' };
    const { network } = this.options.confine;
    if (!isAllowList(network)) return plan;
    return { ...plan, hosts: [...entriesOf(network), ...this.registries.map(({ entry }) => entry)], ...this.#kept() };
  }

  /** The words of the list of hosts that a further entry has to stand beside. */
  #kept(): { readonly keeping?: readonly string[] } {
    return namesRegistries(this.options.confine.network) ? { keeping: [REGISTRIES_ENTRY] } : {};
  }

  /** Connects to a port of the loopback that its programs have for themselves, see `Engine.connect`. */
  connect(port: number): Promise<number> {
    return this.engine.connect(this.#native, port);
  }

  /** The hosts that its programs asked for since this run was started. */
  contactsOf(run: StartedRun): readonly HostContact[] {
    return this.#contactsSince(this.#contactMarks.get(run) ?? 0);
  }

  #contactMark(): number {
    return hasWayOut(this.options.confine.network) ? callNative(() => this.#native.contactMark()) : 0;
  }

  /** The hosts that its programs asked for since that moment. Secrets masked: a command may write them into a name. */
  #contactsSince(mark: number): readonly HostContact[] {
    if (!hasWayOut(this.options.confine.network)) return [];
    const mask = (text: string): string => this.redactor.redact(text);
    const contacts: HostContact[] = read(callNative(() => this.#native.contactsSince(mark)));
    return contacts.map((contact) => ({ ...maskedContact(contact, mask), ...this.#kept() }));
  }

  /** The hosts that its programs asked for since the last call of this. */
  takeContacts(): readonly HostContact[] {
    const mark = this.#takenContacts;
    this.#takenContacts = this.#contactMark();
    return this.#contactsSince(mark);
  }

  #makeQuestions({ approve }: CheckedTerminalOptions): HostQuestions {
    const native = this.#native;
    const source = {
      onQuestion: (ask: (question: NativeHostQuestion) => void) => {
        callNative(() => {
          native.onHostQuestion((question) => ask(read(question)));
        });
      },
      answer: (number: number, allowed: boolean | undefined) => {
        callNative(() => {
          native.answerHost(number, allowed);
        });
      },
    };
    return new HostQuestions(source, { approve, cwd: this.cwd, redactor: this.redactor });
  }

  /** Lets the approver of a run answer questions about hosts until the returned function is called. */
  askingAboutHosts(approve: Approve | undefined): () => void {
    return this.#questions?.during(approve) ?? (() => undefined);
  }

  /** The hosts that somebody was asked about and agreed to, as entries of an allow list. */
  approvedHosts(): readonly string[] {
    const hosts = this.#questions === undefined ? [] : callNative(() => this.#native.approvedHosts());
    return hosts.map((host) => this.redactor.redact(host));
  }

  /** Closes the directories that it holds open. Nothing can be started afterwards. */
  close(): void {
    this.#questions?.close();
    callNative(() => {
      this.#native.close();
    });
  }
}
