/** Secrets in every place of the file engine and of the views where something can go wrong. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as handrail from '../../ts/index.js';

const { Files, FilesystemTool, Redactor, TerminalTool, ToolError, ToolExecutor } = handrail;

/** Gives, or throws, what is looked at. */
export type Planting = (secret: string) => unknown;

/** Anything where something else belongs. */
const wrong = (value: unknown): never => value as never;

const knowing = (secret: string) => new Redactor({ secrets: { PLANTED: secret } });

/** A folder for one call, with a file that holds the secret under a name that is the secret. */
async function inFolder(secret: string, use: (folder: string) => unknown): Promise<unknown> {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-planted-'));
  try {
    writeFileSync(path.join(folder, 'file'), `one\nof ${secret} it\nthree\n`);
    writeFileSync(path.join(folder, secret), '');
    symlinkSync('/etc', path.join(folder, `${secret}-link`));
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Calls of the file engine, one after the other. */
const files = (use: (files: handrail.Files, secret: string) => readonly unknown[]) =>
  ((secret) =>
    inFolder(secret, async (folder) => {
      await using made = new Files({ roots: [folder], redactor: knowing(secret) });
      const answers = await Promise.allSettled(use(made, secret));
      return [answers, made];
    })) satisfies Planting;

const filesystem = (use: (tool: handrail.FilesystemTool, secret: string) => readonly unknown[]) =>
  ((secret) =>
    inFolder(secret, async (folder) => {
      await using tool = new FilesystemTool({ allowedDirectories: [folder], redactor: knowing(secret) });
      return [await Promise.allSettled(use(tool, secret)), tool];
    })) satisfies Planting;

const executor = (use: (made: handrail.ToolExecutor, secret: string) => readonly unknown[]) =>
  ((secret) =>
    inFolder(secret, async (folder) => {
      await using made = new ToolExecutor(folder, { redactor: knowing(secret) });
      return [await Promise.allSettled(use(made, secret)), made];
    })) satisfies Planting;

const terminal = (use: (tool: handrail.TerminalTool, secret: string) => readonly unknown[]) =>
  (async (secret) => {
    await using tool = new TerminalTool({ redactor: knowing(secret), timeout: 5 });
    return [await Promise.allSettled(use(tool, secret)), tool];
  }) satisfies Planting;

/** Calls of the file engine that keeps what they replace, beneath a folder that has the secret as its name. */
const keeping = (use: (files: handrail.Files, secret: string) => Promise<unknown>) =>
  ((secret) =>
    inFolder(secret, (folder) =>
      inFolder(secret, async (state) => {
        const changes = { folder: path.join(state, `${secret}-changes`) };
        await using made = new Files({ roots: [folder], redactor: knowing(secret), changes });
        await made.write(`${secret}-new`, secret, { caller: secret });
        await made.edit('file', [{ old: 'one', new: 'two' }], { caller: secret });
        return [await use(made, secret), made];
      }),
    )) satisfies Planting;

/** What every call of the file engine gets that has no plantings of its own. */
const ON_A_PATH = Object.fromEntries(
  Object.getOwnPropertyNames(Files.prototype).flatMap((name) => {
    if (name === 'constructor') return [];
    const call = (made: handrail.Files, ...args: unknown[]) =>
      (made as unknown as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args);
    const planting = files((made, secret) => [
      ...['file', secret, `${secret}-link`, `/nowhere/${secret}`, [secret]].map((path) => call(made, path)),
      call(made, 'file', { [secret]: secret }),
    ]);
    return [[`Files.${name}`, { 'names and options': planting }]];
  }),
);

export const FILE_PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  ...ON_A_PATH,
  'new Files': {
    'an unknown option': (secret) => new Files(wrong({ [secret]: secret })),
    'a root': (secret) => new Files({ roots: [wrong({ path: [secret], mode: secret })] }),
    'a root that is not there': (secret) => new Files({ roots: [`/nowhere/${secret}`], redactor: knowing(secret) }),
    'a rule to lift': (secret) => new Files({ lift: [secret], redactor: knowing(secret) }),
    'a number': (secret) => new Files({ maxReadBytes: wrong(secret) }),
    'whether secrets are learned': (secret) => new Files({ learnSecrets: wrong(secret) }),
    'a choice': (secret) => new Files({ dotenv: wrong(secret) }),
    'a path to protect': (secret) => new Files({ protect: [secret] }),
    'where changes are kept': (secret) => new Files({ changes: wrong({ [secret]: secret, folder: secret }) }),
    'how much is kept': (secret) => new Files({ changes: { maxBytes: wrong(secret) } }),
  },
  'Files.read': {
    'a text, names and options': files((made, secret) => [
      made.read('file'),
      made.read(secret),
      made.read(`${secret}-missing`),
      made.read(`/nowhere/${secret}`),
      made.read(`${secret}-link/passwd`),
      made.read(wrong([secret])),
      made.read('file', wrong({ [secret]: secret })),
      made.read('file', { offset: wrong(secret) }),
    ]),
  },
  'Files.write': {
    'names, texts and options': files((made, secret) => [
      made.write(`.git/${secret}`, secret),
      made.write(`${secret}-link/x`, secret),
      made.write(`${secret}/x`, secret),
      made.write(`new/${secret}`, secret),
      made.write('a', wrong([secret])),
      made.write('a', '', wrong({ overwrite: secret })),
      made.write(`\u202e${secret}`, ''),
    ]),
  },
  'Files.edit': {
    'texts that do not fit': files((made, secret) => [
      made.edit('file', [{ old: `of ${secret}  it`, new: secret }]),
      made.edit('file', [{ old: 'of [REDACTED]', new: `x ${secret}` }]),
      made.edit('file', [wrong({ old: 'a', [secret]: secret })]),
      made.edit('file', wrong(secret)),
      made.edit(`/nowhere/${secret}`, [{ old: 'a', new: 'b' }]),
    ]),
  },
  'Files.patch': {
    'patches that do not fit': files((made, secret) => [
      made.patch(`*** Begin Patch\n*** Update File: file\n@@ ${secret}\n-of ${secret}  it\n+${secret}\n*** End Patch`),
      made.patch('*** Begin Patch\n*** Update File: file\n@@\n-of [REDACTED] it\n+x [REDACTED]\n*** End Patch'),
      made.patch(`*** Begin Patch\n*** Add File: ${secret}\n+${secret}\n*** End Patch`),
      made.patch(`*** Begin Patch\n*** Update File: file\n*** Move to: ${secret}-link/x\n*** End Patch`),
      made.patch(`*** Begin Patch\n*** Add File: new/${secret}\n+${secret}\n*** End Patch`),
      made.patch(`*** Begin Patch\n*** ${secret}\n*** End Patch`),
      made.patch(`--- a/${secret}\n+++ b/file\n@@ -1 +1 @@\n-${secret}\n+a\n`),
      made.patch(`*** Begin Patch\n*** Delete File: ${secret}\n*** End Patch`),
      made.patch(wrong([secret])),
      made.patch('', wrong({ dryRun: secret })),
      made.patch('', wrong({ [secret]: secret })),
    ]),
  },
  'Files.history': {
    'names and callers': keeping((made) => made.history({ all: true })),
    'what calls changed': keeping((made) => made.history({ all: true, diff: true })),
    options: keeping((made, secret) =>
      Promise.allSettled([made.history({ caller: secret }), made.history(wrong({ [secret]: secret }))]),
    ),
  },
  'Files.undo': {
    'what is taken back': keeping((made, secret) => made.undo({ last: 2, caller: secret })),
    'what would be taken back': keeping((made) => made.undo({ last: 2, dryRun: true, diff: true })),
    'what has changed since': keeping(async (made, secret) => {
      await made.write(`${secret}-new`, 'other', { caller: secret });
      const listed = await made.history();
      return await made.undo({ ids: listed.ok ? listed.changes.slice(2).map(({ id }) => id) : [] });
    }),
    'ids and options': keeping((made, secret) =>
      Promise.allSettled([
        made.undo({ ids: [secret] }),
        made.undo({ since: secret }),
        made.undo({ last: wrong(secret) }),
        made.undo(wrong({ [secret]: secret })),
      ]),
    ),
  },
  'Files.list': {
    'names and options': files((made, secret) => [
      made.list(),
      made.list('.', { depth: 2, offset: 1 }),
      made.list(`${secret}-link`),
      made.list(secret),
      made.list('.', wrong({ [secret]: secret })),
    ]),
  },
  'Files.glob': {
    'patterns and options': files((made, secret) => [
      made.glob('**'),
      made.glob(`${secret}*`),
      made.glob('**', { offset: 1 }),
      made.glob(`{${secret}`),
      made.glob('*', { path: secret }),
      made.glob('*', wrong({ [secret]: secret })),
      made.glob(wrong([secret])),
    ]),
  },
  'Files.grep': {
    'patterns and options': files((made, secret) => [
      made.grep('of'),
      made.grep(secret),
      made.grep(`(${secret}`),
      made.grep('of', { path: secret }),
      made.grep('of', { glob: `${secret}*` }),
      made.grep('of', wrong({ [secret]: secret })),
      made.grep(wrong([secret])),
    ]),
  },
  'Files.close': {
    'a call behind it': files((made, secret) => [made.close().then(() => made.read(secret))]),
  },
  'Files.[asyncDispose]': {
    'a call behind it': files((made, secret) => [made[Symbol.asyncDispose]().then(() => made.read(secret))]),
  },
  'new FilesystemTool': {
    'an unknown option': (secret) => new FilesystemTool(wrong({ [secret]: secret })),
    'a directory that is not there': (secret) =>
      new FilesystemTool({ allowedDirectories: [`/nowhere/${secret}`], redactor: knowing(secret) }),
  },
  'FilesystemTool.toSchema': { 'what it looks like': filesystem((tool) => [tool.toSchema()]) },
  'FilesystemTool.execute': {
    'actions, names and texts': filesystem((tool, secret) => [
      tool.execute(wrong(secret)),
      tool.execute({ action: wrong(secret), path: secret }),
      tool.execute({ action: 'read', path: 'file' }),
      tool.execute({ action: 'read', path: `/nowhere/${secret}` }),
      tool.execute({ action: 'list', path: '.' }),
      tool.execute({ action: 'list', path: secret }),
      tool.execute({ action: 'write', path: `.git/${secret}`, content: secret }),
      tool.execute({ action: 'write', path: `sub/${secret}`, content: secret }),
    ]),
  },
  'FilesystemTool.close': { 'a call behind it': filesystem((tool) => [tool.close()]) },
  'FilesystemTool.[asyncDispose]': { 'a call behind it': filesystem((tool) => [tool[Symbol.asyncDispose]()]) },
  'new TerminalTool': {
    'an unknown option': (secret) => new TerminalTool(wrong({ [secret]: secret })),
    'a pattern to deny': (secret) => new TerminalTool({ blacklist: [`${secret}*`] }),
    'a time': (secret) => new TerminalTool({ timeout: wrong(secret) }),
  },
  'TerminalTool.toSchema': { 'what it looks like': terminal((tool) => [tool.toSchema()]) },
  'TerminalTool.execute': {
    'commands of every end': terminal((tool, secret) => [
      tool.execute(wrong(secret)),
      tool.execute({ command: `echo ${secret}` }),
      tool.execute({ command: `rm ${secret}` }),
      tool.execute({ command: `x=$(cat /nowhere/${secret}); "$x" ${secret}` }),
      tool.execute({ command: `for ${secret}` }),
      tool.execute({ command: `echo ${secret} > /etc/${secret}` }),
      tool.execute({ command: `${secret}-missing` }),
    ]),
  },
  'TerminalTool.close': { 'a call behind it': terminal((tool) => [tool.close()]) },
  'TerminalTool.[asyncDispose]': { 'a call behind it': terminal((tool) => [tool[Symbol.asyncDispose]()]) },
  'new ToolError': { 'what it looks like': () => new ToolError('It was refused') },
  'new ToolExecutor': {
    'an unknown option': (secret) => new ToolExecutor('.', wrong({ [secret]: secret })),
    'a workspace that is none': (secret) => new ToolExecutor(wrong([secret])),
    'tools that are none': (secret) => new ToolExecutor('.', { allowedTools: wrong(secret) }),
  },
  'ToolExecutor.allToolDefs': { 'what it looks like': executor((made) => [made.allToolDefs()]) },
  'ToolExecutor.execute': {
    'calls of every end': executor((made, secret) => [
      made.execute(secret, {}),
      made.execute('bash', { command: `echo ${secret}; rm ${secret}` }),
      made.execute('bash', { command: `cat file; cat ${secret}-missing` }),
      made.execute('bash', wrong([secret])),
      made.execute('read', { file_path: 'file' }),
      made.execute('read', { file_path: `/nowhere/${secret}` }),
      made.execute('write', { file_path: `.git/${secret}`, content: secret }),
      made.execute('write', { file_path: `sub/${secret}`, content: secret }),
      made.execute('edit', { file_path: 'file', old_string: `of ${secret}!`, new_string: secret }),
      made.execute('edit', { file_path: secret, [secret]: secret }),
    ]),
  },
  'ToolExecutor.mcpClients': { 'what it looks like': executor((made) => [made.mcpClients]) },
  'ToolExecutor.mcpToolMap': { 'what it looks like': executor((made) => [made.mcpToolMap]) },
  'ToolExecutor.connectMcpServers': {
    'wrong options of every kind': executor((made, secret) => [
      made.connectMcpServers(wrong(secret)),
      made.connectMcpServers([wrong({ name: secret, command: secret, [secret]: secret })]),
      made.connectMcpServers([{ name: `${secret} `, command: secret }]),
      made.connectMcpServers([{ name: 'a', command: `${secret}\0` }]),
      made.connectMcpServers([{ name: 'a', command: 'cat', args: [wrong({ secret })] }]),
      made.connectMcpServers([{ name: 'a', command: 'cat', env: { [`${secret}-`]: secret } }]),
      made.connectMcpServers([{ name: 'a', command: 'cat', env: { A: wrong([secret]) } }]),
    ]),
    'a server that is not there': executor((made, secret) => [
      made.connectMcpServers([{ name: 'a', command: `/${secret}`, args: [secret], env: { A: secret } }]),
    ]),
  },
  'ToolExecutor.shutdownMcp': { 'without servers': executor((made) => [made.shutdownMcp()]) },
  'ToolExecutor.close': { 'a call behind it': executor((made) => [made.close()]) },
  'ToolExecutor.[asyncDispose]': { 'a call behind it': executor((made) => [made[Symbol.asyncDispose]()]) },
  builtinToolDefs: { 'what they look like': () => handrail.builtinToolDefs() },
  toolsEnabled: { 'no list': (secret) => handrail.toolsEnabled({ allowedTools: wrong(secret) }) },
  buildResponse: { 'no text': () => handrail.buildResponse('', 'a', 0, 0) },
  isWriteBlocked: {
    'no path': (secret) => handrail.isWriteBlocked(wrong([secret]), '/nowhere'),
    'no folder': (secret) => handrail.isWriteBlocked('a', wrong([secret])),
  },
};
