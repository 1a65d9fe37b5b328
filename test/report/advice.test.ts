import { describe, expect, it } from 'vitest';
import {
  type Advice,
  callForModel,
  hintForCommandLine,
  hintForHost,
  hintForModel,
  limitForModel,
} from '../../ts/report/advice.js';

const OPTIONS: readonly [advice: Advice, host: string, commandLine: string | undefined][] = [
  [{ kind: 'option', name: 'allow', value: 'npm' }, "`allow: ['npm', ...]`", '--allow npm'],
  [
    { kind: 'option', name: 'allow', value: { program: 'npm', args: ['run', 'a,b'] } },
    "`allow: [{ program: 'npm', args: ['run', 'a,b'] }, ...]`",
    "--allow 'npm run '\\''a,b'\\'''",
  ],
  [{ kind: 'option', name: 'trustInterpreters', value: 'sh' }, "`trustInterpreters: ['sh', ...]`", '--trust sh'],
  [{ kind: 'option', name: 'roots', value: '/a b' }, "`roots: [..., '/a b']`", "--root '/a b'"],
  [{ kind: 'option', name: 'confine.exec', value: 'any' }, "`confine: { exec: 'any' }`", '--exec any'],
  [{ kind: 'option', name: 'confine.remove', value: 'yes' }, "`confine: { remove: 'yes' }`", '--remove yes'],
  [
    { kind: 'option', name: 'confine.network.allow', value: 'a.example:22' },
    "`confine: { network: { allow: ['a.example:22', ...] } }`",
    '--allow-host a.example:22',
  ],
  [{ kind: 'option', name: 'sandbox', value: 'off' }, "`sandbox: 'off'`", undefined],
];

describe('advice is written for its reader', () => {
  it.each(OPTIONS)('%j', (one, host, commandLine) => {
    const advised = { hint: 'Do it.', advice: [one] };
    expect(hintForHost(advised)).toBe(`Do it. The host lifts this with ${host}.`);
    expect(hintForCommandLine(advised)).toBe(
      commandLine === undefined ? 'Do it.' : `Do it. ${commandLine} lifts this.`,
    );
  });

  it.each([
    ['memoryBytes', 100 * 2 ** 20, '--limit memory=100MiB'],
    ['memoryBytes', 2 ** 40 * 3, '--limit memory=3TiB'],
    ['diskBytes', 1_000_001, '--limit disk=1000001'],
    ['cpuMs', 600, '--limit cpu=600ms'],
    ['processes', 100, '--limit processes=100'],
    ['openFiles', 128, '--limit open-files=128'],
  ] as const)('a limit is raised: %s %i', (name, value, commandLine) => {
    const advice: Advice[] = [{ kind: 'option', name: `confine.limits.${name}`, value }];
    expect(hintForHost({ advice })).toBe(`The host raises this with \`confine: { limits: { ${name}: ${value} } }\`.`);
    expect(hintForCommandLine({ advice })).toBe(`${commandLine} raises this.`);
  });

  it('joins options, and says nothing of what is no option', () => {
    const advice: Advice[] = [
      { kind: 'replace', command: 'ls' },
      { kind: 'option', name: 'allow', value: 'x' },
      { kind: 'option', name: 'confine.exec', value: 'any' },
      { kind: 'approve' },
    ];
    expect(hintForHost({ advice })).toBe("The host lifts this with `allow: ['x', ...]` or `confine: { exec: 'any' }`.");
    expect(hintForCommandLine({ advice })).toBe('--allow x or --exec any lifts this.');
    expect(hintForHost({ advice: [{ kind: 'approve' }] })).toBeUndefined();
    expect(hintForCommandLine({})).toBeUndefined();
  });

  it('takes options together, and sends a model to its user', () => {
    const advice: Advice[] = [
      { kind: 'option', name: 'allow', value: 'x' },
      { kind: 'option', name: 'trustInterpreters', value: 'x' },
    ];
    const both = "The host lifts this with `allow: ['x', ...]` and `trustInterpreters: ['x', ...]`.";
    expect(hintForHost({ advice, together: true })).toBe(both);
    expect(hintForModel({ advice, together: true })).toBe(`${both} Ask the user if nothing else does it.`);
    expect(hintForCommandLine({ advice, together: true })).toBe('--allow x and --trust x lift this.');
    expect(hintForHost({ advice: [{ kind: 'approve' }], together: true })).toBe(
      'The host lifts this with an `approve` that agrees.',
    );
    expect(hintForModel({ hint: 'Use another.' })).toBe('Use another.');
    const held = 'Even so, commands have no network (`confine.network`).';
    expect(hintForModel({ advice, together: true, held })).toBe(
      `${both} ${held} Ask the user if nothing else does it.`,
    );
    expect(hintForModel({ hint: 'Use another.', held })).toBe('Use another.');
  });

  it('is a call, or a limit', () => {
    expect(callForModel({ command: 'ls "a"', cwd: 'b' })).toBe('instead: {"command":"ls \\"a\\"","cwd":"b"}');
    expect(callForModel({ command: 'ls' })).toBe('instead: {"command":"ls"}');
    expect(callForModel({ command: 'ls' }, true)).toBe('did you mean: {"command":"ls"}');
    expect(limitForModel({ kind: 'limit', name: 'timeout_ms', value: 5_000 }, 100)).toBe(
      'the limit was timeout_ms 100; up to 5000 can be asked for',
    );
  });
});
