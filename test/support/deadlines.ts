/**
 * Deadlines for commands that must have started before their deadline. On a busy machine the start may take longer than a short
 * deadline: then the command is tried again with a deadline ten times as long, which keeps tests fast on an idle machine.
 */
import { until } from './processes.js';

const FIRST_MS = 300;
const LAST_MS = 30_000;

/** The first result that shows that its command had started. */
export async function pastDeadline<Result>(
  run: (timeoutMs: number) => Promise<Result>,
  hasBegun: (result: Result) => boolean,
  firstMs = FIRST_MS,
): Promise<Result> {
  for (let timeoutMs = firstMs; ; timeoutMs *= 10) {
    const result = await run(timeoutMs);
    if (hasBegun(result) || timeoutMs >= LAST_MS) return result;
  }
}

/** Runs a command, and calls `meddle` once `isUp` holds and its deadline is still far. Gives the result of that run. */
export async function beforeDeadline<Result>(
  run: (timeoutMs: number) => Promise<Result>,
  isUp: () => boolean,
  meddle: () => void | Promise<void>,
): Promise<Result> {
  const attempt = async (timeoutMs: number) => {
    let isOver = false;
    const started = performance.now();
    const running = run(timeoutMs).finally(() => {
      isOver = true;
    });
    await until(() => isOver || isUp());
    const wasUp = !isOver && performance.now() - started < timeoutMs / 2;
    if (wasUp) await meddle();
    return { result: await running, wasUp };
  };
  const { result, wasUp } = await pastDeadline(attempt, (tried) => tried.wasUp, 1_000);
  if (!wasUp) throw new Error('the deadline came before `meddle` could be called');
  return result;
}
