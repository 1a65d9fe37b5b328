/**
 * Something the kernel refused a command, as far as what the program wrote about it can be understood. The guarantee
 * holds whether or not it is named here.
 */
export interface Blocked {
  /** What refused it. */
  readonly guarantee: 'exec' | 'writes' | 'remove' | 'network';
  /** The program, the path or the address, as the command wrote it. Secrets masked. */
  readonly subject: string;
  /** What happened, and why. */
  readonly message: string;
  /** What to do instead, and which option of the host lifts it. */
  readonly hint: string;
}

/** Notes for a model about what was refused, in brackets. */
export function blockedNotes(blocked: readonly Blocked[] = []): string[] {
  return blocked.map(({ message, hint }) => `[blocked: ${message}. ${hint}]`);
}
