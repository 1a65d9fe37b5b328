import { execFile } from 'node:child_process';
import { HandrailError } from '../errors.js';
import { MAX_WHOLE_BYTES } from './input-source.js';

/** Names of the changed files in the index of git, from the root of the repository. */
export async function stagedFiles(stop: AbortSignal): Promise<readonly string[]> {
  // Without submodules, which have no content here, and without external diff programs, which a configuration may name.
  const options = ['--name-only', '-z', '--diff-filter=ACMRT', '--ignore-submodules=all', '--no-ext-diff'];
  const names = await git(['diff', '--cached', ...options], 'what is staged', stop);
  return names?.toString('utf8').split('\0').filter(Boolean) ?? [];
}

/** The staged content of `file`, which may differ from the file in the working tree. Undefined when `stop` has fired. */
export function stagedContent(file: string, stop: AbortSignal): Promise<Uint8Array | undefined> {
  return git(['cat-file', 'blob', `:0:${file}`], 'a staged file', stop);
}

/** Runs git and returns its output. In a hook the environment names the index to use. */
function git(args: readonly string[], subject: string, stop: AbortSignal): Promise<Buffer | undefined> {
  const options = { encoding: 'buffer', maxBuffer: MAX_WHOLE_BYTES, signal: stop } as const;
  return new Promise((resolve, reject) => {
    execFile('git', ['-c', 'core.fsmonitor=false', ...args], options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else if (stop.aborted) resolve(undefined);
      else reject(new HandrailError('ERR_SYSTEM', `git cannot say ${subject}: ${reasonOf(error)}`));
    });
  });
}

/** The reason of a failure, without the messages of git, whose names may be secrets. */
function reasonOf({ code }: { readonly code?: unknown }): string {
  if (code === 'ENOENT') return 'there is no git';
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `it has more than ${MAX_WHOLE_BYTES} bytes`;
  return code === 128 || code === 129 ? 'is this a repository?' : `it exited with ${String(code)}`;
}
