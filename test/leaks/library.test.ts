/**
 * A secret in every place of the public surface where something can go wrong, and in everything the library then gives:
 * errors with their causes and stacks, results, inspections. What is public and has no entry here fails the first test.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import * as handrail from '../../ts/index.js';
import { toolkits } from '../support/toolkits.js';
import { adapterPlantings } from './adapters.js';
import { BUS_PLANTINGS } from './bus.js';
import { CUSTOM_TOOL_PLANTINGS } from './custom-tools.js';
import { FILE_PLANTINGS, type Planting } from './files.js';
import { FORWARD_PLANTINGS } from './forwarded-ports.js';
import { HOSTED_TOOL_PLANTINGS } from './hosted-tools.js';
import { JOB_PLANTINGS } from './jobs.js';
import { everythingOf, partsOf, TOKEN, UNKNOWN } from './planted.js';
import { SANDBOX_PLANTINGS } from './sandbox.js';
import { SESSION_PLANTINGS } from './sessions.js';
import { INPUT_PLANTINGS, STREAM_PLANTINGS } from './streams.js';
import { publicMembers } from './surface.js';
import { WASM_PLANTINGS } from './wasm.js';

const { boundOutput, createToolkit, HandrailError, Redactor, Terminal } = handrail;
const { make, audited } = toolkits();

/** Anything where something else belongs. */
const wrong = (value: unknown): never => value as never;

const knowing = (secret: string) => new Redactor({ secrets: { PLANTED: secret } });

/** A terminal for one call; shells are here to write what nobody could say before. */
async function withTerminal<Value>(
  options: handrail.TerminalOptions,
  use: (terminal: handrail.Terminal) => Promise<Value>,
): Promise<unknown> {
  await using terminal = new Terminal({ allow: ['echo', 'cat'], ...options });
  return [await use(terminal), terminal];
}

/** A program that writes the secret in two pieces, so that it stands in no command. */
const writes = (secret: string, rest = ''): string[] => [
  'sh',
  '-c',
  `printf '%s' ${secret.slice(0, 9)}; echo ${secret.slice(9)}; ${rest}`,
];

const SHELL = { allow: ['sh', 'sleep', 'seq'], trustInterpreters: ['sh'] };
const run = (options: (secret: string) => handrail.TerminalOptions, command: (secret: string) => string | string[]) =>
  ((secret) => withTerminal(options(secret), (terminal) => terminal.run(command(secret)))) satisfies Planting;

const called = (args: (secret: string) => unknown, knows = false): Planting => {
  return async (secret) => {
    const { toolkit, records } = await audited(knows ? { redaction: knowing(secret) } : {});
    return [await toolkit.execute('terminal_run', args(secret)), records];
  };
};
/** A call of `terminalRun` with these variables of its policy. */
const underPolicy = (variables: (secret: string) => Record<string, string>, ...rest: ((secret: string) => unknown)[]) =>
  (async (secret) => {
    vi.stubEnv('TERMINAL_ALLOWED_COMMANDS', 'echo,cat');
    for (const [name, value] of Object.entries(variables(secret))) vi.stubEnv(name, value);
    try {
      const [command = () => 'echo', cwd = () => undefined] = rest;
      return await handrail.terminalRun(wrong(command(secret)), wrong(cwd(secret)));
    } finally {
      vi.unstubAllEnvs();
    }
  }) satisfies Planting;

