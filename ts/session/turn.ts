/** Whether something is over before the time is, and before the signal fires. */
export function isOverInTime(earlier: Promise<unknown>, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const decide = (isReached: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', give);
      resolve(isReached);
    };
    const give = (): void => decide(false);
    const timer = setTimeout(give, signal?.aborted === true ? 0 : ms);
    signal?.addEventListener('abort', give, { once: true });
    void earlier.then(() => decide(true));
  });
}
