/**
 * Deadlines of a command that has to have begun before. A busy machine takes longer to start one than a short deadline
 * leaves: then it is tried again with ten times as much, so that nobody waits long on a quiet one.
 */
import { until } from './processes.js';

const FIRST_MS = 300;
const LAST_MS = 30_000;

/** The first result that shows that its command had begun. */
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

/** The result of a run with which `meddle` was called after `isUp`, and long before its deadline: no end has begun then. */
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
  if (!wasUp) throw new Error('its deadline came before anybody could meddle with it');
  return result;
}
