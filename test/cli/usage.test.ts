import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS, DOCTOR, RUN } from '../../ts/cli/command-table.js';
import { commandHelp, mainHelp } from '../../ts/cli/help.js';
import { REDACT } from '../../ts/cli/redact-options.js';
import { VERSION } from '../../ts/version.js';
import { handrail, runCommandLine } from '../support/cli.js';
import { loadedBy } from '../support/loaded.js';
import { MAIN, shell } from './shell.js';

/** What a page at a terminal holds, with the line it was asked for on. */
const PAGE_LINES = 40;

/** Files that the help needs, of more than twenty: what makes a start slow is what it loads. */
const HELP_FILES = 5;

const USAGE = mainHelp();
const RUN_USAGE = commandHelp(RUN);
const REDACT_USAGE = commandHelp(REDACT);
const DOCTOR_USAGE = commandHelp(DOCTOR);

describe('help', () => {
  const asked: readonly (readonly [args: readonly string[], page: string])[] = [
    [[], USAGE],
    [['--help'], USAGE],
    [['-h'], USAGE],
    [['help'], USAGE],
    [['help', 'run'], RUN_USAGE],
    [['help', 'redact'], REDACT_USAGE],
    [['redact', '--report', '--help'], REDACT_USAGE],
    [['run', '--help'], RUN_USAGE],
    [['run', '-h'], RUN_USAGE],
    [['run', '--allow', 'ls', '--help'], RUN_USAGE],
    [['run', '--nonsense', '--help', '--', 'ls'], RUN_USAGE],
    [['run', '--nonsense', '--help', 'ls'], RUN_USAGE],
    [['--help', 'run'], USAGE],
    [['doctor', '--json', '--help'], DOCTOR_USAGE],
    [['--version'], `${VERSION}\n`],
    [['-V'], `${VERSION}\n`],
  ];
  it.each(asked)('%j prints the page, or the release', async (args, page) => {
    expect(await runCommandLine(args)).toEqual({ code: 0, signal: null, stdout: page, stderr: '' });
  });

  it.each([['--'], []])('after the program is asked of the program: %j', async (...dashes) => {
    const { stdout } = await handrail('run', '--allow', 'echo', ...dashes, 'echo', '--help');
    expect(stdout).toMatch(/^Usage: \S*echo /);
  });

  it('shows four jobs, each with an example', () => {
    const jobs = USAGE.split('\n').filter((line) => line.startsWith('  handrail '));
    expect(jobs.map((line) => line.split(' ')[3])).toEqual(['run', 'explain', 'redact', 'doctor']);
    const examples = COMMANDS.flatMap((command) => command.examples.map(({ line }) => `  ${line}`));
    for (const job of jobs) expect(examples).toContain(job);
  });

  it('loads little', async () => {
    const loaded = await loadedBy(MAIN, '--help');
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.length).toBeLessThanOrEqual(HELP_FILES);
  });
});

describe.each<[string, string]>([
  ['handrail', USAGE],
  ...COMMANDS.map((command): [string, string] => [`handrail ${command.name}`, commandHelp(command)]),
])('the page of %s', (_name, page) => {
  it('fits a terminal', () => {
    const lines = page.split('\n');
    expect(lines.length).toBeLessThanOrEqual(PAGE_LINES + 1);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe('an example', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'handrail-usage-'));
    writeFileSync(path.join(folder, 'notes.txt'), 'one\ntwo\n');
    writeFileSync(path.join(folder, 'build.log'), 'password=hunter2\n');
    writeFileSync(path.join(folder, 'config.yml'), 'colour: green\n');
    writeFileSync(path.join(folder, 'package.json'), '{}\n');
    writeFileSync(path.join(folder, 'calls.jsonl'), '');
    mkdirSync(path.join(folder, 'served'));
    writeFileSync(path.join(folder, 'served', 'servers.json'), '{"mcpServers": {}}\n', { mode: 0o600 });
    for (const settled of ['settled', 'settled/work']) {
      mkdirSync(path.join(folder, settled));
      writeFileSync(path.join(folder, settled, 'handrail.toml'), 'allow = ["ls"]\n', { mode: 0o600 });
    }
    writeFileSync(path.join(folder, '.gitleaks.toml'), '[[rules]]\nid = "acme-key"\nregex = "acme_[a-z]+"\n');
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  // Those need a Redis, a host or a signal: test/cli/bus.test.ts, test/attach/attach.test.ts, test/cli/serve.test.ts.
  const here = COMMANDS.filter(({ name }) => !['bus', 'session', 'serve'].includes(name));

  it.each(here.flatMap((command) => command.examples.map(({ line }) => [line, commandHelp(command)] as const)))(
    'works as it stands in the help: %s',
    async (line, page) => {
      expect(page).toContain(`  ${line}`);
      // Those for other shells: test/cli/completion-zsh.test.ts, test/cli/completion-fish.test.ts.
      if (line.includes('source') && !line.includes('bash')) return;
      const variables = `export DEPLOY_KEY='a long enough key' XDG_CONFIG_HOME=${folder}/.config XDG_CACHE_HOME=${folder}/.cache`;
      // What they keep lies outside of the folder that they are about.
      const places = { 'handrail trust': 'settled', 'handrail mcp approve': 'served' };
      const [, where = '.'] = Object.entries(places).find(([beginning]) => line.startsWith(beginning)) ?? [];
      const { stdout, stderr } = await shell(`${variables}\n${line}\necho "code $?"`, path.join(folder, where));
      expect(stdout).toMatch(/(^|\n)code 0\n$/);
      expect(stderr).toMatch(/^(handrail: (exit 0 in \d+ ms|no secrets found|project node.*)\n( +project: .*\n)?)?$/);
    },
  );

  it('leaves what it says', async () => {
    expect((await shell('handrail redact build.log > clean.log; cat clean.log', folder)).stdout).toBe(
      'password=[REDACTED]\n',
    );
    const labelled = await shell(
      "export DEPLOY_KEY='a long enough key'\nenv | handrail redact --secret-env DEPLOY_KEY --label",
    );
    expect(labelled.stdout).toMatch(/^DEPLOY_KEY=\[REDACTED:[a-z-]+\]$/m);
  });
});
