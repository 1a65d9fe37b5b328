import type { Socket } from 'node:net';
import { answersOf, connectToOffer, View } from '../attach/client.js';
import { type HostFrame, line } from '../attach/frames.js';
import { hostEnvironment } from '../config/host-environment.js';
import { HandrailError } from '../errors.js';
import { renderForApproval } from '../terminal/approval.js';
import { readArguments } from './arguments.js';
import { EXIT } from './exit-code.js';
import { Keyboard } from './keyboard.js';
import type { Outputs } from './outputs.js';
import { SESSION, TOKEN_VARIABLE } from './session-options.js';
import { UsageError } from './usage-error.js';

/** Runs `handrail session` and returns its exit code. */
export async function session(args: readonly string[], outputs: Outputs): Promise<number> {
  const [action, id, ...more] = readArguments(args, SESSION).words;
  if (action !== 'attach' || id === undefined || more.length > 0) {
    throw new UsageError('session takes attach and the ID that the host has shown');
  }
  const socket = await connectToOffer(id);
  const keyboard = new Keyboard(process.stdin);
  try {
    const token = hostEnvironment()[TOKEN_VARIABLE] ?? (await askForToken(keyboard, outputs));
    return token === undefined ? EXIT.ok : await show(socket, token, keyboard, outputs);
  } finally {
    keyboard.close();
    socket.destroy();
  }
}

async function askForToken(keyboard: Keyboard, outputs: Outputs): Promise<string | undefined> {
  if (!keyboard.isTerminal) {
    throw new UsageError(`there is no terminal to type the token at; give it in ${TOKEN_VARIABLE}`);
  }
  // From here on nothing that is typed is shown.
  const typed = keyboard.line();
  await outputs.remark('token: ');
  const token = await typed;
  await outputs.remark('\n');
  return token;
}

type Hello = Extract<HostFrame, { readonly hello: unknown }>['hello'];

async function show(socket: Socket, token: string, keyboard: Keyboard, outputs: Outputs): Promise<number> {
  const { stdout } = process;
  const isTerminal = stdout.isTTY === true;
  const size = { cols: () => stdout.columns || 80, rows: () => stdout.rows || 24 };
  const view = new View({ isTerminal, lineEnd: '\n', ...size });
  const sendSize = (): void => void socket.write(line({ size: [stdout.columns, stdout.rows] }));
  let ending = 'detached';
  let isDetached = false;
  const greet = async ({ mode, command }: Hello): Promise<void> => {
    const types = mode === 'keyboard';
    const what = types ? 'what you type goes to it' : 'you look on';
    await outputs.remark(`handrail: ${renderForApproval(command)}: ${what}; Ctrl-] detaches\n`);
    keyboard.pass(types ? socket : undefined, () => {
      isDetached = true;
      socket.destroy();
    });
    if (!isTerminal || !types) return;
    stdout.on('resize', sendSize);
    sendSize();
  };
  const take = async (answer: HostFrame): Promise<void> => {
    if ('update' in answer) await outputs.write('stdout', view.show(answer.update));
    else if ('end' in answer) ending = `the session is over: ${answer.end}`;
    else if ('refused' in answer) throw refusal(answer.refused, answer.message);
    else await greet(answer.hello);
  };
  try {
    for await (const answer of answersOf(socket, token)) {
      await take(answer);
      if (outputs.failure !== undefined) break;
    }
  } catch (error) {
    // The connection was cut here.
    if (!isDetached) throw error;
  } finally {
    stdout.off('resize', sendSize);
    await outputs.write('stdout', view.end());
  }
  await outputs.remark(`\nhandrail: ${ending}\n`);
  return EXIT.ok;
}

function refusal(code: string, message: string): HandrailError {
  if (code === 'token') return new HandrailError('ERR_INVALID_ARGUMENT', message, { data: { name: 'token' } });
  if (code === 'failed') return new HandrailError('ERR_SYSTEM', message);
  const reason = code === 'command' ? ': it was started by a command of an agent' : '';
  return new HandrailError('ERR_SYSTEM', `The host lets this process not attach${reason}`);
}
