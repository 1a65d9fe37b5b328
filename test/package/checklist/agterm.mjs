// Checklist D: programs on a terminal that keep their state.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as h from 'handrail';
import { hasProgram, line, living, marker, SECRET, skipped, sleep, temporaryFolder, until } from './line.mjs';

const { AGTerm } = h;
const PROMPT = '__AGPROMPT__ ';
const folder = temporaryFolder('agterm');
const open = [];

/** A terminal that is closed at the end. */
function start(...args) {
  const made = new AGTerm(...args);
  open.push(made);
  return made;
}

/** An interactive bash with the prompt of the list. */
async function bash(options = {}) {
  const shell = start('bash', { readyMarkers: [PROMPT], env: { set: { PS1: PROMPT } }, args: ['--norc'], ...options });
  await shell.readUntilReady();
  return shell;
}

const ask = (shell, input, options) => shell.sendAndReadUntilReady(input, options);

await line('the statics are those of the list', () => {
  const { DEFAULT_TIMEOUT_MS, DEFAULT_SETTLE_MS, DEFAULT_QUIET_MS } = AGTerm;
  assert.deepEqual([DEFAULT_TIMEOUT_MS, DEFAULT_SETTLE_MS, DEFAULT_QUIET_MS], [20_000, 200, 80]);
  assert.deepEqual([AGTerm.DEFAULT_MAX_OUTPUT_BYTES, AGTerm.DEFAULT_MAX_HISTORY_BYTES], [2 * 2 ** 20, 4 * 2 ** 20]);
  assert.deepEqual(AGTerm.DEFAULT_READY_MARKERS, ['pwndbg> ', '(gdb) ']);
});

await line(
  'new AGTerm(command) is interactive with the default markers; options, or interactive and markers',
  async () => {
    const plain = start('cat');
    assert.deepEqual([plain.isInteractive(), plain.getInitialCommand(), plain.isAlive()], [true, 'cat', true]);
    assert.equal(start('cat', { interactive: false }).isInteractive(), false);
    assert.equal(start('cat', false).isInteractive(), false);
    for (const made of [start('bash', true, ['@ ']), start('bash', { readyMarkers: ['@ '] })]) {
      await made.readAvailable();
      await ask(made, 'PS1="@ "', { timeoutMs: 3_000 });
      assert.deepEqual([await ask(made, 'echo a'), made.lastRead.reason], ['a\n@ ', 'marker']);
    }
    const printer = start('bash', { args: ['-c', 'printf "(gdb) "; read line'] });
    assert.equal(await printer.readUntilReady(), '(gdb) ');
  },
);

await line('args, cwd, env, cols and rows reach the program', async () => {
  mkdirSync(path.join(folder, 'here'));
  process.env.CHECKLIST_INHERITED = 'inherited';
  const env = { set: { PS1: PROMPT, MINE: 'set' }, inherit: ['CHECKLIST_INHERITED'] };
  const shell = await bash({ cwd: path.join(folder, 'here'), env, cols: 91, rows: 17 });
  const answer = await ask(shell, 'pwd; echo $MINE $CHECKLIST_INHERITED "[$HANDRAIL_NOT]"; stty size');
  assert.equal(answer, `${folder}/here\nset inherited []\n17 91\n${PROMPT}`);
});

await line('redactor, allow and deny hold for what is sent and read', async () => {
  const judged = await bash({ deny: ['rm'], redactor: new h.Redactor({ substrings: ['blue whale'] }) });
  assert.equal(await ask(judged, 'echo a blue whale'), `a [REDACTED]\n${PROMPT}`);
  assert.match(await ask(judged, 'echo a; "r"m x'), /^Command 'rm' is blocked by sandbox policy/);
  const strict = await bash({ allow: ['echo'] });
  assert.match(await ask(strict, 'ls'), /not allowed/);
  assert.equal(await ask(strict, 'echo a'), `a\n${PROMPT}`);
});

await line('the methods are there, reads are promises, four are synchronous', async () => {
  const shell = await bash();
  const reads = [shell.readAvailable(), shell.readAvailable(1), shell.getHistory(), shell.sendCtrlC()];
  for (const read of reads) assert.ok(read instanceof Promise);
  await Promise.all(reads);
  assert.deepEqual([shell.isAlive(), shell.isInteractive(), shell.getInitialCommand()], [true, true, 'bash']);
  assert.equal(shell.setReadyMarkers([PROMPT, '> ']), undefined);
});

await line('reads are cleaned and masked, the history too', async () => {
  const shell = await bash();
  const answer = await ask(shell, `printf '\\033[31mred\\033[0m\\r\\n'; echo password=${SECRET}`);
  assert.equal(answer, `red\npassword=[REDACTED]\n${PROMPT}`);
  assert.ok(!(await shell.getHistory()).includes(SECRET));
});

