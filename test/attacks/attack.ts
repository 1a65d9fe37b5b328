/**
 * A command that a terminal with this allow list runs unasked as of 2026-11-23, before the kernel plan, and that does
 * what nobody listed. The rows are the measure of that plan: they are not to be answered by rows of tables.
 */
export interface Attack {
  readonly id: string;
  /** Class of `design/attacks.md`, which gives F5 to F16 as one. `writes`: no program, but a file outside of the roots. */
  readonly class: 'F1' | 'F5-F16' | 'F18' | 'writes';
  /** Named by `design/attacks.md` itself. */
  readonly reproduction: boolean;
  readonly why: string;
  readonly allow: readonly string[];
  readonly command: string | readonly string[];
  readonly shell: 'none' | 'bash';
  /** Written into the workspace before. */
  readonly files: Readonly<Record<string, string>>;
  /** Made in the workspace before. */
  readonly folders: readonly string[];
  /** Names among `files` that are executable. */
  readonly mode: readonly string[];
  /** Run by bash in the workspace before, by the test itself. */
  readonly setup: string;
  /** Programs without which the row is skipped by name. */
  readonly needs: readonly string[];
  /**
   * `ran`: `{RAN}`, a file in the workspace, is made by a program or by code that is not listed. `file`: `{MARK}`, a
   * file outside of the roots, appears.
   */
  readonly effect: 'ran' | 'file';
  /** Code inside the listed program itself has the effect: what a list of programs cannot stop. */
  readonly inside: boolean;
  /** Works for root only. */
  readonly root: boolean;
  /** Class that has to be closed before this row does anything through a terminal; execve shows that it works. */
  readonly waitsFor: 'F1' | undefined;
}

type Extra = Partial<Omit<Attack, 'id' | 'why' | 'command' | 'effect'>>;

/** A script that does what no one listed, by the shell itself: that a shell ran is enough. */
export const RUN = '#!/bin/sh\n:>{RAN}\n';

/** A row: what it allows and needs is the program itself when nothing else is said. */
export function attack(id: string, why: string, command: string | readonly string[], extra: Extra = {}): Attack {
  const allow = extra.allow ?? (typeof command === 'string' ? [] : command.slice(0, 1));
  const text = JSON.stringify([command, extra]);
  return {
    class: 'F5-F16',
    reproduction: false,
    shell: typeof command === 'string' ? 'bash' : 'none',
    files: {},
    folders: [],
    mode: Object.keys(extra.files ?? {}).filter((name) => extra.files?.[name] === RUN),
    setup: '',
    inside: false,
    root: false,
    waitsFor: undefined,
    ...extra,
    id,
    why,
    command,
    allow,
    needs: [...new Set([...allow, ...(extra.needs ?? [])])],
    effect: text.includes('{MARK}') ? 'file' : 'ran',
  };
}
