/** Secrets in every place of sessions and of `AGTerm`: what is sent, what programs write, and wrong options. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as handrail from '../../ts/index.js';
import type { Planting } from './files.js';

const { AGTerm, createToolkit, Redactor } = handrail;

/** Anything where something else belongs. */
const wrong = (value: unknown): never => value as never;

const knowing = (secret: string) => new Redactor({ secrets: { PLANTED: secret } });

const QUIET = { env: { set: { PS1: '' } }, interactive: false } as const;

/** Writes the secret in two pieces, so that it stands in no input. */
const writes = (secret: string): string => `printf '%s' ${secret.slice(0, 9)}; echo ${secret.slice(9)}`;

const shell = (use: (term: handrail.AGTerm, secret: string) => unknown) =>
  (async (secret) => {
    await using term = new AGTerm('bash --norc', { ...QUIET, redactor: knowing(secret) });
    return [await Promise.allSettled([use(term, secret)]), term.lastRead, term];
  }) satisfies Planting;

const session = (use: (opened: handrail.Session, secret: string) => unknown) =>
  (async (secret) => {
    await using toolkit = await createToolkit({ workspace: '.', redaction: knowing(secret) });
    const opened = await toolkit.sessions.open('bash --norc', { env: QUIET.env });
    const answers = await Promise.allSettled([use(opened, secret)]);
    return [answers, opened, await opened.close()];
  }) satisfies Planting;

/** A program that has the secret in its arguments and in its prompt, asks for a line without echo, and prints it. */
const asking =
  (use: (question: handrail.SessionQuestion, secret: string, opened: handrail.Session) => unknown): Planting =>
  async (secret) => {
    await using toolkit = await createToolkit({ workspace: '.', redaction: knowing(secret) });
    toolkit.on('question', () => undefined);
    const code = 'read -rsp "$0? " line; echo; echo "$line"';
    const opened = await toolkit.sessions.open('bash', { args: ['-c', code, secret] });
    await opened.read();
    const { question } = opened;
    if (question === undefined) throw new Error('no question was asked');
    return [question, await Promise.allSettled([use(question, secret, opened)]), await opened.close()];
  };

