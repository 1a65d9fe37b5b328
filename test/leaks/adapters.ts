/** A secret in every place of a toolkit's judgement and of the adapters for frameworks where something can go wrong. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { aiTools } from '../../ts/adapters/ai.js';
import { agentTools, terminalRunTool } from '../../ts/adapters/openai-agents.js';
import type { ServedMcpHttp } from '../../ts/mcp-server/http-options.js';
import { serveMcp } from '../../ts/mcp-server/serve.js';
import { serveMcpHttp } from '../../ts/mcp-server/serve-http.js';
import { Redactor } from '../../ts/redaction/redactor.js';
import type { Toolkit } from '../../ts/toolkit.js';
import type { ToolkitOptions } from '../../ts/tools/toolkit-options.js';
import type { Planting } from './files.js';

/** Anything where something else belongs. */
const wrong = (value: unknown): never => value as never;

/** Everything a server answers to these lines. */
async function answersTo(toolkit: Toolkit, ...lines: readonly string[]): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const counted = new Promise<void>((resolve) => toolkit.on('call', () => setImmediate(resolve)));
  const served = serveMcp(toolkit, { input, output });
  input.write(`${lines.join('\n')}\n`);
  await counted;
  input.end();
  await served;
  output.end();
  return await text(output);
}

/** What a server over HTTP answers to a request with these headers. */
async function answerOverHttp(toolkit: Toolkit, ask: (url: string, served: ServedMcpHttp) => Promise<Response>) {
  await using served = await serveMcpHttp(toolkit);
  const answer = await ask(served.url ?? '', served);
  return [answer.status, [...answer.headers], await answer.text()];
}

