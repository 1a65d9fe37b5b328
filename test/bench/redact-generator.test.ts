import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';

const GENERATOR = new URL('../../bench/redact/generator/', import.meta.url);
const BYTES = 300_000;
const DENSITY = 2000;
const CONTEXTS =
  'block colour connection dotenv flag header json log-field prose query shell user-info wrapped yaml'.split(' ');
const TERMINAL_COLUMNS = 80;

interface PlantedSecret {
  context: string;
  format: string;
  named: boolean;
  ranges: [number, number][];
}

interface Text {
  text: Buffer;
  plantedSecrets: PlantedSecret[];
}

interface Options {
  seed: number;
  bytes: number;
  secretsPerMegabyte?: number;
  ascii?: boolean;
}

/** The generator is a script without types. */
async function part<Part>(name: string): Promise<Part> {
  return (await import(new URL(name, GENERATOR).href)) as Part;
}

const { generateLog } = await part<{ generateLog: (options: Options) => Text }>('log.mjs');
const { sampleSource } = await part<{ sampleSource: (options: Options) => Text }>('source.mjs');
const { sampleHarmless } = await part<{
  sampleHarmless: (options: { seed: number; count: number }) => { origin: string; file: string; text: string }[];
}>('harmless.mjs');
const { FORMATS } = await part<{ FORMATS: { id: string; template: string }[] }>('formats.mjs');

const log = generateLog({ seed: 7, bytes: BYTES, secretsPerMegabyte: DENSITY });

/** The whole secret, without the line breaks that a terminal or the lines of a key put into it. */
function value({ ranges }: PlantedSecret): string {
  return ranges.map(([start, end]) => log.text.subarray(start, end).toString()).join('');
}

function linesOf(plantedSecret: PlantedSecret): string {
  const [first] = plantedSecret.ranges[0] ?? [0];
  const last = plantedSecret.ranges.at(-1)?.[1] ?? 0;
  return log.text.subarray(log.text.lastIndexOf('\n', first - 1) + 1, log.text.indexOf('\n', last)).toString();
}

test.each([
  ['a log', generateLog],
  ['source text', sampleSource],
])('of the same seed %s has the same bytes and planted secrets, of another it has not', (_name, generate) => {
  const [first, again, other] = [1, 1, 2].map((seed) => generate({ seed, bytes: BYTES }));
  expect(first?.text.equals(again?.text ?? Buffer.alloc(0))).toBe(true);
  expect(first?.plantedSecrets).toEqual(again?.plantedSecrets);
  expect(first?.text.equals(other?.text ?? Buffer.alloc(0))).toBe(false);
  expect(first?.text.length).toBeGreaterThanOrEqual(BYTES);
});

test('planted secrets are in order, apart from each other, and where they say', () => {
  let last = 0;
  for (const { ranges } of log.plantedSecrets) {
    for (const [start, end] of ranges) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThan(start);
      last = end;
    }
  }
  expect(last).toBeLessThan(log.text.length);
  expect(log.plantedSecrets.length).toBeGreaterThan((BYTES / 1e6) * DENSITY * 0.99);
});

test('every secret is one of its format, whole, and nothing of what is around it', () => {
  const templates = new Map(FORMATS.map(({ id, template }) => [id, template]));
  for (const plantedSecret of log.plantedSecrets) {
    const template = templates.get(plantedSecret.format);
    const secret =
      plantedSecret.context === 'query' || plantedSecret.context === 'user-info'
        ? decodeURIComponent(value(plantedSecret))
        : value(plantedSecret);
    expect(secret).toMatch(/^[\w.+\-/=*^~!]{8,2000}$/);
    if (template === undefined) continue;
    const escaped = template.replace(/[.+]/g, '\\$&');
    const shape = escaped.replace(
      /\{\w(\d+)(?:-(\d+))?\}/g,
      (_place, least, most) => `[\\w.+/-]{${least},${most ?? least}}`,
    );
    expect(secret).toMatch(new RegExp(`^${shape}$`));
  }
});

test('secrets are in every context, and a fifth of them of no format', () => {
  expect([...new Set(log.plantedSecrets.map(({ context }) => context))].sort()).toEqual(CONTEXTS);
  const unnamed = log.plantedSecrets.filter(({ named }) => !named).length / log.plantedSecrets.length;
  expect(unnamed).toBeGreaterThan(0.15);
  expect(unnamed).toBeLessThan(0.25);
  expect(new Set(log.plantedSecrets.filter(({ named }) => named).map(({ format }) => format)).size).toBeGreaterThan(60);
});

test('a wrapped secret has a line break in it, where the terminal ends', () => {
  const wrapped = log.plantedSecrets.filter(({ context }) => context === 'wrapped');
  for (const plantedSecret of wrapped) {
    expect(plantedSecret.ranges.length).toBeGreaterThan(1);
    const lines = linesOf(plantedSecret).split(/\r?\n/);
    for (const line of lines.slice(0, -1)) expect(line).toHaveLength(TERMINAL_COLUMNS);
  }
  expect(wrapped.length).toBeGreaterThan(0);
});

test('no secret is in a line without a planted one', () => {
  const planted = log.plantedSecrets.filter(({ ranges }) => ranges.length === 1);
  const text = log.text.toString('latin1');
  for (const plantedSecret of planted) expect(text.indexOf(value(plantedSecret))).toBe(plantedSecret.ranges[0]?.[0]);
});

test('without secrets there are no planted ones, and ASCII is nothing else', () => {
  const plain = generateLog({ seed: 7, bytes: BYTES, secretsPerMegabyte: 0, ascii: true });
  expect(plain.plantedSecrets).toEqual([]);
  expect(plain.text.every((byte) => byte < 0x80)).toBe(true);
  expect(log.text.some((byte) => byte >= 0x80)).toBe(true);
});

test('harmless lines are of several origins, as many as wanted, and the same for the same seed', () => {
  const runs = sampleHarmless({ seed: 3, count: 400 });
  const lines = runs.map(({ text }) => text.split('\n').length - 1).reduce((sum, count) => sum + count, 0);
  expect(lines).toBeGreaterThanOrEqual(400);
  expect(new Set(runs.map(({ origin }) => origin)).size).toBeGreaterThan(1);
  // Logs of builds may be written meanwhile.
  const sample = () => sampleHarmless({ seed: 3, count: 400 });
  expect([1, 2, 3, 4, 5].some(() => isDeepStrictEqual(sample(), sample()))).toBe(true);
  for (const { file } of runs) expect(file).not.toMatch(/:\//);
});

test('the command writes the text and its planted secrets, and refuses what it does not know', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-generator-'));
  const run = (...args: string[]): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [fileURLToPath(new URL('main.mjs', GENERATOR)), ...args], { encoding: 'utf8' });
  try {
    const args = ['--seed', '7', '--bytes', String(BYTES), '--density', String(DENSITY), '--out', folder];
    expect(run(...args).status).toBe(0);
    expect(readFileSync(path.join(folder, 'log.txt')).equals(log.text)).toBe(true);
    const { plantedSecrets } = JSON.parse(readFileSync(path.join(folder, 'log.json'), 'utf8')) as Text;
    expect(plantedSecrets).toEqual(log.plantedSecrets);
    expect(run('--out', folder, '--kind', 'poem')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--kind'),
    });
    expect(run('--seed', '1')).toMatchObject({ status: 1, stderr: expect.stringContaining('--out') });
    expect(run('--out', folder, '--bytes', '-1')).toMatchObject({ status: 1 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
