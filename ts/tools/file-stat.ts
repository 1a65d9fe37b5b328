import * as z from 'zod/mini';
import type { StatedFile } from '../files/answers.js';
import { defineFileTool, READ_ONLY_ANNOTATIONS } from './file-tool.js';
import { pathArgument } from './path-argument.js';

/** The tool `file_stat`: kind, size, mode and times of the file that a name stands for. */
export const fileStat = defineFileTool({
  name: 'file_stat',
  annotations: { title: 'Look at a name', ...READ_ONLY_ANNOTATIONS },
  schema: () =>
    z.strictObject({
      path: pathArgument('The file, directory or link, relative to the workspace or absolute within it.'),
    }),
  describe: () =>
    'Say what a name of the workspace stands for: its kind, size, rights and times. A link is told as a link, with where ' +
    'it leads.',
  run: ({ path }, _call, { files }) => files.stat(path),
  render: rendered,
});

function rendered({ path, type, size, mode, modifiedMs, link, target }: StatedFile): string {
  const facts = [
    link === undefined ? type : `link to ${link} (${target})`,
    ...(size === undefined ? [] : [`${size} bytes`]),
    `mode ${mode}`,
    `modified ${new Date(modifiedMs).toISOString()}`,
  ];
  return `${path}: ${facts.join(', ')}`;
}
