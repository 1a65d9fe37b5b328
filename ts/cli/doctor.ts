import { mkdtempSync, rmSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import path from 'node:path';
import { HandrailError, isWithoutNative } from '../errors.js';
import { Files } from '../files/files.js';
import { DEFAULT_CHANGES_BYTES, DEFAULT_CHANGES_DAYS } from '../files/limits.js';
import { foldersAbove } from '../presets/detect.js';
import { Redactor } from '../redaction/redactor.js';
import type { Capability, ReportedRegistry } from '../terminal/capabilities.js';
import { Terminal } from '../terminal/terminal.js';
import { createToolkit } from '../toolkit.js';
import { VERSION } from '../version.js';
import { readArguments } from './arguments.js';
import { DOCTOR } from './command-table.js';
import { EXIT } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { reportedRegistries } from './reported-registries.js';
import { type LineWithSettings, readLineWithSettings, SETTINGS } from './settings.js';
import { type Style, styleFor } from './style.js';
import { UsageError } from './usage-error.js';
import { wrap } from './wrap.js';

/** The report that `handrail doctor --json` prints. */
export interface DoctorReport {
  readonly handrail: string;
  readonly node: string;
  readonly platform: string;
  readonly kernel: string;
  /** Whether the user is root: some guards then need other means. */
  readonly root: boolean;
  /** What redacts and judges: the native files, without them the WASM module, or nothing. */
  readonly engine: 'native' | 'wasm' | 'none';
  /** Why no command can run here. Null when commands can run. */
  readonly nativeProblem: string | null;
  /** What the machine can enforce. Empty where no command can run. */
  readonly features: readonly Capability[];
  /** Names of the user's variables that commands do not see, sorted. Empty where no command can run. */
  readonly withheld: readonly string[];
  /** The folders that programs are found in, in the order of the search, then those of `PATH` that were left out. */
  readonly path: readonly DoctorFolder[];
  /** The hosts that packages come from, as `confine.network` has them in a project of this directory. */
  readonly registries: readonly ReportedRegistry[];
  /** What is kept of what file tools replaced, for `handrail undo`. Null where no file tool works. */
  readonly changes: DoctorChanges | null;
  /** Whether `toolkit.transaction()` works. Null where no command can run. */
  readonly transactions: DoctorTransactions | null;
  /** The settings file that was read. Null when there is none. */
  readonly config: string | null;
  /** The settings in force. Empty where there is a problem. */
  readonly settings: readonly DoctorSetting[];
  /** What is wrong with the settings file or a variable, so that other commands fail here. Null when nothing is wrong. */
  readonly problem: string | null;
}

/** What is kept of what file tools replaced. */
export interface DoctorChanges {
  readonly keptBytes: number;
  readonly maxBytes: number;
  readonly maxDays: number;
  /** Why nothing is kept. Absent where it is. */
  readonly problem?: string;
}

/** Whether commands can write into a layer in place of the roots. */
export interface DoctorTransactions {
  /** Why they cannot. Absent where they can. */
  readonly problem?: string;
}

/** A folder that programs are found in, or one that was left out. */
export interface DoctorFolder {
  readonly path: string;
  /** Why it was left out: it is relative or absent, or commands or other users may write to it. */
  readonly leftOut?: 'relative' | 'absent' | 'commands' | 'others';
}

/** The value of an option that commands use unless their command line sets another. Secrets masked. */
export interface DoctorSetting {
  /** The name of the option. */
  readonly name: string;
  readonly value: string;
  /** The variable, the file with its line, or `default`. */
  readonly source: string;
}

const BYTES_PER_MIB = 1_024 * 1_024;
const FEATURE_WIDTH = 12;
const LEVEL_WIDTH = 13;
const TEXT_WIDTH = 80 - FEATURE_WIDTH - LEVEL_WIDTH - 2;

/** Runs `handrail doctor` and returns its exit code. */
export async function doctor(args: readonly string[], outputs: Outputs): Promise<number> {
  const { flags, words } = readArguments(args, DOCTOR);
  if (words.length > 0) throw new UsageError('doctor takes options only');
  const machine = await examine();
  // Without an engine no secret can be masked, so no settings are shown.
  const report = {
    ...machine,
    registries: machine.engine === 'none' ? [] : registriesHere(),
    changes: machine.engine === 'native' ? await changesHere() : null,
    ...(machine.engine === 'none' ? NO_CONFIGURATION : configuration(args)),
  };
  const json = flags.has('json');
  const text = json ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report, styleFor(process.stdout));
  await outputs.write('stdout', text);
  return EXIT.ok;
}

type Configuration = Pick<DoctorReport, 'config' | 'settings' | 'problem'>;
type Machine = Omit<DoctorReport, keyof Configuration | 'registries' | 'changes'>;
type Abilities = Pick<DoctorReport, 'features' | 'withheld' | 'path' | 'transactions'>;

