import { PRESETS } from '../presets/kinds.js';
import type { LeftOut, Preset, PresetGroup } from '../presets/preset.js';
import { confineOf, type Project } from '../presets/project.js';
import { LEFT_OUT, SHARED } from '../presets/shared.js';
import type { ReportedRegistry } from '../terminal/capabilities.js';
import { projectText } from './project-options.js';
import { shownPath } from './shown-path.js';
import type { Style } from './style.js';
import { wrap } from './wrap.js';

const LINE_WIDTH = 80;

/** What the presets of a project let run, by group, and what is not among it. */
export function presetList(project: Project, registries: readonly ReportedRegistry[], style: Style): string {
  const kinds: (readonly [string, Preset])[] = project.kinds.map((kind) => [kind, PRESETS[kind]]);
  const { cacheFolder } = project;
  return [
    `Project: ${projectText(project)}`,
    ...[...kinds, ['every kind', SHARED] as const].flatMap(([name, { groups }]) => [
      '',
      style.bold(`May run in ${name === 'every kind' ? name : `a project of ${name}`}`),
      ...groups.flatMap((group) => groupLines(group, style)),
    ]),
    '',
    style.bold('Not in it'),
    ...LEFT_OUT.flatMap(leftOutLines),
    '',
    style.bold('Held by the kernel, see docs/confinement.md'),
    ...item(
      Object.entries(confineOf(project.kinds))
        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : 'registries'}`)
        .join(', '),
      2,
    ),
    '',
    style.bold('Hosts that it reaches, as the settings say now, and what names each'),
    ...registries.flatMap(({ entry, from }) => item(`${entry} (${from})`, 2)),
    ...item('More: --allow-host registries,example.com. All of it: --network any.', 2),
    '',
    style.bold('Caches of this project, which commands write to'),
    ...item(cacheFolder === undefined ? 'none: each run has its own' : shownPath(cacheFolder, (text) => text), 2),
    '',
    'More: --allow adds to this list. Other options replace its own.',
  ].join('\n');
}

const OUTCOMES: Readonly<Record<LeftOut['outcome'], string>> = {
  ask: 'asks',
  deny: 'denied',
  'held by the kernel': 'held by the kernel',
};

function leftOutLines({ what, outcome, examples }: LeftOut): string[] {
  return [...item(`${what} (${OUTCOMES[outcome]})`, 2), ...item(examples.join(', '), 4)];
}

/** The same as JSON. */
export function presetJson(
  { kinds, decidedBy, cacheFolder }: Project,
  registries: readonly ReportedRegistry[],
): string {
  const presets = [...kinds.map((kind) => [kind, PRESETS[kind]] as const), ['shared', SHARED] as const];
  return JSON.stringify(
    {
      kinds,
      decidedBy,
      cacheFolder: cacheFolder ?? null,
      confine: confineOf(kinds),
      registries,
      presets: Object.fromEntries(presets),
      leftOut: LEFT_OUT,
    },
    null,
    2,
  );
}

function groupLines({ about, programs, places, interpreters, uses = [] }: PresetGroup, style: Style): string[] {
  return [
    ...item(about, 2).map(style.dim),
    ...(interpreters === undefined ? [] : item(interpreters, 4)),
    ...(programs === undefined ? [] : item(programs, 4)),
    ...(places === undefined ? [] : item(places, 4)),
    ...(uses.length === 0 ? [] : item(usesText(uses), 4)),
  ];
}

/** Uses of the same program once, with what follows its name: `npm test | run | ci`. */
function usesText(uses: readonly string[]): string {
  const byProgram = new Map<string, string[]>();
  for (const use of uses) {
    const [program = '', ...rest] = use.split(' ');
    byProgram.set(program, [...(byProgram.get(program) ?? []), rest.join(' ')]);
  }
  return [...byProgram].map(([program, rests]) => `${program} ${rests.filter(Boolean).join(' | ')}`.trim()).join('; ');
}

function item(text: string, indent: number): string[] {
  return wrap(text, LINE_WIDTH - indent).map((line) => ' '.repeat(indent) + line);
}