export const SESSION_PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  'new AGTerm': {
    'an unknown option': (secret) => new AGTerm('bash', wrong({ [secret]: secret })),
    'no markers': (secret) => new AGTerm('bash', true, wrong(secret)),
    'a program that is not there': async (secret) => {
      await using term = new AGTerm(`/nowhere/${secret}`, { redactor: knowing(secret) });
      return [await Promise.allSettled([term.readUntilReady()]), term];
    },
  },
  'AGTerm.setReadyMarkers': { 'no list': shell((term, secret) => term.setReadyMarkers(wrong(secret))) },
  'AGTerm.readUntilReady': {
    'an unknown option': shell((term, secret) => term.readUntilReady(wrong({ [secret]: secret }))),
  },
  'AGTerm.sendAndReadUntilReady': {
    'what a program writes': shell((term, secret) => term.sendAndReadUntilReady(writes(secret))),
    'an error of a program': shell((term, secret) => term.sendAndReadUntilReady(`/nowhere/${secret}`)),
    'no string': shell((term, secret) => term.sendAndReadUntilReady(wrong([secret]))),
    'a line that would be cut': shell(async (term, secret) => {
      await term.sendAndReadUntilReady('cat');
      return await term.sendAndReadUntilReady(secret.repeat(500));
    }),
    'what is denied': async (secret) => {
      await using term = new AGTerm('bash --norc', { ...QUIET, redactor: knowing(secret), allow: ['echo'] });
      return [await term.sendAndReadUntilReady(`rm ${secret}`), term.lastRead];
    },
  },
  'AGTerm.readAvailable': {
    'what a program writes': shell(async (term, secret) => {
      await term.sendAndReadUntilReady(`(sleep 0.05; ${writes(secret)}) &`);
      await term.sendAndReadUntilReady('sleep 0.2');
      return await term.readAvailable();
    }),
    'no number': shell((term, secret) => term.readAvailable(wrong(secret))),
  },
  'AGTerm.getHistory': {
    'what a program wrote': shell(async (term, secret) => {
      await term.sendAndReadUntilReady(writes(secret));
      return await term.getHistory();
    }),
  },
  'AGTerm.lastRead': {
    'what a program wrote': shell(async (term, secret) => {
      await term.sendAndReadUntilReady(writes(secret));
      return term.lastRead;
    }),
  },
  'AGTerm.sendCtrlC': { 'what was sent before': shell((term) => term.sendCtrlC()) },
  'AGTerm.reset': { 'what was sent before': shell((term) => term.reset()) },
  'AGTerm.close': { 'what was sent before': shell((term) => term.close()) },
  'AGTerm.[asyncDispose]': { 'what was sent before': shell((term) => term.close()) },
  'AGTerm.isAlive': { 'a shell': shell((term) => term.isAlive()) },
  'AGTerm.isInteractive': { 'a shell': shell((term) => term.isInteractive()) },
  'AGTerm.getInitialCommand': { 'a shell': shell((term) => term.getInitialCommand()) },
  'Sessions.open': {
    'a recording that cannot be made, and one of what a program writes': async (secret) => {
      await using toolkit = await createToolkit({ workspace: '.', redaction: knowing(secret) });
      const folder = mkdtempSync(path.join(tmpdir(), 'handrail-recording-'));
      const file = path.join(folder, 'cast');
      const nowhere = path.join(folder, secret, secret);
      const refused = await Promise.allSettled([toolkit.sessions.open('bash', { record: nowhere })]);
      const args = ['-c', `printf ${secret.slice(0, 9)}; sleep 0.1; echo ${secret.slice(9)}`];
      await (await toolkit.sessions.open('bash', { args, record: file })).ended;
      await toolkit.close();
      const recorded = readFileSync(file, 'utf8');
      rmSync(folder, { recursive: true });
      return [refused, recorded];
    },
    'a program that is not there': async (secret) => {
      await using toolkit = await createToolkit({ workspace: '.', redaction: knowing(secret) });
      return await Promise.allSettled([toolkit.sessions.open(secret), toolkit.sessions.open(`echo ${secret} | cat`)]);
    },
    'an unknown option': async (secret) => {
      await using toolkit = await createToolkit({ workspace: '.' });
      return await Promise.allSettled([toolkit.sessions.open('bash', wrong({ [secret]: secret }))]);
    },
  },
  'Sessions.list': { 'a session': session((opened) => [opened]) },
  'Session.read': {
    'an unknown option': session((opened, secret) => opened.read(wrong({ [secret]: secret }))),
  },
  'Session.send': {
    'what a program writes': session((opened, secret) => opened.send(writes(secret))),
    'no string': session((opened, secret) => opened.send(wrong([secret]))),
  },
  'Session.write': {
    'no string': session((opened, secret) => opened.write(wrong([secret]))),
    'to a program that has ended': session(async (opened, secret) => {
      await opened.close();
      return await opened.write(secret);
    }),
  },
  'Session.history': {
    'what a program wrote': session(async (opened, secret) => {
      await opened.send(writes(secret));
      return opened.history();
    }),
  },
  'Session.screen': {
    'what a program paints in pieces': session(async (opened, secret) => {
      await opened.send(
        `printf '\\033[?1049h\\033[2J\\033[3;1H%s' ${secret.slice(0, 9)}; printf '%s' ${secret.slice(9)}; sleep 0.2`,
      );
      return opened.screen();
    }),
  },
  'Session.watch': {
    'what a program writes': session(async (opened, secret) => {
      const updates: unknown[] = [];
      const written = opened.write(`${writes(secret)}; exit\n`);
      for await (const update of opened.watch({ since: 0 })) updates.push(update);
      return [updates, await written];
    }),
    'no position': session((opened, secret) => opened.watch({ since: wrong(secret) })),
  },
  'Session.attachment': {
    'a program with a secret': async (secret) => {
      await using toolkit = await createToolkit({ workspace: '.', redaction: knowing(secret), attach: 'read' });
      const opened = await toolkit.sessions.open('echo', { args: [secret] });
      const { id, mode, command } = await opened.attachment();
      return [id, mode, command, await opened.close(), await opened.attachment().catch(String)];
    },
    'where nobody may attach': session((opened) => opened.attachment()),
  },
  'SessionAttachment.close': {
    'a program with a secret': async (secret) => {
      await using toolkit = await createToolkit({ workspace: '.', redaction: knowing(secret), attach: 'read' });
      const opened = await toolkit.sessions.open('cat', { args: ['-', secret] });
      const { close } = await opened.attachment();
      return [close(), close()];
    },
  },
  'Session.press': {
    'no key': session((opened, secret) => opened.press(secret)),
    'no string': session((opened, secret) => opened.press(wrong([secret]))),
  },
  'Session.paste': {
    'no string': session((opened, secret) => opened.paste(wrong([secret]))),
    'a text with a control character': session((opened, secret) => opened.paste(`${secret}\u001b`)),
  },
  'QuestionedSession.sendSecret': {
    'a program, an argument and a prompt with it': asking((question, secret) =>
      question.session.sendSecret(question.id, secret),
    ),
  },
  'Session.sendSecret': {
    'what a program prints of it': asking(async ({ id, session: asked }, secret, opened) => {
      return [await asked.sendSecret(id, `${secret}-x`), await opened.read(), opened.history(), opened.screen()];
    }),
    'a question that does not stand': session((opened, secret) => opened.sendSecret(secret, secret)),
    'no line': asking(({ id, session: asked }, secret) => asked.sendSecret(id, `${secret}\n`)),
    'a wrong value': asking(({ id, session: asked }, secret) => asked.sendSecret(id, wrong([secret]))),
    'no id': session((opened, secret) => opened.sendSecret(wrong([secret]), secret)),
  },
  'Session.signal': { 'no signal': session((opened, secret) => opened.signal(wrong(secret))) },
  'Session.resize': { 'no number': session((opened, secret) => opened.resize(wrong(secret), 1)) },
  'Session.setReadyMarkers': { 'no list': session((opened, secret) => opened.setReadyMarkers(wrong(secret))) },
  'Session.interrupt': { 'a shell': session((opened) => opened.interrupt()) },
  'Session.commit': {
    'a session without a layer': session((opened, secret) => opened.commit(wrong({ [secret]: secret }))),
    'names of files, and options': async (secret) => {
      const workspace = mkdtempSync(path.join(tmpdir(), 'handrail-leaks-'));
      await using toolkit = await createToolkit({ workspace, changes: 'staged', redaction: knowing(secret) });
      const opened = await toolkit.sessions.open('bash');
      await opened.send(`echo ours > ${secret}`);
      await opened.read();
      const commits = [opened.commit(wrong({ [secret]: secret })), opened.commit(), opened.close()];
      const answers = await Promise.allSettled(commits);
      rmSync(workspace, { recursive: true });
      return answers;
    },
  },
  'Session.close': { 'a shell': session((opened) => opened.close()) },
  'Session.[asyncDispose]': { 'a shell': session((opened) => opened.close()) },
};
