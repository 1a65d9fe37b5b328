/** Whether the earlier turns are over before the time is, and before the signal fires. */
export function isReachedInTime(
  earlierTurns: Promise<unknown>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return new Promise((resolve) => {
    const decide = (isReached: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', give);
      resolve(isReached);
    };
    const give = (): void => decide(false);
    const timer = setTimeout(give, signal?.aborted === true ? 0 : ms);
    signal?.addEventListener('abort', give, { once: true });
    void earlierTurns.then(() => decide(true));
  });
}
