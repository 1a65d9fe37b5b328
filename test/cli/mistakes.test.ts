import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../support/cli.js';

const MISTAKES: readonly (readonly [string, readonly string[], RegExp])[] = [
  [
    'no command',
    [''],
    /which command\? There are run, explain, redact, mcp, serve, session, audit, bus, doctor, undo, trust, demo and completion/,
  ],
  [
    'an unknown command',
    ['fly'],
    /there is no command fly; there are run, explain, redact, mcp, serve, session, audit, bus, doctor, undo, trust, demo and completion$/,
  ],
  ['a command with a letter missing', ['redct'], /there is no command redct; did you mean redact\?$/],
  ['a command with letters exchanged', ['dcotor', '--help'], /there is no command dcotor; did you mean doctor\?$/],
  ['help about an unknown command', ['help', 'rnu'], /there is no command rnu; did you mean run\?$/],
  ['a name every object has', ['constructor'], /there is no command constructor/],
  ['a name that would paint the terminal', ['\u001b[31mrun'], /there is no command of this name/],
  ['no program', ['run', '--allow', 'echo'], /which program\? Name it last$/],
  ['no program behind the dashes', ['run', '--allow', 'echo', '--'], /which program\?/],
  ['an option that may be a secret', ['redact', '--token-abc123'], /there is no option of this name$/],
  ['a command that may be a secret', ['abc123'], /there is no command of this name; there are/],
  ['an unknown option', ['run', '--sandbox=off', '--', 'echo'], /there is no option --sandbox$/],
  [
    'an option with a letter missing',
    ['run', '--alow', 'ls', '--', 'ls'],
    /there is no option --alow; did you mean --allow\?$/,
  ],
  ['an option without its value', ['run', '--allow'], /--allow needs a value/],
  ['dashes for a value', ['run', '--allow', '--', 'echo'], /--allow needs a value/],
  ['a value for a flag', ['run', '--json=yes', '--', 'echo'], /--json takes no value/],
  ['a deadline that is no number', ['run', '--timeout', 'soon', '--', 'echo'], /--timeout takes a whole number/],
  ['a deadline of 0', ['run', '--timeout', '0', '--', 'echo'], /from 1 to 86400000/],
  ['a deadline that is too long', ['run', '--timeout', '86400001', '--', 'echo'], /from 1 to 86400000/],
  ['a deadline past all numbers', ['run', '--timeout', '9'.repeat(400), '--', 'echo'], /from 1 to 86400000/],
  ['a limit without a name', ['run', '--limit', '2GiB', '--', 'echo'], /--limit takes memory=, processes=, cpu=/],
  [
    'a limit of nothing',
    ['run', '--limit', 'disk=0', '--', 'echo'],
    /--limit disk takes a number of bytes from 65536 to/,
  ],
  [
    'a unit that the limit has not',
    ['run', '--limit', 'memory=2s', '--', 'echo'],
    /--limit memory takes a number and KiB/,
  ],
  [
    'a unit for a number',
    ['run', '--limit', 'processes=2k', '--', 'echo'],
    /--limit processes takes a number, or none$/,
  ],
  ['a pattern to allow', ['run', '--allow', 'ls,*', '--', 'echo'], /--allow entry 2 is a pattern/],
  ['a pattern to deny', ['run', '--deny', 'git-*', '--', 'echo'], /--deny entry 1 is a pattern/],
  ['a pattern among arguments', ['run', '--allow', 'git log *', 'git'], /--allow entry 1 has a \* that is not quoted/],
  ['two commands in one rule', ['run', '--deny', 'ls,ls;rm', 'ls'], /--deny entry 2 has a ; that is not quoted/],
  ['a variable in a rule', ['run', '--allow', 'ls "$HOME"', 'ls'], /--allow entry 1 has a \$ that is not quoted/],
  ['a rule with half a quote', ['run', '--allow', "git 'log", 'git'], /--allow entry 1 has a ' without its end/],
  ['a rule that ends too soon', ['run', '--allow', 'git log\\', 'git'], /--allow entry 1 ends with a backslash/],
  ['an empty argument in a rule', ['run', '--allow', 'git ""', 'git'], /--allow entry 1 has an empty argument/],
  [
    'a rule with too many arguments',
    ['run', '--allow', `git${' a'.repeat(65)}`, 'git'],
    /--allow entry 1 has 65 arguments, and 64 are the most/,
  ],
  ['nothing but a comma to deny', ['run', '--deny', ',', '--', 'echo'], /--deny has an empty entry/],
  ['a blank to allow', ['run', '--allow', ' ', '--', 'echo'], /--allow has an empty entry/],
  ['an entry that came out empty', ['redact', '--secret-env', 'HOME,,PATH'], /--secret-env has an empty entry/],
  ['a path to trust', ['run', '--trust', '/bin/sh', '--', 'sh'], /--trust entry 1 is not a program name/],
  [
    'a root that is missing',
    ['run', '--root', '/', '--root', '/none', '--', 'ls'],
    /--root \/none is not a directory$/,
  ],
  ['a place to write that there is not', ['run', '--writes', 'some', '--', 'ls'], /--writes takes roots, none or any$/],
  [
    'a network that there is not',
    ['run', '--network=some', '--', 'ls'],
    /--network takes none, loopback, registries, ask or any$/,
  ],
  [
    'a network and a list of hosts',
    ['run', '--network=none', '--allow-host=a.example', '--', 'ls'],
    /--allow-host and --network exclude each other$/,
  ],
  [
    'a guarantee that there is not',
    ['run', '--require', 'speed', '--', 'ls'],
    /--require takes writes, exec, .* or limits$/,
  ],
  ['a directory that is missing', ['run', '--cwd', '/none', 'ls'], /--cwd \/none is not a directory$/],
  ['a file for a directory', ['run', '--cwd', '/etc/passwd', 'ls'], /--cwd \/etc\/passwd is not a directory$/],
  ['a directory that may be a secret', ['run', '--root', 'password=hunter2', 'ls'], /--root \[\.\.\.\] is not/],
  ['a relative search folder', ['run', '--path', 'bin', '--', 'echo'], /--path takes an absolute path, not bin$/],
  ['two words for a script', ['run', '--shell', '--', 'ls', '-l'], /--shell takes one word: put the script in quotes$/],
  ['no script', ['run', '--shell', '--'], /which script\? Name it last$/],
  ['nothing to explain', ['explain'], /which command\? Put it in quotes/],
  ['two words to explain', ['explain', 'ls', 'x'], /explain takes one word: put the command in quotes/],
  ['words for doctor', ['doctor', 'house'], /doctor takes options only/],
  ['the standard input twice', ['redact', '-', 'a', '-'], /- stands there twice$/],
  ['two ways at once', ['redact', '--check', '--in-place', 'a'], /--in-place and --check do not go together$/],
  ['nothing to replace', ['redact', '--in-place'], /--in-place takes files: the standard input cannot be replaced$/],
  ['a file beside what is staged', ['redact', '--staged', 'a'], /--staged takes no FILE: git says which there are$/],
  ['a format of nothing', ['redact', '--format', 'sarif', 'a'], /--format is for --check and --staged$/],
  ['a format that there is not', ['redact', '--check', '--format', 'xml', 'a'], /--format takes text or sarif$/],
  [
    'a pattern that does not compile',
    ['redact', '--pattern', 'a', '--pattern', '(b'],
    /--pattern number 2 is invalid at/,
  ],
  ['a pattern that is empty', ['redact', '--pattern='], /--pattern needs a value/],
  ['no audit file', ['audit'], /which file\? Name one/],
  ['two audit files', ['audit', 'a', 'b'], /audit takes one file$/],
  ['an audit file that is not there', ['audit', '/none'], /\/none cannot be read \(ENOENT\)$/],
  ['a decision that there is not', ['audit', '--decision', 'allow,no', 'a'], /--decision takes allow, ask, deny$/],
  ['a time that there is not', ['audit', '--since', 'soon', 'a'], /--since takes a time such as 2026-11-25, /],
  ['nothing to do with a bus', ['bus'], /bus takes what to do: tail or send$/],
  ['something else to do with a bus', ['bus', 'flush'], /bus takes what to do: tail or send$/],
  [
    'a bus that nobody else has',
    ['bus', 'tail', 'chat:a'],
    /REDIS_URL is not set: the embedded bus lives in one process/,
  ],
  ['no shell', ['completion'], /completion takes the name of a shell: bash, zsh, fish$/],
  ['an unknown shell', ['completion', 'ksh'], /completion takes the name of a shell: bash, zsh, fish$/],
];

const WITH_JSON = MISTAKES.filter(
  ([, [command, ...rest]]) => ['run', 'doctor'].includes(command ?? '') && rest.length > 0,
);
const REDACT_JSON = [
  [['--staged', 'b'], 'ERR_INVALID_ARGUMENT'],
  [['--pattern', '(b'], 'ERR_INVALID_PATTERN'],
] as const;

describe('wrong usage', () => {
  it.each(MISTAKES)('%s exits with 125, one line and where to read on', async (_name, args, problem) => {
    const { code, stdout, stderr } = await runCommandLine(args);
    expect({ code, stdout }).toEqual({ code: 125, stdout: '' });
    const [first = '', second = '', ...rest] = stderr.split('\n');
    expect(first).toMatch(/^handrail: \S/);
    expect(first.slice('handrail: '.length)).toMatch(problem);
    expect(second).toMatch(
      /^see handrail (run |explain |redact |audit |bus |doctor |trust |demo |completion )?--help$/,
    );
    expect(rest).toEqual(['']);
  });

  it.each(WITH_JSON)('%s is JSON with --json', async (_name, [command = '', ...args], problem) => {
    const { code, stdout, stderr } = await runCommandLine([command, '--json', ...args]);
    expect({ code, stderr }).toEqual({ code: 125, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'ERR_INVALID_ARGUMENT', message: expect.stringMatching(problem) },
    });
  });

  it.each(REDACT_JSON)('redact %j is JSON where the report would be', async (args, error) => {
    const { code, stdout, stderr } = await runCommandLine(['redact', '--json', ...args]);
    expect({ code, stdout }).toEqual({ code: 125, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({ error: { code: error, message: expect.any(String) } });
  });
});