const POLICY: Record<string, (secret: string) => Record<string, string>> = {
  'programs to allow': (secret) => ({ TERMINAL_ALLOWED_COMMANDS: `ls,${secret}*` }),
  'programs to deny': (secret) => ({ TERMINAL_DENY_COMMANDS: `["ls", "${secret}` }),
  interpreters: (secret) => ({ TERMINAL_TRUSTED_INTERPRETERS: `/bin/${secret}` }),
  'a time': (secret) => ({ TERMINAL_TIMEOUT_SECONDS: secret }),
  'a cap': (secret) => ({ TERMINAL_OUTPUT_CAP_BYTES: secret }),
  'a length': (secret) => ({ TERMINAL_FUNCTION_OUTPUT_MAX_CHARS: secret }),
  substrings: (secret) => ({ TERMINAL_REDACT_SUBSTRINGS: `["${secret}\\n"]` }),
  'a pattern': (secret) => ({ TERMINAL_REDACT_PATTERNS: `(${secret}` }),
  'a pattern with a comma': (secret) => ({ TERMINAL_REDACT_PATTERNS: `${secret}{1,2}` }),
  'a folder': (secret) => ({ TERMINAL_SANDBOX_CWD: `/nowhere/${secret}` }),
};

const ruleFile = (fields: string): handrail.RuleFile => ({ name: 'team.toml', toml: `[[rules]]\n${fields}\n` });
const stream = (): handrail.RedactionStream => new Redactor().stream();

const PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  ...FILE_PLANTINGS,
  ...HOSTED_TOOL_PLANTINGS,
  ...BUS_PLANTINGS,
  ...CUSTOM_TOOL_PLANTINGS,
  ...FORWARD_PLANTINGS,
  ...SESSION_PLANTINGS,
  ...JOB_PLANTINGS,
  ...SANDBOX_PLANTINGS,
  ...adapterPlantings(make),
  ...STREAM_PLANTINGS,
  ...WASM_PLANTINGS,
  terminalRun: {
    ...Object.fromEntries(Object.entries(POLICY).map(([name, variables]) => [name, underPolicy(variables)])),
    'an argument of what is denied': underPolicy(
      () => ({}),
      (secret) => `rm ${secret}`,
    ),
    'a command that does not parse': underPolicy(
      () => ({}),
      (secret) => `echo "${secret}`,
    ),
    'an operator': underPolicy(
      () => ({}),
      (secret) => `echo | ${secret}`,
    ),
    'no string': underPolicy(
      () => ({}),
      (secret) => ({ [secret]: secret }),
    ),
    'a folder that is not there': underPolicy(
      () => ({}),
      () => 'echo',
      (secret) => `/nowhere/${secret}`,
    ),
    'a folder that is no string': underPolicy(
      () => ({}),
      () => 'echo',
      (secret) => ({ [secret]: secret }),
    ),
  },
  loadTerminalPolicyFromEnv: Object.fromEntries(
    Object.entries(POLICY).map(([name, variables]) => [
      name,
      (secret: string) => handrail.loadTerminalPolicyFromEnv({ TERMINAL_ALLOWED_COMMANDS: 'ls', ...variables(secret) }),
    ]),
  ),
  isHandrailError: { 'the cause of another error': (secret) => handrail.isHandrailError(new Error(secret)) },
  stripAnsi: { 'no string': (secret) => handrail.stripAnsi(wrong([secret])) },
  sanitize: { 'no bytes': (secret) => handrail.sanitize(wrong(secret)) },
  truncateOutput: {
    'no string': (secret) => handrail.truncateOutput(wrong({ [secret]: secret }), 1),
    'no number': (secret) => handrail.truncateOutput('', wrong(secret)),
  },
  boundOutput: {
    'no string': (secret) => boundOutput(wrong([secret]), { maxChars: 1 }),
    'an unknown option': (secret) => boundOutput('', wrong({ [secret]: 1 })),
    'no number': (secret) => boundOutput('', { maxChars: wrong(secret) }),
    'a text that is cut off': (secret) => boundOutput(secret, { maxChars: 3 }),
  },
  excerptOutput: {
    'no string': (secret) => handrail.excerptOutput(wrong([secret])),
    'an unknown option': (secret) => handrail.excerptOutput('', wrong({ [secret]: 1 })),
    'a text that is cut off': (secret) => handrail.excerptOutput(`${secret}\n`.repeat(9), { tokens: 1 }),
  },
  readRuleFile: {
    'a file that is not there': (secret) => handrail.readRuleFile(`/nowhere/${secret}`),
    'no string': (secret) => handrail.readRuleFile(wrong({ [secret]: secret })),
  },
  createToolkit: {
    'an unknown option': (secret) => createToolkit(wrong({ workspace: '.', [secret]: secret })),
    'a workspace that is not there': (secret) => createToolkit({ workspace: `/nowhere/${secret}` }),
    'a root that is not there': (secret) => createToolkit({ roots: [{ path: secret, mode: 'ro' }] }),
    'the mode of a root': (secret) => createToolkit({ roots: [{ path: '.', mode: wrong(secret) }] }),
    'a rule of the terminal': (secret) => make({ terminal: { allow: [wrong({ program: secret, args: secret })] } }),
    'an unknown option of the terminal': (secret) => make({ terminal: wrong({ [secret]: 1 }) }),
    redaction: (secret) => make({ redaction: { patterns: [`(${secret}`] } }),
    'an audit': (secret) => make({ audit: wrong(secret) }),
    telemetry: (secret) => make({ telemetry: wrong({ [secret]: secret }) }),
    limits: (secret) => make({ limits: wrong({ [secret]: secret }) }),
    'what it looks like': async (secret) => {
      const toolkit = await make({ redaction: { secrets: [secret] }, terminal: { env: { set: { KEY: secret } } } });
      return [toolkit, toolkit.terminal, toolkit.redactor];
    },
  },
  'new HandrailError': { 'what it looks like': () => new HandrailError('ERR_CLOSED', 'This was closed') },
  'new Redactor': {
    'no options': (secret) => new Redactor(wrong([secret])),
    'an unknown option': (secret) => new Redactor(wrong({ [secret]: secret })),
    'a value that is too short': (secret) => new Redactor({ secrets: { NAME: secret }, minSecretLength: 100 }),
    'a value without a name that is too short': (secret) => new Redactor({ secrets: [secret], minSecretLength: 100 }),
    'a value beside one that is wrong': (secret) => new Redactor({ secrets: [secret, wrong(7)] }),
    'a name whose value is wrong': (secret) => new Redactor({ secrets: { [secret]: wrong(7) } }),
    'a name whose value is refused': (secret) => new Redactor({ secrets: { [secret]: 'localhost' } }),
    'a text where a list belongs': (secret) => new Redactor({ secrets: wrong(secret) }),
    'a substring with a line break': (secret) => new Redactor({ substrings: [`${secret}\n`] }),
    'a substring that is no string': (secret) => new Redactor({ substrings: [wrong([secret])] }),
    'a pattern that is cut off': (secret) => new Redactor({ patterns: [`(${secret}`] }),
    'a pattern with a group': (secret) => new Redactor({ patterns: [`(?<${secret}-x>a)`] }),
    'a pattern with a class': (secret) => new Redactor({ patterns: [`\\p{${secret}}`] }),
    'a pattern with a count': (secret) => new Redactor({ patterns: [`a{${secret}}`] }),
    'a pattern that is too large': (secret) => new Redactor({ patterns: [`(?:${secret}{1000}){1000}{9}`] }),
    'a pattern that is no string': (secret) => new Redactor({ patterns: [wrong({ [secret]: secret })] }),
    'a rule': (secret) => new Redactor({ rules: [secret] }),
    'a text for rules': (secret) => new Redactor({ rules: wrong(secret) }),
    'the name of a rule file': (secret) => new Redactor({ ruleFiles: [{ name: secret, toml: 'x' }] }),
    'a rule file that is no TOML': (secret) => new Redactor({ ruleFiles: [{ name: 'a', toml: secret }] }),
    'a rule file that is no rule file': (secret) => new Redactor({ ruleFiles: [wrong({ [secret]: secret })] }),
    'a text where rule files belong': (secret) => new Redactor({ ruleFiles: wrong(secret) }),
    'the regex of a rule': (secret) => new Redactor({ ruleFiles: [ruleFile(`id = 'a'\nregex = '(${secret}'`)] }),
    'the id of a rule': (secret) => new Redactor({ ruleFiles: [ruleFile(`id = '${secret}'\nregex = '('`)] }),
    'a key of a rule': (secret) => {
      const redactor = new Redactor({ ruleFiles: [ruleFile(`id = 'a'\nregex = 'a'\n${secret} = '${secret}'`)] });
      return [redactor, redactor.ruleNotes];
    },
    'a length': (secret) => new Redactor({ minSecretLength: wrong(secret) }),
    'a label': (secret) => new Redactor({ label: wrong(secret) }),
    'what it looks like': (secret) =>
      new Redactor({ secrets: { A: secret }, substrings: [secret], patterns: [secret, `${secret}x*`] }),
  },
  'Redactor.ruleNotes': {
    'ids and keys': (secret) =>
      new Redactor({
        ruleFiles: [
          ruleFile(`id = '${secret}'\npath = '${secret}'\n${secret} = 1\n[extend]\ndisabledRules = ['${secret}']`),
        ],
      }).ruleNotes,
  },
  'Redactor.addSecret': {
    'a value that is too short': (secret) => new Redactor({ minSecretLength: 100 }).addSecret('NAME', secret),
    'a value that is no string': (secret) => new Redactor().addSecret('NAME', wrong([secret])),
    'a name that is no string': (secret) => new Redactor().addSecret(wrong([secret]), secret),
    'a name whose value is refused': (secret) => new Redactor().addSecret(secret, 'localhost'),
    'what the redactor looks like': (secret) => {
      const redactor = new Redactor();
      redactor.addSecret('LATE', secret);
      return redactor;
    },
  },
  'Redactor.redact': {
    'no string': (secret) => new Redactor().redact(wrong([secret])),
    'a known value': (secret) => knowing(secret).redact(`of ${secret} and ${Buffer.from(secret).toString('base64')}`),
  },
  'Redactor.redactBytes': {
    'no bytes': (secret) => new Redactor().redactBytes(wrong(secret)),
    'a known value': (secret) => Buffer.from(knowing(secret).redactBytes(Buffer.from(secret))).toString(),
  },
  'Redactor.scan': {
    'no string': (secret) => new Redactor().scan(wrong([secret])),
    'a known value': (secret) => knowing(secret).scan(`of ${secret}`),
  },
  'Redactor.stream': {
    'what it looks like': (secret) => {
      const open = knowing(secret).stream();
      open.write(secret.slice(0, -1));
      return open;
    },
  },
  'Redactor.transform': {
    'no bytes': (secret) =>
      new Promise((resolve) => {
        const transform = new Redactor().transform().on('error', resolve);
        transform._transform(wrong([secret]), 'utf8', resolve);
      }),
    'what it looks like': (secret) => {
      const transform = knowing(secret).transform();
      transform.write(secret.slice(0, -1));
      return transform;
    },
  },
  'RedactionStream.write': {
    'no bytes': (secret) => stream().write(wrong([secret])),
    'bytes behind the end': (secret) => {
      const ended = stream();
      ended.end();
      return ended.write(secret);
    },
  },
  'RedactionStream.idle': {
    'a known value that goes on': (secret) => {
      const open = knowing(secret).stream();
      return [open.write(`a ${secret.slice(0, 12)}`), open.idle(), open.write(secret.slice(12)), open.end()].map(
        String,
      );
    },
  },
  'RedactionStream.end': {
    'a known value': (secret) => {
      const open = knowing(secret).stream();
      return [open.write(secret.slice(0, 12)), open.write(secret.slice(12)), open.end(), open.counts].map(String);
    },
  },
  'new Terminal': {
    'no options': (secret) => new Terminal(wrong(secret)),
    'an unknown option': (secret) => new Terminal(wrong({ [secret]: secret })),
    'no rules': (secret) => new Terminal({ allow: wrong(secret) }),
    'a rule with an unknown key': (secret) => new Terminal({ allow: [wrong({ program: 'ls', [secret]: secret })] }),
    'arguments of a rule': (secret) => new Terminal({ allow: [{ program: 'git', args: wrong(secret) }] }),
    'a pattern for a rule': (secret) => new Terminal({ allow: [`${secret}*`] }),
    'an interpreter': (secret) => new Terminal({ trustInterpreters: [wrong([secret])] }),
    'a folder for programs': (secret) => new Terminal({ path: [secret] }),
    'a folder for programs that agents write': (secret) => new Terminal({ path: [`/tmp/${secret}`], roots: ['/tmp'] }),
    'a root': (secret) => new Terminal({ roots: [wrong({ path: [secret], mode: secret })] }),
    'the mode of a root': (secret) => new Terminal({ roots: [{ path: '/', mode: wrong(secret) }] }),
    'a variable to inherit': (secret) => new Terminal({ env: { inherit: [`${secret}-`] } }),
    'a name to set': (secret) => new Terminal({ env: { set: { [`${secret}-`]: '' } } }),
    'a name to set to nothing': (secret) => new Terminal({ env: { set: { [secret]: wrong(7) } } }),
    'a value to set': (secret) => new Terminal({ env: { set: { NAME: `${secret}\0` } } }),
    'a number': (secret) => new Terminal({ timeoutMs: wrong(secret), graceMs: wrong(secret) }),
    'an output': (secret) => new Terminal({ output: wrong({ [secret]: secret }) }),
    'a profile': (secret) => new Terminal({ sandbox: wrong(secret) }),
    'a guarantee': (secret) => new Terminal({ require: [wrong(secret)] }),
    'a redactor': (secret) => new Terminal({ redactor: wrong({ secrets: [secret] }) }),
    'an approver': (secret) => new Terminal({ approve: wrong(secret) }),
    'what it looks like': (secret) => new Terminal({ env: { set: { KEY: secret } }, redactor: knowing(secret) }),
  },
  'Terminal.withheld': {
    'the value of a variable': (secret) => {
      vi.stubEnv('PLANTED_KEY', secret);
      try {
        return new Terminal().withheld;
      } finally {
        vi.unstubAllEnvs();
      }
    },
  },
  'Terminal.explain': {
    'no command': (secret) => new Terminal().explain(wrong({ [secret]: secret })),
    'an entry that is no string': (secret) => new Terminal().explain(['echo', wrong([secret])]),
    'a NUL': (secret) => new Terminal().explain(['echo', `${secret}\0`]),
    'an argument of what is denied': (secret) => new Terminal({ allow: ['ls'] }).explain(['rm', secret]),
    'a command that does not parse': (secret) => new Terminal({ allow: ['ls'] }).explain(`ls "${secret}`),
    'a redirection': (secret) => new Terminal({ allow: ['ls'] }).explain(`ls > /${secret} < ${secret}`),
    'an assignment': (secret) => new Terminal({ allow: ['ls'] }).explain(`LD_PRELOAD=${secret} ls`),
    'a substitution': (secret) => new Terminal({ allow: ['ls'] }).explain(`ls $(rm ${secret})`),
    'an argument that is judged': (secret) => new Terminal({ allow: ['git'] }).explain(['git', '-c', `x.y=${secret}`]),
    'a program': (secret) => new Terminal({ allow: ['ls'], redactor: knowing(secret) }).explain([secret]),
  },
  'Terminal.run': {
    'no command': (secret) => withTerminal({}, (terminal) => terminal.run(wrong({ [secret]: secret }))),
    'an unknown option': (secret) => withTerminal({}, (terminal) => terminal.run('echo', wrong({ [secret]: secret }))),
    ...INPUT_PLANTINGS,
    'an input that is none': (secret) =>
      withTerminal({}, (terminal) => terminal.run('echo', { stdin: wrong([secret]) })),
    'a signal that is none': (secret) =>
      withTerminal({}, (terminal) => terminal.run('echo', { signal: wrong(secret) })),
    'a listener that is none': (secret) =>
      withTerminal({}, (terminal) => terminal.run('echo', { onOutput: wrong(secret) })),
    'a time that is none': (secret) =>
      withTerminal({}, (terminal) => terminal.run('echo', { timeoutMs: wrong(secret) })),
    'a folder that is not there': (secret) =>
      withTerminal({}, (terminal) => terminal.run('echo', { cwd: `/nowhere/${secret}` })),
    'a folder outside of the roots': (secret) =>
      withTerminal({ roots: ['/usr'] }, (terminal) => terminal.run('echo', { cwd: `/tmp/${secret}` })),
    'an argument of what is denied': run(
      () => ({}),
      (secret) => ['rm', secret],
    ),
    'a command that does not parse': run(
      () => ({}),
      (secret) => `echo "${secret}`,
    ),
    'a program that is not there': run(
      (secret) => ({ deny: ['ls'], allow: wrong(undefined), redactor: knowing(secret) }),
      (secret) => [secret],
    ),
    'a program by a path that is not there': run(
      (secret) => ({ deny: ['ls'], allow: wrong(undefined), redactor: knowing(secret) }),
      (secret) => [`/nowhere/${secret}`, secret],
    ),
    'a file that the program misses': run(
      (secret) => ({ redactor: knowing(secret) }),
      (secret) => ['cat', `/nowhere/${secret}`],
    ),
    'the environment': run(
      (secret) => ({
        allow: ['env'],
        trustInterpreters: ['env'],
        env: { set: { KEY: secret } },
        redactor: knowing(secret),
      }),
      () => ['env'],
    ),
    'what is written before its time is over': run(
      (secret) => ({ ...SHELL, redactor: knowing(secret), timeoutMs: 1_500, graceMs: 10 }),
      (secret) => writes(secret, 'sleep 600'),
    ),
    'what is written before a signal': run(
      (secret) => ({ ...SHELL, redactor: knowing(secret) }),
      (secret) => writes(secret, 'kill -SEGV $$'),
    ),
    'what is left out, and spilled': async (secret) => {
      const options = { ...SHELL, redactor: knowing(secret), output: { headBytes: 9, tailBytes: 9, spillBytes: 99 } };
      await using terminal = new Terminal(options);
      const result = await terminal.run(writes(secret, `echo ${secret}; seq 99; echo ${secret}`));
      const { path = '' } = result.spill ?? {};
      expect(existsSync(path)).toBe(true);
      return [result, readFileSync(path, 'utf8')];
    },
    'what nobody approves': run(
      (secret) => ({
        allow: ['sh'],
        redactor: knowing(secret),
        approve: async () => ({ approved: false, reason: secret }),
      }),
      (secret) => ['sh', '-c', secret],
    ),
    'an answer of the approver': (secret) =>
      withTerminal(
        { allow: ['sh'], approve: wrong(async () => ({ approved: secret, [secret]: secret })) },
        (terminal) => terminal.run(['sh', '-c', 'x'], {}),
      ),
    'what it waits for': (secret) =>
      withTerminal({ ...SHELL, redactor: knowing(secret) }, async (terminal) => {
        const pending = terminal.run(writes(secret));
        return [terminal, pending, await pending];
      }),
  },
  'Terminal.ready': {
    'a guarantee': (secret) => new Terminal({ require: ['network'], env: { set: { KEY: secret } } }).ready(),
  },
  'Terminal.capabilities': {
    'the value of a variable': (secret) => new Terminal({ env: { set: { KEY: secret } } }).capabilities(),
  },
  'Terminal.close': {
    'a call behind it': async (secret) => {
      const terminal = new Terminal({ allow: ['echo'] });
      await terminal.close();
      return await terminal.run(['echo', secret]);
    },
  },
  'Terminal.[asyncDispose]': {
    'a call behind it': async (secret) => {
      const terminal = new Terminal({ allow: ['echo'] });
      await terminal[Symbol.asyncDispose]();
      return await terminal.run(`echo ${secret}`);
    },
  },
  'Toolkit.definitions': {
    'a value of its options': async (secret) =>
      (await make({ terminal: { allow: ['echo'], env: { set: { KEY: secret } } } })).definitions(),
  },
  'Toolkit.execute': {
    'an argument of the wrong type': called((secret) => ({ command: [secret] })),
    'an unknown argument': called((secret) => ({ command: 'echo', [secret]: secret })),
    'no arguments': called((secret) => secret),
    'a number': called((secret) => ({ command: 'echo', timeout_ms: secret })),
    'a folder that is not there': called((secret) => ({ command: 'echo', cwd: secret }), true),
    'an argument of what is denied': called((secret) => ({ command: `rm ${secret}` }), true),
    'an unknown tool': async (secret) => {
      const { toolkit, records } = await audited({ redaction: knowing(secret) });
      return [await toolkit.execute(secret, {}), records];
    },
    'a context that is none': async (secret) => (await make()).execute('terminal_run', {}, wrong({ [secret]: secret })),
    'an id': async (secret) => {
      const { toolkit, records } = await audited({ redaction: knowing(secret) });
      const ids = { callId: secret, traceparent: secret };
      await toolkit.execute('terminal_run', { command: `cat ${secret}`, cwd: secret }, ids);
      return records;
    },
    'a signal that is none': async (secret) =>
      (await make()).execute('terminal_run', { command: 'echo' }, { signal: wrong(secret) }),
  },
  'Toolkit.capabilities': {
    'a value of its options': async (secret) =>
      (await make({ terminal: { env: { set: { KEY: secret } } } })).capabilities(),
  },
  'Toolkit.on': {
    'an event': async (secret) => (await make()).on(wrong(secret), () => undefined),
    'a listener that is none': async (secret) => (await make()).on('call', wrong(secret)),
  },
  'Toolkit.off': {
    'an event': async (secret) => (await make()).off(wrong(secret), () => undefined),
    'a listener that is none': async (secret) => (await make()).off('call', wrong(secret)),
  },
  'Toolkit.close': {
    'a call behind it': async (secret) => {
      const toolkit = await make();
      await toolkit.close();
      return await toolkit.execute('terminal_run', { command: `echo ${secret}` });
    },
  },
};

