/** A person attaches to a session of this process, with the command line at a terminal of its own. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ownAttachFolder } from '../../ts/attach/place.js';
import type { AuditRecord, Session, SessionAttachment } from '../../ts/index.js';
import { atTerminal } from '../cli/pseudo-terminal.js';
import { handrail, startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';
import { until } from '../support/processes.js';
import { toolkits } from '../support/toolkits.js';

const { make, audited, workspace } = toolkits();

const MAIN = path.join(REPOSITORY, 'dist/cli/main.js');
const DETACH = '\u001d';
const PROMPT = '$ ';

const attach = ({ id }: SessionAttachment): string => `${process.execPath} ${MAIN} session attach ${id}`;
const withToken = ({ id, token }: SessionAttachment) =>
  startNode([MAIN, 'session', 'attach', id], { env: { HANDRAIL_ATTACH_TOKEN: token } }).ended;

async function shell(mode: 'read' | 'keyboard'): Promise<{ session: Session; records: AuditRecord[] }> {
  const { toolkit, records } = await audited({ attach: mode });
  const session = await toolkit.sessions.open('bash --norc --noprofile', {
    readyMarkers: [PROMPT],
    env: { set: { PS1: PROMPT } },
  });
  await session.read();
  return { session, records };
}

const attachments = (records: readonly AuditRecord[]): unknown[] =>
  records.filter(({ tool }) => tool === 'session_attach').map(({ decision, detail }) => [decision, detail.status]);

it('shows a session to a person who has the token, masked, and takes no keys where it may only be read', async () => {
  const { session, records } = await shell('read');
  await session.send('echo earlier');
  const offer = await session.attachment();
  expect(offer).toMatchObject({ mode: 'read', command: `handrail session attach ${offer.id}` });
  const ended = atTerminal(
    attach(offer),
    ['token: ', `${offer.token}\r`],
    [/earlier\r\n\$ /, 'echo not-for-it\r'],
    [/password=\[REDACTED\]\r\n\$ /, DETACH],
  );
  await until(() => attachments(records).length > 0);
  const written = session.send('echo password=hunter2-hunter2');
  const { code, shown } = await ended;
  expect([code, (await written).text]).toEqual([0, `password=[REDACTED]\n${PROMPT}`]);
  expect(shown).toContain('bash --norc --noprofile: you look on; Ctrl-] detaches');
  expect(shown).toMatch(/handrail: detached\r\n$/);
  expect(shown + session.history().text).not.toMatch(/not-for-it|hunter2/);
  expect(shown).not.toContain(offer.token);
  await until(() => attachments(records).length > 1);
  expect(attachments(records)).toEqual([
    ['allow', 'read'],
    ['allow', 'detached'],
  ]);
  expect(JSON.stringify(records)).not.toContain(offer.token);
});

it('passes on what a person types, and nothing of it is recorded', async () => {
  const { session, records } = await shell('keyboard');
  const offer = await session.attachment();
  const { code, shown } = await atTerminal(
    attach(offer),
    ['token: ', `${offer.token}\r`],
    ['$ ', 'echo typed-by-a-person | tr a-z A-Z\r'],
    ['TYPED-BY-A-PERSON', 'exit 3\r'],
  );
  expect([code, (await session.ended).exitCode]).toEqual([0, 3]);
  expect(shown).toContain('handrail: the session is over: it ended with exit code 3');
  expect(session.history().text).toContain('TYPED-BY-A-PERSON');
  expect(attachments(records)[0]).toEqual(['allow', 'keyboard']);
  expect(JSON.stringify(records)).not.toMatch(/typed/i);
});

it('is over after one use, after three wrong tokens, and with the session', async () => {
  const { session } = await shell('read');
  const [wrong, used] = [await session.attachment(), await session.attachment()];
  for (const next of ['Look at it again', 'Look at it again', 'Ask for a new one']) {
    const { code, stderr } = await withToken({ ...wrong, token: used.token });
    expect([code, stderr]).toEqual([125, expect.stringContaining(next)]);
    expect(stderr).toContain('ERR_INVALID_ARGUMENT');
  }
  const folder = ownAttachFolder([workspace]);
  const first = withToken(used);
  await until(() => !existsSync(path.join(folder, used.id)));
  for (const offer of [wrong, used]) {
    const { code, stderr } = await withToken(offer);
    expect([code, stderr]).toEqual([125, expect.stringContaining('ERR_CLOSED')]);
  }
  await session.close();
  expect((await first).code).toBe(0);
  await expect(session.attachment()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
});

/** A client of its own, which has shown the token; the listener says who may connect, so it is a process. */
const RAW_CLIENT = `
  const [folder, id, token, then] = process.argv.slice(1);
  const client = require('net').connect(folder + '/' + id, () => client.write(JSON.stringify({ token }) + '\\n'));
  client.once('data', (bytes) => {
    client.pause();
    process.stdout.write('attached');
    const keys = JSON.stringify({ keys: Buffer.from('late').toString('base64') }) + '\\n';
    const end = () => process.exit();
    process.once('SIGUSR2', () => (then === 'keys' ? client.write(keys, () => setTimeout(end, 200)) : end()));
    setTimeout(end, 60_000);
  });
`;

