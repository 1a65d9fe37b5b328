import {
  CONFINE_CHOICES,
  type ConfineOptions,
  GUARANTEES,
  type Guarantee,
  type NetworkOption,
  REGISTRIES_ENTRY,
} from '../terminal/confine.js';
import type { TerminalOptions } from '../terminal/options.js';
import { type CommandLine, lastValue, listEntries, optionLabel } from './arguments.js';
import type { Option } from './command.js';
import { LIMIT_COMPLETIONS, limitValues } from './limit-values.js';
import { UsageError } from './usage-error.js';

/** The networks that the command line names. */
const NETWORK_CHOICES = ['none', 'loopback', REGISTRIES_ENTRY, 'ask', 'any'] as const;

/** The options about what the kernel enforces on a command. */
export const CONFINE_OPTIONS = [
  {
    name: 'writes',
    kind: 'value',
    value: 'HOW',
    completes: CONFINE_CHOICES.writes,
    setting: 'roots',
    text: 'where it writes: roots (default), none or any',
  },
  {
    name: 'exec',
    kind: 'value',
    value: 'HOW',
    completes: CONFINE_CHOICES.exec,
    setting: 'listed with allow, else any',
    text: 'what it starts: listed (default with --allow) or any',
  },
  {
    name: 'network',
    kind: 'value',
    value: 'HOW',
    completes: NETWORK_CHOICES,
    setting: 'any, with project registries',
    alternative: 'allow-host',
    text: 'what it reaches: none, loopback, registries, ask or any',
  },
  {
    name: 'allow-host',
    kind: 'values',
    value: 'A,B',
    list: true,
    setting: 'none',
    alternative: 'network',
    text: 'only these: name, *.name, address, with :port; registries',
  },
  {
    name: 'remove',
    kind: 'value',
    value: 'HOW',
    completes: CONFINE_CHOICES.remove,
    setting: 'no with deny rm, else yes',
    text: 'if files vanish: no (default if rm denied), no-truncate, yes',
  },
  {
    name: 'reads',
    kind: 'value',
    value: 'HOW',
    completes: CONFINE_CHOICES.reads,
    setting: 'protected',
    text: 'what it reads: protected (default: no keys), roots or any',
  },
  {
    name: 'readable',
    kind: 'values',
    value: 'PATH',
    setting: 'none',
    text: 'a place that it reads all the same; --unreadable PATH: not',
  },
  {
    name: 'unreadable',
    kind: 'values',
    value: 'PATH',
    setting: 'none',
    text: 'a path, or a name beneath the roots, that it does not read',
    hasRow: false,
  },
  {
    name: 'limit',
    kind: 'values',
    value: 'NAME=N',
    completes: LIMIT_COMPLETIONS,
    setting: 'those of docs/confinement.md',
    text: 'how much it uses: memory=2GiB, processes=50, cpu=30s',
  },
  {
    name: 'require',
    kind: 'values',
    value: 'NAME',
    completes: GUARANTEES,
    setting: 'none',
    text: 'what must be enforced, as doctor calls it; can be repeated',
  },
] as const satisfies readonly Option[];

/** The values of these options for a terminal. */
export function confineOptions(line: CommandLine): Pick<TerminalOptions, 'confine' | 'require'> {
  const names = ['writes', 'exec', 'remove', 'reads'] as const;
  const chosenValues = names.flatMap((name) => {
    const value = lastValue(line, name);
    return value === undefined ? [] : [[name, oneOf(optionLabel(line, name), value, CONFINE_CHOICES[name])] as const];
  });
  const places = (['readable', 'unreadable'] as const).flatMap((name) => {
    const given = line.values.get(name);
    return given === undefined || given.length === 0 ? [] : [[name, given] as const];
  });
  const hosts = line.values.has('allow-host') ? listEntries(line, 'allow-host') : undefined;
  if (hosts !== undefined && line.values.has('network')) {
    throw new UsageError(`${optionLabel(line, 'allow-host')} and ${optionLabel(line, 'network')} exclude each other`);
  }
  const entries = line.values.get('limit');
  const limits = entries === undefined ? [] : [['limits', limitValues(entries, optionLabel(line, 'limit'))] as const];
  const network = hosts === undefined ? networkChoice(line) : [['network', { allow: hosts }] as const];
  const confine = [...chosenValues, ...places, ...network, ...limits];
  const required = (line.values.get('require') ?? []).map((name) =>
    oneOf<Guarantee>(optionLabel(line, 'require'), name, GUARANTEES),
  );
  return {
    ...(confine.length === 0 ? {} : { confine: Object.fromEntries(confine) as ConfineOptions }),
    ...(required.length === 0 ? {} : { require: required }),
  };
}

function networkChoice(line: CommandLine): readonly (readonly ['network', NetworkOption])[] {
  const value = lastValue(line, 'network');
  if (value === undefined) return [];
  const choice = oneOf(optionLabel(line, 'network'), value, NETWORK_CHOICES);
  return [['network', choice === REGISTRIES_ENTRY ? { allow: choice } : choice]];
}

/** Returns `value` when it is one of `names`. @throws UsageError that lists the names. */
export function oneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const matchingName = names.find((name) => name === value);
  if (matchingName !== undefined) return matchingName;
  throw new UsageError(`${option} takes ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
}
