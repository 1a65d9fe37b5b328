/** `AGTerm`s for the tests of one file, closed after each. */
import { afterEach } from 'vitest';
import { AGTerm, type AGTermOptions } from '../../ts/index.js';

export const PROMPT = '__AGPROMPT__ ';

/** A bash that reads no settings of the user. */
export const BASH = 'bash --norc --noprofile';

/** Functions that open terminals. */
export function agterms() {
  const open: AGTerm[] = [];

  afterEach(async () => {
    await Promise.all(open.splice(0).map((terminal) => terminal.close()));
  });

  function make(command: string, options: AGTermOptions = {}): AGTerm {
    const terminal = new AGTerm(command, options);
    open.push(terminal);
    return terminal;
  }

  /** A bash that has shown its first prompt. */
  async function bash(options: AGTermOptions = {}): Promise<AGTerm> {
    const { env, ...others } = options;
    const set = { PS1: PROMPT, ...env?.set };
    const terminal = make(BASH, { readyMarkers: [PROMPT], ...others, env: { ...env, set } });
    await terminal.readUntilReady();
    return terminal;
  }

  return { make, bash };
}

/** The part of an answer before the prompt. */
export function withoutPrompt(answer: string): string {
  if (!answer.endsWith(PROMPT)) throw new Error(`no prompt at the end of ${JSON.stringify(answer)}`);
  return answer.slice(0, -PROMPT.length);
}