/** @param make A toolkit that is closed after the test. */
export function adapterPlantings(
  make: (options?: Partial<ToolkitOptions>) => Promise<Toolkit>,
): Record<string, Record<string, Planting>> {
  const knowing = (secret: string) =>
    make({ redaction: new Redactor({ secrets: { PLANTED: secret } }), terminal: { env: { set: { KEY: secret } } } });
  /** A toolkit with the changes of a command that wait for a decision, and what a model was told. */
  const conflicting = async (secret: string): Promise<readonly [Toolkit, string]> => {
    const toolkit = await make({
      changes: 'staged',
      redaction: new Redactor({ secrets: { PLANTED: secret } }),
      terminal: { allow: ['echo', 'sleep'], shell: 'bash' },
    });
    const command = `echo ours > ${secret}.txt; sleep 0.4`;
    const call = toolkit.execute('terminal_run', { command }, { caller: secret });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await toolkit.files.write(`${secret}.txt`, 'theirs');
    return [toolkit, (await call).content];
  };
  return {
    'Toolkit.explain': {
      'an argument of the wrong type': async (secret) => (await make()).explain('terminal_run', { command: [secret] }),
      'an unknown argument': async (secret) => (await make()).explain('terminal_run', { command: 'a', [secret]: 1 }),
      'an argument of what is denied': async (secret) =>
        (await make()).explain('terminal_run', { command: `rm ${secret}` }),
      'an unknown tool': async (secret) => (await make()).explain(secret, {}),
      'a name that is none': async (secret) => (await make()).explain(wrong([secret]), {}),
      'a call behind the end': async (secret) => {
        const toolkit = await make();
        await toolkit.close();
        return toolkit.explain('terminal_run', { command: secret });
      },
    },
    'Toolkit.history': {
      'options and callers': async (secret) => {
        const toolkit = await knowing(secret);
        const { content } = await toolkit.execute('changes_list', {}, { caller: secret });
        await toolkit.files.write('a', `one ${secret}`);
        await toolkit.files.write('a', `two ${secret} ${secret}`, { caller: secret });
        const shown = await toolkit.execute('changes_list', { diff: true }, { caller: secret });
        const tried = await toolkit.execute('changes_undo', { dry_run: true }, { caller: secret });
        return await Promise.allSettled([
          content,
          shown.content,
          tried.content,
          toolkit.history({ caller: secret, diff: true }),
          toolkit.history({ diff: wrong(secret) }),
          toolkit.history(wrong([secret])),
        ]);
      },
    },
    'Toolkit.undo': {
      'ids and options': async (secret) => {
        const toolkit = await knowing(secret);
        const { content } = await toolkit.execute('changes_undo', { ids: [secret] });
        return await Promise.allSettled([content, toolkit.undo(secret), toolkit.undo(wrong({ [secret]: secret }))]);
      },
      'what is taken back': async (secret) => {
        const toolkit = await knowing(secret);
        await toolkit.files.write('a', `one ${secret}`);
        return [await toolkit.undo({ diff: true, dryRun: true }), await toolkit.undo({ diff: true })];
      },
    },
    'Toolkit.transaction': {
      'what its tools read and refuse': async (secret) => {
        await using transaction = await (await knowing(secret)).transaction();
        const { files } = transaction.toolkit;
        return [await files.write('kept.txt', secret), await files.read('kept.txt'), await files.read(secret)];
      },
      'a call behind the end': async (secret) => {
        const transaction = await (await knowing(secret)).transaction();
        await transaction.discard();
        return await transaction.toolkit.execute(secret, { [secret]: secret });
      },
    },
    'Transaction.changes': {
      'names of files': async (secret) => {
        await using transaction = await (await knowing(secret)).transaction();
        await transaction.toolkit.files.write(secret, secret);
        return await Promise.allSettled([transaction.changes(), transaction.changes(wrong({ [secret]: secret }))]);
      },
      'what differs in files': async (secret) => {
        const toolkit = await knowing(secret);
        await toolkit.files.write('old', `one ${secret}`);
        await using transaction = await toolkit.transaction();
        await transaction.toolkit.files.write('old', `two ${secret}`);
        await transaction.toolkit.files.write(secret, secret);
        const shown = await transaction.changes({ diff: true });
        return [shown, await transaction.commit({ diff: true }), await toolkit.history({ diff: true })];
      },
    },
    'Transaction.commit': {
      'names of files, and options': async (secret) => {
        await using transaction = await (await knowing(secret)).transaction();
        await transaction.toolkit.files.write(secret, secret);
        return await Promise.allSettled([
          transaction.commit(wrong({ [secret]: secret })),
          transaction.commit({ digest: secret }),
        ]);
      },
    },
    'Transaction.discard': {
      'a second time': async (secret) => {
        const transaction = await (await knowing(secret)).transaction();
        return [await transaction.discard(), await transaction.discard()];
      },
    },
    'Toolkit.staged': {
      'commands, callers and files that conflict': async (secret) => {
        const [toolkit, content] = await conflicting(secret);
        return [content, toolkit.staged()];
      },
    },
    'StagedLayer.changes': {
      'names of files, and options': async (secret) => {
        const [layer] = (await conflicting(secret))[0].staged();
        return await Promise.allSettled([layer?.changes(), layer?.changes(wrong({ [secret]: secret }))]);
      },
    },
    'StagedLayer.commit': {
      'names of files, and options': async (secret) => {
        const [layer] = (await conflicting(secret))[0].staged();
        return await Promise.allSettled([
          layer?.commit(wrong({ [secret]: secret })),
          layer?.commit({ digest: secret }),
          layer?.commit(),
          layer?.commit({ partly: true }),
          layer?.commit(),
        ]);
      },
    },
    'StagedLayer.discard': {
      'a second time': async (secret) => {
        const [layer] = (await conflicting(secret))[0].staged();
        return [await layer?.discard(), await layer?.discard()];
      },
    },
    agentTools: {
      'the name of a tool': async (secret) => agentTools(await make(), { tools: [secret] }),
      'how to approve': async (secret) => agentTools(await make(), { approval: wrong(secret) }),
      'what a tool looks like': async (secret) => agentTools(await knowing(secret)),
    },
    aiTools: {
      'the name of a tool': async (secret) => aiTools(await make(), { tools: [secret] }),
      'how to approve': async (secret) => aiTools(await make(), { approval: wrong(secret) }),
      'what a tool looks like': async (secret) => aiTools(await knowing(secret)),
    },
    serveMcp: {
      'an unknown option': async (secret) => serveMcp(await make(), wrong({ [secret]: secret })),
      'an input that is none': async (secret) => serveMcp(await make(), { input: wrong(secret) }),
      'what is no message': async (secret) =>
        answersTo(
          await make(),
          ...[secret, `{"${secret}`, `{"jsonrpc":"2.0","id":1,"method":"${secret}"}`],
          ...[`{"jsonrpc":"2.0","id":{"${secret}":1},"method":"ping"}`],
          '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"terminal_run"}}',
        ),
      'an argument of what is denied': async (secret) =>
        answersTo(
          await make(),
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"terminal_run","arguments":{"command":"rm ${secret}"}}}`,
        ),
    },
    serveMcpHttp: {
      'an unknown option': async (secret) => serveMcpHttp(await make(), wrong({ [secret]: secret })),
      'a token that is none': async (secret) => serveMcpHttp(await make(), { tokens: { [secret]: wrong([secret]) } }),
      'a token of two': async (secret) =>
        serveMcpHttp(await make(), { tokens: { ann: `${secret}-${secret}`, ben: `${secret}-${secret}` } }),
      'a certificate that is none': async (secret) =>
        serveMcpHttp(await make(), { tls: { cert: secret, key: wrong([secret]) } }),
      'a path': async (secret) => answerOverHttp(await make(), (url) => fetch(`${url}/${secret}`, { method: 'POST' })),
      'a token of nobody': async (secret) =>
        answerOverHttp(await make(), (url) => fetch(url, { headers: { authorization: `Bearer ${secret}` } })),
      'a body that is none': async (secret) =>
        answerOverHttp(await make(), (url, { tokens }) =>
          fetch(url, {
            ...{ method: 'POST', body: secret },
            headers: { authorization: `Bearer ${tokens['default']}`, 'content-type': 'application/json' },
          }),
        ),
    },
    'ServedMcpHttp.close': {
      'an option of the wrong type': async (secret) => {
        const served = await serveMcpHttp(await make(), { listen: false });
        return await served.close(wrong({ graceMs: secret }));
      },
    },
    terminalRunTool: {
      'what it looks like': (secret) => {
        vi.stubEnv('TERMINAL_REDACT_SUBSTRINGS', secret);
        try {
          return terminalRunTool;
        } finally {
          vi.unstubAllEnvs();
        }
      },
    },
  };
}
