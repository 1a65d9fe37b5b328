/** An interactive zsh that is asked what it would complete. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LIVENESS_MS } from '../support/liveness.js';
import { startAtTerminal } from './pseudo-terminal.js';

const PAUSE_MS = 20;

/** Ctrl-U: the line is empty again. */
const CLEAR_LINE = '\u0015';

/**
 * Loads the script, writes each match to the file that `HITS` names, and a last line when a completion is over.
 * Calls that only fill arrays are calls of the completion system to itself.
 */
const SETUP = `
unsetopt beep
PS1='> '
fpath=($ZDOTDIR/functions $fpath)
autoload -Uz compinit && compinit -D -u
source $ZDOTDIR/load.zsh
compadd() {
  local -a own=("\${(@)argv[1,(i)--]}") hits
  local hit
  if [[ -n \${(M)own:#-[OAD]*} ]]; then
    builtin compadd "$@"
    return
  fi
  builtin compadd -O hits "$@"
  for hit in $hits; print -r -- "match $hit" >> $HITS
  builtin compadd "$@"
}
complete-and-tell() {
  zle complete-word
  print -r -- "line $BUFFER" >> $HITS
}
zle -N complete-and-tell
bindkey '^I' complete-and-tell
precmd() { print ready >> $HITS }
`;

/** What zsh made of a line. */
export interface Completed {
  /** What it offered. */
  readonly matches: readonly string[];
  /** The line, with what was certain. */
  readonly line: string;
}

/** A zsh in `folder`, in which `load` was run after the completion system had started. */
export class Zsh implements AsyncDisposable {
  readonly #hits: string;
  readonly #shell: ReturnType<typeof startAtTerminal>;

  private constructor(cwd: string, home: string) {
    this.#hits = path.join(home, 'hits');
    const env = { ZDOTDIR: home, HITS: this.#hits, HOME: home };
    this.#shell = startAtTerminal('exec zsh -d -i', { cwd, env });
    this.#shell.stdout.resume();
  }

  static async start(cwd: string, home: string, load: string): Promise<Zsh> {
    mkdirSync(path.join(home, 'functions'), { recursive: true });
    writeFileSync(path.join(home, '.zshrc'), SETUP);
    writeFileSync(path.join(home, 'load.zsh'), load);
    const zsh = new Zsh(cwd, home);
    await zsh.#told(/^ready$/m);
    return zsh;
  }

  /** Types `line` and a tab. */
  async complete(line: string): Promise<Completed> {
    rmSync(this.#hits, { force: true });
    this.#shell.stdin.write(`${CLEAR_LINE}${line}\t`);
    const told = await this.#told(/^line .*$/m);
    const matches = Array.from(told.matchAll(/^match (.*)$/gm), ([, match = '']) => match);
    return { matches: [...new Set(matches)].sort(), line: /^line (.*)$/m.exec(told)?.[1] ?? '' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#shell.once('close', resolve));
    this.#shell.kill('SIGKILL');
    await ended;
  }

  async #told(wanted: RegExp): Promise<string> {
    const started = performance.now();
    while (performance.now() - started < LIVENESS_MS) {
      const text = existsSync(this.#hits) ? readFileSync(this.#hits, 'utf8') : '';
      if (wanted.test(text) && text.endsWith('\n')) return text;
      await pause(PAUSE_MS);
    }
    throw new Error(`zsh did not say ${String(wanted)}`);
  }
}