await line('lastRead has the reason: marker, quiet, timeout, limit, exited', async () => {
  const shell = await bash();
  const reason = async (input, options) => {
    await ask(shell, input, options);
    return shell.lastRead.reason;
  };
  assert.equal(await reason('true'), 'marker');
  assert.equal(await reason("read -p 'name? ' name"), 'quiet');
  assert.equal(await reason('ann'), 'marker');
  assert.equal(await reason('sleep 2', { timeoutMs: 100 }), 'timeout');
  await shell.readUntilReady();
  assert.equal(await reason('seq 1 1000', { maxOutputBytes: 100 }), 'limit');
  assert.equal(await reason('exit 3'), 'exited');
});

await line('a look-alike in the middle ends nothing', async () => {
  const shell = await bash();
  assert.equal(await ask(shell, `printf '${PROMPT}'; sleep 0.4; echo end`), `${PROMPT}end\n${PROMPT}`);
  const lines = await ask(shell, `echo '${PROMPT}'; sleep 0.2; printf 'a\\n${PROMPT}'; sleep 0.4; echo b`);
  assert.equal(lines.split('\n').at(-2), `${PROMPT}b`);
});

await line('late output of an earlier command never shifts an answer', async () => {
  const shell = await bash();
  await ask(shell, 'sleep 0.8; echo late', { timeoutMs: 300 });
  for (const word of ['one', 'two', 'three']) assert.equal(await ask(shell, `echo ${word}`), `${word}\n${PROMPT}`);
  assert.match(await shell.getHistory(), /late\n/);
});

await line('settleMs is the most that is waited after a marker: it ends early', async () => {
  const shell = await bash();
  await ask(shell, 'true', { settleMs: 60_000 });
  // Nobody is sure of the end after waiting it out.
  assert.deepEqual([shell.lastRead.reason, shell.lastRead.confirmed], ['marker', true]);
});

await line('quiet mode keeps the state of the shell', async () => {
  const shell = start('bash', false);
  await ask(shell, 'cd /tmp; name=world');
  assert.match(await ask(shell, 'echo "hello $name from $PWD"'), /^hello world from \/tmp\n/);
  assert.equal(shell.lastRead.reason, 'quiet');
  assert.match(await ask(shell, 'sleep 0.4; echo worked', { quietMs: 40 }), /^worked\n/);
});

await line('a cut answer loses nothing: the rest is in the history, not in the next answer', async () => {
  const shell = await bash();
  const answer = await ask(shell, 'seq 1 5000', { maxOutputBytes: 100 });
  assert.ok(Buffer.byteLength(answer) <= 100 && answer.startsWith('1\n2\n'));
  assert.equal(await ask(shell, 'echo next'), `next\n${PROMPT}`);
  assert.match(await shell.getHistory(), /\n4999\n5000\n/);
});

await line('a time-out gives the part', async () => {
  const shell = await bash();
  assert.equal(await ask(shell, 'echo part; sleep 600', { timeoutMs: 2_000 }), 'part\n');
  assert.equal(shell.lastRead.reason, 'timeout');
  await shell.sendCtrlC();
  assert.match(await shell.readUntilReady(), /__AGPROMPT__ $/);
});

await line('a dead program is said at once', async () => {
  // Again and again: that somebody waits has to keep this program alive.
  for (let times = 0; times < 10; times += 1) {
    const short = start('bash', { args: ['-c', 'read line'] });
    await ask(short, 'a');
    assert.deepEqual([short.lastRead.reason, short.isAlive()], ['exited', false]);
    await short.close();
  }
  const shell = await bash();
  // Longer than this program may take.
  const timeoutMs = 3_600_000;
  await ask(shell, 'exit 3', { timeoutMs });
  assert.equal(shell.isAlive(), false);
  assert.equal(await ask(shell, 'echo a', { timeoutMs }), '');
  assert.equal(shell.lastRead.reason, 'exited');
});

await line('reset keeps the command, the flag and the markers as they are now', async () => {
  const shell = await bash();
  await ask(shell, 'name=world');
  shell.setReadyMarkers(['no such marker', PROMPT]);
  await shell.reset();
  await shell.readUntilReady();
  assert.deepEqual([shell.isAlive(), shell.isInteractive(), shell.getInitialCommand()], [true, true, 'bash']);
  assert.equal(await ask(shell, 'echo "[$name]"'), `[]\n${PROMPT}`);
  assert.equal(shell.lastRead.reason, 'marker');
});