test('everything in the reference that can be called has a secret planted in it', () => {
  expect(Object.keys(PLANTINGS).sort()).toEqual(publicMembers().sort());
  const called = Object.entries(handrail).filter(([, value]) => typeof value === 'function');
  const known = new Set(publicMembers());
  expect(called.map(([name]) => name).filter((name) => !known.has(name) && !known.has(`new ${name}`))).toEqual([]);
});

/** What `planting` gave, or threw. */
async function outcomeOf(planting: Planting, secret: string): Promise<unknown> {
  try {
    return await planting(secret);
  } catch (error) {
    return error;
  }
}

describe.each(Object.entries(PLANTINGS))('%s', (_member, plantings) => {
  test.each(Object.entries(plantings))('%s', async (_name, planting) => {
    for (const secret of [UNKNOWN, TOKEN]) {
      const said = everythingOf(await outcomeOf(planting, secret));
      expect(partsOf(secret, said), said).toEqual([]);
    }
  });
});

test('a secret that is shown is seen', () => {
  for (const shown of [{ cause: new Error(`of ${UNKNOWN}`) }, [UNKNOWN.slice(3, 12)], new Map([[UNKNOWN, 1]])]) {
    expect(partsOf(UNKNOWN, everythingOf(shown))).not.toEqual([]);
  }
  expect(partsOf(UNKNOWN, everythingOf(new Error('x', { cause: { of: { it: UNKNOWN } } })))).not.toEqual([]);
});