const NO_CONFIGURATION: Configuration = { config: null, settings: [], problem: null };

/** The settings of other commands, or why they cannot be read. */
function configuration(args: readonly string[]): Configuration {
  try {
    const line = readLineWithSettings(args, DOCTOR, SETTINGS);
    return { config: line.file ?? null, settings: settingsOf(line), problem: null };
  } catch (error) {
    if (!(error instanceof UsageError) || error.code !== 'ERR_INVALID_CONFIG') throw error;
    return { config: null, settings: [], problem: error.message };
  }
}

/** The registries of all package managers in a project of this directory. None where it was removed. */
function registriesHere(): readonly ReportedRegistry[] {
  try {
    const here = process.cwd();
    return reportedRegistries({ tools: undefined, folders: [here, ...foldersAbove(here)], writable: [here], set: {} });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function changesHere(): Promise<DoctorChanges> {
  await using files = new Files({ changes: {} });
  const maxDays = DEFAULT_CHANGES_DAYS;
  const listed = await files.history({ all: true, limit: 1 });
  if (listed.ok) return { keptBytes: listed.keptBytes, maxBytes: listed.maxBytes, maxDays };
  return { keptBytes: 0, maxBytes: DEFAULT_CHANGES_BYTES, maxDays, problem: listed.refusal.reason };
}

async function examine(): Promise<Machine> {
  const problem = await nativeProblem(() => new Terminal({ allow: ['true'] }).close());
  if (problem !== null) {
    const engine = (await nativeProblem(() => new Redactor())) === null ? 'wasm' : 'none';
    return { ...machine(), engine, nativeProblem: problem, features: [], withheld: [], path: [], transactions: null };
  }
  const root = mkdtempSync(path.join(tmpdir(), 'handrail-doctor-'));
  try {
    return { ...machine(), engine: 'native', nativeProblem: null, ...(await abilitiesIn(root)) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The message when `create` fails because native files are missing. Null when it succeeds. */
async function nativeProblem(make: () => unknown): Promise<string | null> {
  try {
    await make();
    return null;
  } catch (error) {
    if (isWithoutNative(error)) return error.message;
    throw error;
  }
}

/** The capabilities of a terminal that asks for every guarantee: one that is not enforced is then missing on this machine. */
async function abilitiesIn(root: string): Promise<Abilities> {
  await using terminal = new Terminal({
    allow: ['true'],
    roots: [root],
    confine: { writes: 'roots', exec: 'listed', network: 'loopback', remove: 'no' },
  });
  return { ...terminal.capabilities(), path: terminal.searchPath(), transactions: await transactionsIn(root) };
}

/** Begins a transaction and drops it. */
async function transactionsIn(root: string): Promise<DoctorTransactions> {
  try {
    await using toolkit = await createToolkit({ workspace: root });
    await using _tried = await toolkit.transaction();
    return {};
  } catch (error) {
    if (!(error instanceof HandrailError)) throw error;
    return { problem: error.message };
  }
}

function machine(): Omit<Machine, 'engine' | 'nativeProblem' | keyof Abilities> {
  return {
    handrail: VERSION,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    kernel: release(),
    root: process.getuid?.() === 0,
  };
}

function settingsOf(line: LineWithSettings): readonly DoctorSetting[] {
  const redactor = new Redactor();
  return SETTINGS.map(({ name, setting = '', alternative = name }) => {
    const source = line.sources.get(name);
    const other = line.sources.get(alternative);
    if (source === undefined && other !== undefined)
      return { name, value: `as ${alternative} says`, source: other.place };
    if (source === undefined) return { name, value: setting, source: 'default' };
    const givenValue = line.values.get(name)?.join(', ') ?? String(line.flags.has(name));
    return { name, value: redactor.redact(givenValue).replace(/\p{C}/gu, '?'), source: source.place };
  });
}

function renderReport(report: DoctorReport, style: Style): string {
  const user = report.root ? 'root' : 'an ordinary user';
  const head = [
    style.bold(`handrail ${report.handrail}`),
    `Node ${report.node} on ${report.platform}, kernel ${report.kernel}, as ${user}`,
    '',
  ];
  return [
    ...head,
    ...(report.nativeProblem === null
      ? [...abilityLines(report.features, style), ...withheldLines(report.withheld, style)]
      : withoutNative(report.nativeProblem, report.engine, style)),
    '',
    ...(report.path.length === 0 ? [] : [...folderLines(report.path), '']),
    ...(report.registries.length === 0 ? [] : [...registryLines(report.registries), '']),
    ...(report.changes === null ? [] : [...changesLines(report.changes), '']),
    ...(report.transactions === null ? [] : [...transactionLines(report.transactions), '']),
    ...(report.engine === 'none' ? [] : [...configurationLines(report, style), '']),
  ].join('\n');
}

function abilityLines(features: readonly Capability[], style: Style): string[] {
  const missingCount = features.filter(({ level }) => level !== 'enforced').length;
  const verdict =
    missingCount === 0
      ? style.good('Everything is enforced here.')
      : `${missingCount} of ${features.length} not fully enforced here.`;
  return [...features.flatMap((feature) => featureLines(feature, style)), '', verdict];
}

/** The variables that commands do not see. Anybody can set a variable of any name, so controls in it are not shown. */
function withheldLines(withheld: readonly string[], style: Style): string[] {
  if (withheld.length === 0) return [];
  const names = withheld.map((name) => name.replace(/\p{C}/gu, '?')).join(' ');
  return ['', 'Commands do not see these of your variables:', ...wrap(names, 80).map(style.dim)];
}

const LEFT_OUT = {
  relative: 'its path is relative',
  absent: 'it does not exist, or may not be entered',
  commands: 'commands may write to it',
  others: 'other users may write to it',
} as const;

function folderLines(folders: readonly DoctorFolder[]): string[] {
  const shown = (folder: string): string => new Redactor().redact(folder).replace(/\p{C}/gu, '?');
  const left = folders.filter(({ leftOut }) => leftOut !== undefined);
  return [
    'Programs are found in, in this order:',
    ...folders.filter(({ leftOut }) => leftOut === undefined).map((folder) => `  ${shown(folder.path)}`),
    ...(left.length === 0 ? [] : ['Left out of PATH:']),
    ...left.map(({ path: folder, leftOut = 'absent' }) => `  ${shown(folder)}: ${LEFT_OUT[leftOut]}`),
  ];
}

function registryLines(registries: readonly ReportedRegistry[]): string[] {
  return [
    'Packages come from these hosts, which the network `registries` is, here:',
    ...registries.map(({ entry, from }) => `  ${entry}: ${from}`),
  ];
}

function changesLines({ keptBytes, maxBytes, maxDays, problem }: DoctorChanges): string[] {
  if (problem !== undefined) return wrap(`Changes of file tools cannot be undone here: ${problem}`, 80);
  const [kept, most] = [keptBytes, maxBytes].map((bytes) => Math.ceil(bytes / BYTES_PER_MIB));
  return wrap(
    `Changes of file tools can be undone (handrail undo) for ${maxDays} days: ${kept} of at most ${most} MiB are kept.`,
    80,
  );
}

function transactionLines({ problem }: DoctorTransactions): string[] {
  return wrap(problem === undefined ? 'Transactions work here.' : `Transactions are unavailable here: ${problem}`, 80);
}

function withoutNative(problem: string, engine: DoctorReport['engine'], style: Style): string[] {
  const remainingAbility =
    engine === 'wasm'
      ? style.good('`redact` and `explain` work, by the WASM module.')
      : style.bad('Nothing else works: the WASM module, which would redact and explain, cannot be loaded either.');
  return [style.bad('No command, session or file tool works here:'), ...wrap(problem, 80), '', remainingAbility];
}

function configurationLines({ config, settings, problem }: Configuration, style: Style): string[] {
  if (problem !== null) return ['Other commands cannot start here:', ...wrap(problem, 80).map(style.bad)];
  return [
    `Settings of other commands, ${config === null ? 'without a file' : `with ${config}`}:`,
    ...settings.flatMap((setting) => settingLines(setting, style)),
  ];
}

function settingLines({ name, value, source }: DoctorSetting, style: Style): string[] {
  const shownLines = wrap(`${value} (${source})`, 80 - FEATURE_WIDTH - 1);
  const indent = ' '.repeat(FEATURE_WIDTH + 1);
  return shownLines.map((text, index) => {
    const painted = source === 'default' ? style.dim(text) : text;
    return (index === 0 ? `${name.padEnd(FEATURE_WIDTH)} ` : indent) + painted;
  });
}

function featureLines({ feature, level, detail, fix }: Capability, style: Style): string[] {
  const paint = { enforced: style.good, 'best-effort': style.warn, unavailable: style.bad }[level];
  const label = `${feature.padEnd(FEATURE_WIDTH)} ${paint(level.padEnd(LEVEL_WIDTH))} `;
  const indent = ' '.repeat(FEATURE_WIDTH + LEVEL_WIDTH + 2);
  const texts = [...wrap(detail, TEXT_WIDTH), ...(fix === undefined ? [] : wrap(`to do: ${fix}`, TEXT_WIDTH))];
  return texts.map((text, index) => (index === 0 ? label : indent) + text);
}
