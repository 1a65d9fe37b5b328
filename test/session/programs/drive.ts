/** Drives a program in a session, and judges its answers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionOutput, Toolkit } from '../../../ts/index.js';
import type { Session } from '../../../ts/session/session.js';
import { LIVENESS_MS } from '../../support/liveness.js';
import { sleep } from '../../support/processes.js';
import type { Program, Step } from './program.js';

/** A step whose answer is not what it has to be. */
export interface Fault {
  readonly step: string;
  /** `early`: a part of the answer came after it. `late`: it came at the time-out. `wrong`: it is another one. */
  readonly kind: 'early' | 'late' | 'wrong';
  readonly detail: string;
}

const READY = ['marker', 'quiet'];

/** How long the rest of an answer that is not right may take to come. */
const REST_MS = 3_000;

/**
 * Drives a program through its steps.
 *
 * @param pauseMs How long nothing of an answer may come after it.
 */
export async function drive(
  { command, args, files = {}, options, steps }: Program,
  toolkit: Toolkit,
  folder: string,
  pauseMs: number,
): Promise<Fault[]> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const session = await toolkit.sessions.open(command, {
    cwd: folder,
    ...(args === undefined ? {} : { args }),
    ...options,
  });
  const faults: Fault[] = [];
  let wroteOn = false;
  for (const step of steps) {
    const answer = await act(session, step);
    const fault = wroteOn ? undefined : skipped(answer);
    const found = fault ?? (await judge(session, step, answer, pauseMs));
    if (found !== undefined) faults.push({ step: step.send ?? step.press ?? 'read', ...found });
    wroteOn = step.writesOn === true;
    if (answer.reason === 'exited' || found?.kind === 'late') break;
  }
  await session.close();
  return faults;
}

async function act(session: Session, { send, press, timeoutMs = LIVENESS_MS }: Step): Promise<SessionOutput> {
  if (send !== undefined) return await session.send(send, { timeoutMs });
  if (press !== undefined) await session.press(press);
  return await session.read({ timeoutMs });
}

type Found = Omit<Fault, 'step'>;

/** The answer before lacked something. */
function skipped({ skippedBytes, text }: SessionOutput): Found | undefined {
  if (skippedBytes === 0) return undefined;
  return { kind: 'early', detail: `the answer before ${JSON.stringify(text)} lacked ${skippedBytes} bytes` };
}

async function judge(
  session: Session,
  { shows, reason, writesOn }: Step,
  answer: SessionOutput,
  pauseMs: number,
): Promise<Found | undefined> {
  const shown = answer.screen?.text ?? answer.text;
  const detail = `${answer.reason} ${JSON.stringify(shown)}`;
  const isExpected = reason === undefined ? READY.includes(answer.reason) : answer.reason === reason;
  if (!isExpected) return { kind: answer.reason === 'timeout' ? 'late' : 'wrong', detail };
  const isShown = shows.test(shown);
  if (isShown && (writesOn === true || answer.reason === 'exited')) return undefined;
  await sleep(isShown ? pauseMs : REST_MS);
  const later = session.history(answer.cursor).text;
  const picture = answer.screen === undefined ? shown : (await session.screen()).text;
  if (later !== '' || picture !== shown) {
    return { kind: 'early', detail: `${detail}, then ${JSON.stringify(later || picture)}` };
  }
  return isShown ? undefined : { kind: 'wrong', detail };
}
