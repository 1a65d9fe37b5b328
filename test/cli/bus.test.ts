/** `handrail bus` against a Redis, as a process. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { BUS } from '../../ts/cli/command-table.js';
import { commandHelp } from '../../ts/cli/help.js';
import { startNode } from '../support/cli.js';
import { describeWithRedis, freePort } from '../support/redis.js';
import { MAIN, shell } from './shell.js';

const bus = (url: string, ...args: readonly string[]) =>
  startNode([MAIN, 'bus', ...args], {
    env: { REDIS_URL: url, AGENT_NAME: 'Cli', CHAT_TOOL_CONVERSATION_ID: undefined },
  }).ended;

describeWithRedis('handrail bus', (server) => {
  it('sends and shows messages, with secrets masked and nothing that disturbs a terminal', async () => {
    const conversation = randomUUID();
    const sent = await bus(server.url, 'send', `chat:${conversation}`, '\u001b[31mpassword=hunter2\nnext', '--json');
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    const { envelope_id: id, ...rest } = JSON.parse(sent.stdout);
    expect(rest).toEqual({ ok: true, published_to: [`chat:${conversation}`], redactions: 1 });
    const shown = await bus(server.url, 'tail', `chat:${conversation}`);
    expect(shown.stdout).toMatch(
      new RegExp(`^${id} \\d{4}-\\S+Z agent:Cli -> chat:${conversation}: .\\[31mpassword=\\[REDACTED\\]\\\\nnext\\n$`),
    );
    const second = await bus(server.url, 'send', 'agent:Dev', 'two', '--conversation', conversation);
    expect(second.stdout).toMatch(new RegExp(`^sent \\S+ to chat:${conversation} and chat:Dev\\n$`));
    const { stdout } = await bus(server.url, 'tail', `chat:${conversation}`, '--after', id, '--json');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { topic: `chat:${conversation}`, payload: { content: 'two', recipient: 'agent:Dev' } },
    ]);
  });

  it.each(BUS.examples.map(({ line }) => line))('works as it stands in the help: %s', async (line) => {
    expect(commandHelp(BUS)).toContain(`  ${line}`);
    const { stdout, stderr } = await shell(`export REDIS_URL='${server.url}'\n${line}\necho "code $?"`);
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/(^|\n)code 0\n$/), stderr: '' });
  });

  it.each<[readonly string[], RegExp]>([
    [['tail'], /tail takes one TOPIC/],
    [['tail', 'a', 'b'], /tail takes one TOPIC/],
    [['tail', 'a', '--conversation', 'c'], /--conversation is for send/],
    [['send', 'agent:A'], /send takes a RECIPIENT and a CONTENT/],
    [['send', 'agent:A', 'two', 'words'], /put it in quotes/],
    [['send', 'agent:A', 'x', '--after', 'c'], /--after is for tail/],
    [['send', 'agent:A', 'x'], /conversation_id not available/],
    [['send', 'room:1', 'x'], /recipient must be/],
    [['tail', 'a b'], /Expected `topic`/],
  ])('says what is wrong with %j', async (args, problem) => {
    const { code, stdout, stderr } = await bus(server.url, ...args);
    expect({ code, stdout, stderr }).toEqual({ code: 125, stdout: '', stderr: expect.stringMatching(problem) });
  });

  it('says that a cursor is lost, and that Redis is away, with exit code 125', async () => {
    const lost = await bus(server.url, 'tail', 'chat:none', '--after', 'nowhere');
    expect(lost).toMatchObject({ code: 125, stdout: '', stderr: expect.stringContaining('(ERR_BUS)') });
    const away = await bus(`redis://:hunter2@127.0.0.1:${await freePort()}`, 'tail', 'chat:a', '--json');
    expect(away.code).toBe(125);
    expect(JSON.parse(away.stdout)).toEqual({
      error: { code: 'ERR_BUS', message: expect.stringContaining('cannot be reached') },
    });
    expect(away.stdout + away.stderr).not.toContain('hunter2');
  });
});

it('is of no use without REDIS_URL, and says why', async () => {
  expect(await bus('', 'tail', 'chat:a')).toMatchObject({
    code: 125,
    stderr: expect.stringContaining('the embedded bus lives in one process only'),
  });
});
