import { randomBytes } from 'node:crypto';
import type { SandboxExecResult } from '@openai/agents/sandbox';

/** A text as one word of a script. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The result of a command in the form in which the SDK's local client writes it for a model. */
export function execText({
  output,
  wallTimeSeconds,
  exitCode,
  sessionId,
  originalTokenCount,
}: SandboxExecResult): string {
  const running = sessionId === undefined ? [] : [`Process running with session ID ${sessionId}`];
  const exited = typeof exitCode === 'number' ? [`Process exited with code ${exitCode}`] : [];
  return [
    `Chunk ID: ${randomBytes(3).toString('hex')}`,
    `Wall time: ${wallTimeSeconds.toFixed(4)} seconds`,
    ...running,
    ...exited,
    ...(originalTokenCount === undefined ? [] : [`Original token count: ${originalTokenCount}`]),
    'Output:',
    output,
  ].join('\n');
}
