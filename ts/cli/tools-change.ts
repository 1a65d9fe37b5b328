import type { McpToolChange, McpToolsChange } from '../mcp/tool-set.js';
import type { Style } from './style.js';

/** Stand in front of every line of a server, so that none of them looks like one of ours. */
const GUTTERS = { same: '  │   ', before: '  │ - ', after: '  │ + ' } as const;

const TITLES: Readonly<Record<McpToolChange['change'], string>> = {
  added: 'a new tool',
  changed: 'a tool that has changed',
  removed: 'a tool that is gone',
};

/** What is different in the tools of a server, in lines. */
export function changeText({ tools }: McpToolsChange, style: Style): string {
  return tools.map((tool) => `${toolLines(tool, style).join('\n')}\n`).join('\n');
}

function toolLines({ name, change, parts, before, after, notes }: McpToolChange, style: Style): readonly string[] {
  const which = change === 'changed' ? ` (${parts.join(', ')})` : '';
  return [
    style.bold(`${name}: ${TITLES[change]}${which}`),
    ...differentLines(before, after, style),
    ...notes.map((note) => style.warn(`  hidden in ${note}`)),
  ];
}

/** Both texts as one: what they begin and end with alike stands once. */
function differentLines(before: readonly string[], after: readonly string[], style: Style): readonly string[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const mark = (lines: readonly string[], gutter: string): string[] => lines.map((line) => gutter + line);
  return [
    ...mark(after.slice(0, start), GUTTERS.same),
    ...mark(before.slice(start, before.length - end), GUTTERS.before).map(style.bad),
    ...mark(after.slice(start, after.length - end), GUTTERS.after).map(style.good),
    ...mark(after.slice(after.length - end), GUTTERS.same),
  ];
}