await line('close can be called again, waits for nobody who holds the terminal, and leaves nobody', async () => {
  const shell = await bash();
  const mark = marker();
  // One ignores everything that can be ignored, one has left for a session of its own.
  await ask(shell, `(trap '' HUP TERM INT; exec sleep ${mark}) & setsid sleep ${mark} & disown -a`);
  await Promise.all([shell.close(), shell.close()]);
  await shell.close();
  assert.deepEqual(living(mark), []);
  assert.equal(shell.isAlive(), false);
});

await line('a failed start rejects the first read, not the constructor', async () => {
  for (const missing of ['/nowhere/at-all', 'no-such-program-at-all']) {
    const failed = start(missing);
    await assert.rejects(
      failed.readUntilReady(),
      (error) => error instanceof h.HandrailError && error.code !== undefined,
    );
  }
  assert.throws(() => new AGTerm('cat', { cols: 0 }), { code: 'ERR_INVALID_ARGUMENT' });
  assert.throws(() => new AGTerm(''), { code: 'ERR_INVALID_ARGUMENT' });
  assert.throws(() => new AGTerm('cat', { shell: true }), { code: 'ERR_INVALID_ARGUMENT' });
});

await line('readAvailable gives at once what is there, at most so many bytes', async () => {
  const shell = await bash();
  await ask(shell, 'sleep 2; echo hello', { timeoutMs: 300 });
  await until(async () => (await shell.getHistory()).includes(`hello\n${PROMPT}`));
  assert.deepEqual([await shell.readAvailable(3), shell.lastRead.reason], ['hel', 'limit']);
  assert.deepEqual([await shell.readAvailable(), shell.lastRead.reason], ['', 'available']);
});

await line('what a program wrote before it ended can be read after its end', async () => {
  const printer = start('printf hello');
  while (printer.isAlive()) await sleep(10);
  assert.equal(await printer.readUntilReady(), 'hello');
});

await line('deviation: 200 by 50 characters, nothing of the host, no echo in an answer', async () => {
  process.env.CHECKLIST_PLANTED = 'planted';
  const shell = await bash();
  assert.equal(await ask(shell, 'stty size; echo "[$CHECKLIST_PLANTED]"'), `50 200\n[]\n${PROMPT}`);
});

await line('deviation: a line that the terminal would cut is an error, and nothing is written', async () => {
  const cat = start('cat');
  await assert.rejects(ask(cat, 'x'.repeat(4_096)), { code: 'ERR_INVALID_ARGUMENT' });
  await cat.close();
  assert.equal(await cat.getHistory(), '');
});

/** A program of the list: what it is started with, a question and the beginning of its answer, twice. */
async function repl(title, program, options, steps) {
  if (!hasProgram(program)) return skipped(`no ${program}`);
  await line(`it works with ${title}`, async () => {
    const { setUp = [], ...more } = options;
    const made = start(program, more);
    await made.readUntilReady();
    for (const input of setUp) await ask(made, input);
    for (const [input, expected] of steps) assert.match(await ask(made, input), expected, input);
    assert.equal(made.lastRead.reason, more.interactive === false ? 'quiet' : 'marker');
    await made.close();
  });
}

const SUMS = [
  ['echo $((6 * 7))', /^42\n/],
  ['echo $((6 * 8))', /^48\n/],
];
await repl('bash', 'bash', { readyMarkers: ['$ ', '# ', PROMPT], setUp: [`PS1='${PROMPT}'`] }, SUMS);
const coloured = { setUp: [`PS1='\\[\\e[1;32m\\]__AGPROMPT__\\[\\e[0m\\] '`], readyMarkers: ['$ ', '# ', PROMPT] };
await repl('bash and a coloured prompt', 'bash', coloured, SUMS);
await repl('a quiet bash', 'bash', { interactive: false }, SUMS);
await repl('python3', 'python3', { readyMarkers: ['>>> ', '... '] }, [
  ['x = 6', /^>>> $/],
  ['x * 7', /^42\n>>> $/],
]);
await repl('gdb and the default markers', 'gdb', { args: ['-q', '-nx'] }, [
  ['print 6 * 7', /^\$1 = 42\n\(gdb\) $/],
  ['print $1 + 6', /^\$2 = 48\n\(gdb\) $/],
]);
await repl('sqlite3', 'sqlite3', { readyMarkers: ['sqlite> '] }, [
  ['create table t (n); insert into t values (42);', /^sqlite> $/],
  ['select n from t;', /^42\nsqlite> $/],
]);
await repl('node', process.execPath, { readyMarkers: ['> '] }, [
  ['let x = 6', /^undefined\n> $/],
  ['x * 7', /^42\n> $/],
]);

await Promise.all(open.map((made) => made.close()));
