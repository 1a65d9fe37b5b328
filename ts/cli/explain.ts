import path from 'node:path';

import { hostHome } from '../config/host-environment.js';
import { isWithoutNative } from '../errors.js';
import { Redactor } from '../redaction/redactor.js';
import { hintForCommandLine } from '../report/advice.js';
import type { Decision, Reason } from '../report/decision.js';
import { explain as judge } from '../terminal/explain.js';
import { type Root, rootsOption, type TerminalOptions } from '../terminal/options.js';
import { writableRoots } from '../terminal/roots.js';
import { Terminal } from '../terminal/terminal.js';
import type { CommandLine } from './arguments.js';
import { EXPLAIN } from './command-table.js';
import { jsonWithDecision } from './decision-json.js';
import { EXIT } from './exit-code.js';
import { rootOfExplain } from './implied-root.js';
import type { Outputs } from './outputs.js';
import { policyOptions } from './policy-options.js';
import { presetJson, presetList } from './preset-list.js';
import { type OptionsWithProject, withProject } from './project-options.js';
import { reportedRegistries } from './reported-registries.js';
import { readLineWithSettings } from './settings.js';
import { type Style, styleFor } from './style.js';
import { UsageError } from './usage-error.js';
import { wrap } from './wrap.js';

const LINE_WIDTH = 80;
const INDENT = '  ';

const EXIT_CODES: Readonly<Record<Decision['decision'], number>> = {
  allow: EXIT.ok,
  ask: EXIT.open,
  deny: EXIT.denied,
};

const DECISION_TEXTS: Readonly<Record<Decision['decision'], string>> = {
  allow: 'allow: it may run',
  ask: 'ask: it runs when somebody agrees',
  deny: 'deny: it may not run',
};

/** Runs `handrail explain` and returns its exit code. */
export async function explain(args: readonly string[], outputs: Outputs): Promise<number> {
  const line = readLineWithSettings(args, EXPLAIN);
  const options = withProject(line, policyOptions(line, rootOfExplain(line)));
  if (line.flags.has('list')) return await list(line, options, outputs);
  const [command, ...more] = line.words;
  if (command === undefined) throw new UsageError('which command? Put it in quotes');
  if (more.length > 0) throw new UsageError('explain takes one word: put the command in quotes');
  const decision = await decide(command, options.options);
  const text = line.flags.has('json')
    ? jsonWithDecision(decision)
    : renderDecision(command, decision, styleFor(process.stdout));
  await outputs.write('stdout', `${text}\n`);
  return EXIT_CODES[decision.decision];
}

/** Shows what the presets of a project let run. */
async function list(
  line: CommandLine,
  { project, network, options }: OptionsWithProject<TerminalOptions>,
  outputs: Outputs,
): Promise<number> {
  if (project === undefined || network === undefined) throw new UsageError('--list shows the presets of a --project');
  if (line.words.length > 0) throw new UsageError('--list takes no command');
  const registries = reportedRegistries({
    ...network,
    writable: writableRoots(rootsOption(options.roots)),
    set: options.env?.set ?? {},
  });
  const text = line.flags.has('json')
    ? presetJson(project, registries)
    : presetList(project, registries, styleFor(process.stdout));
  await outputs.write('stdout', `${text}\n`);
  return EXIT.ok;
}

/** Judges the command as `handrail run` does. Without native files it is judged without looking at this machine. */
async function decide(command: string, options: TerminalOptions): Promise<Decision> {
  try {
    await using terminal = new Terminal({ ...options, shell: 'bash' });
    return terminal.explain(command);
  } catch (error) {
    if (!isWithoutNative(error)) throw error;
    const { roots, cwd, allow, deny, ask, trustInterpreters } = options;
    const home = hostHome();
    // Commands run on Linux only: other paths mean nothing there.
    const placeOptions =
      path.sep === '/'
        ? {
            cwd: path.resolve(roots?.[0] === undefined ? '' : pathOfRoot(roots[0]), cwd ?? ''),
            ...(roots && { roots: roots.map(pathOfRoot) }),
            home,
            path: [path.dirname(process.execPath)],
          }
        : {};
    return judge(command, { allow, deny, ask, trustInterpreters, ...placeOptions, shell: 'bash' });
  }
}

function pathOfRoot(root: Root): string {
  return path.resolve(typeof root === 'string' ? root : root.path);
}

/** The decision, and its reasons with the part of the command that each concerns. */
function renderDecision(command: string, { decision, reasons }: Decision, style: Style): string {
  const paint = { allow: style.good, ask: style.warn, deny: style.bad }[decision];
  const redactor = new Redactor();
  return [
    paint(DECISION_TEXTS[decision]),
    ...reasons.flatMap((reason) => ['', ...reasonLines(command, reason, redactor, style)]),
  ].join('\n');
}

function reasonLines(command: string, reason: Reason, redactor: Redactor, style: Style): string[] {
  const hint = hintForCommandLine(reason);
  const texts = [
    ...wrap(`${reason.message} (${reason.rule})`, LINE_WIDTH - INDENT.length),
    ...(hint === undefined ? [] : wrap(`hint: ${hint}`, LINE_WIDTH - INDENT.length).map(style.dim)),
  ];
  return [...markedLine(command, reason.span, redactor), ...texts.map((text) => INDENT + text)];
}

/** The line in which the span begins, with marks below the span. Without marks where masking changed the line's length. */
function markedLine(command: string, [start, end]: Reason['span'], redactor: Redactor): string[] {
  const from = command.lastIndexOf('\n', start - 1) + 1;
  const newline = command.indexOf('\n', from);
  const line = command.slice(from, newline < 0 ? undefined : newline);
  const shownLine = redactor.redact(line).replace(/\p{C}/gu, ' ');
  if (shownLine.length !== line.length) return [INDENT + shownLine];
  const length = Math.max(1, Math.min(end, from + line.length) - start);
  return [INDENT + shownLine, `${INDENT}${' '.repeat(start - from)}${'^'.repeat(length)}`];
}
