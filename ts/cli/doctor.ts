import { release } from 'node:os';
import { parseArgs } from 'node:util';
import type { Capability } from '../terminal/capabilities.js';
import { Terminal } from '../terminal/terminal.js';
import { VERSION } from '../version.js';
import { EXIT } from './exit-code.js';
import { type Style, styleFor } from './style.js';

/** What `handrail doctor --json` prints. */
export interface DoctorReport {
  readonly handrail: string;
  readonly node: string;
  readonly platform: string;
  readonly kernel: string;
  /** Whether this is root, for whom some guards need other means. */
  readonly root: boolean;
  readonly features: readonly Capability[];
}

const FEATURE_WIDTH = 12;
const LEVEL_WIDTH = 13;
const TEXT_WIDTH = 80 - FEATURE_WIDTH - LEVEL_WIDTH - 2;

/** `handrail doctor`: its exit code. */
export async function doctor(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  const report = await examine();
  const text = values.json ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report, styleFor(process.stdout));
  process.stdout.write(text);
  return EXIT.ok;
}

async function examine(): Promise<DoctorReport> {
  await using terminal = new Terminal();
  return {
    handrail: VERSION,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    kernel: release(),
    root: process.getuid?.() === 0,
    features: terminal.capabilities().features,
  };
}

function renderReport(report: DoctorReport, style: Style): string {
  const user = report.root ? 'root' : 'an ordinary user';
  const head = [
    style.bold(`handrail ${report.handrail}`),
    `Node ${report.node} on ${report.platform}, kernel ${report.kernel}, as ${user}`,
    '',
  ];
  const missing = report.features.filter(({ level }) => level !== 'enforced').length;
  const verdict =
    missing === 0
      ? style.good('Everything is enforced here.')
      : `${missing} of ${report.features.length} not fully enforced here.`;
  return [...head, ...report.features.flatMap((feature) => featureLines(feature, style)), '', verdict, ''].join('\n');
}

function featureLines({ feature, level, detail, fix }: Capability, style: Style): string[] {
  const paint = { enforced: style.good, 'best-effort': style.warn, unavailable: style.bad }[level];
  const label = `${feature.padEnd(FEATURE_WIDTH)} ${paint(level.padEnd(LEVEL_WIDTH))} `;
  const indent = ' '.repeat(FEATURE_WIDTH + LEVEL_WIDTH + 2);
  const texts = [...wrap(detail, TEXT_WIDTH), ...(fix === undefined ? [] : wrap(`to do: ${fix}`, TEXT_WIDTH))];
  return texts.map((text, index) => (index === 0 ? label : indent) + text);
}

/** Lines of at most `width` characters; a longer word gets a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