it.each(['keys', 'gone'])('holds when a client with unread output sends %s after the end', async (then) => {
  const { session, records } = await shell('keyboard');
  const offer = await session.attachment();
  const client = startNode(['-e', RAW_CLIENT, ownAttachFolder([workspace]), offer.id, offer.token, then]);
  await until(() => attachments(records).length > 0);
  await session.send('seq 1 200000');
  await session.close();
  client.child.kill('SIGUSR2');
  expect((await client.ended).code).toBe(0);
  await until(() => attachments(records).length > 1);
  expect(attachments(records)[1]).toEqual(['allow', 'detached']);
  await expect(session.write('late')).rejects.toMatchObject({ code: 'ERR_CLOSED' });
});

it('tells that a person was detached when the toolkit is closed', async () => {
  const { toolkit, records } = await audited({ attach: 'read' });
  const offer = await (await toolkit.sessions.open('cat')).attachment();
  const client = withToken(offer);
  await until(() => attachments(records).length > 0);
  await toolkit.close();
  expect(attachments(records)).toEqual([
    ['allow', 'read'],
    ['allow', 'detached'],
  ]);
  await client;
});

it('removes the sockets of hosts that are gone', () => {
  const folder = ownAttachFolder([workspace]);
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  writeFileSync(path.join(folder, `${gone}-aaaaaaaa`), '');
  writeFileSync(path.join(folder, `${process.pid}-aaaaaaaa`), '');
  ownAttachFolder([workspace]);
  expect(readdirSync(folder)).toEqual([`${process.pid}-aaaaaaaa`]);
  rmSync(path.join(folder, `${process.pid}-aaaaaaaa`));
});

it('is in a folder that only this user enters, outside of the roots', async () => {
  const { session } = await shell('read');
  const offer = await session.attachment();
  const folder = ownAttachFolder([workspace]);
  const socket = statSync(path.join(folder, offer.id));
  expect([statSync(folder).mode & 0o777, socket.mode & 0o777, socket.isSocket()]).toEqual([0o700, 0o600, true]);
  offer.close();
  offer.close();
  expect(existsSync(path.join(folder, offer.id))).toBe(false);
});

it('has to be allowed by the host', async () => {
  const { sessions } = await make();
  const session = await sessions.open('cat');
  await expect(session.attachment()).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED', data: { name: 'attach' } });
  await expect(make({ attach: 'write' as 'read' })).rejects.toMatchObject({
    code: 'ERR_INVALID_ARGUMENT',
    data: { name: 'attach' },
  });
});

it('keeps at most sixteen offers', async () => {
  const { session } = await shell('read');
  for (let count = 0; count < 16; count += 1) await session.attachment();
  await expect(session.attachment()).rejects.toMatchObject({ code: 'ERR_BUSY', data: { limit: 16 } });
});

it.each(['s1', '0-aaaaaaaa', '12-AAAAAAAA', '12-aaaaaaaa-1', `${process.pid}-../../etc`])(
  'the id %s is none',
  async (id) => {
    const { code, stderr } = await handrail('session', 'attach', id);
    expect([code, stderr]).toEqual([125, expect.stringContaining('ERR_INVALID_ARGUMENT')]);
  },
);
