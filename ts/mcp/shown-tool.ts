import { renderForApproval } from '../terminal/approval.js';
import { sortedKeys } from './canonical.js';
import type { McpTool } from './tool.js';

/**
 * A tool as a model reads it, in lines for a person: its published name, its description, its arguments and its hints. It
 * leaves nothing out that a model would read, and no character hides in it.
 */
export function shownTool({ name, description, parameters, hints }: McpTool): readonly string[] {
  const { title, ...effects } = hints;
  const effectWords = Object.entries(effects).map(([hint, value]) => `${hint} ${value}`);
  return [
    name,
    ...description.split('\n'),
    ...JSON.stringify(sortedKeys(parameters), undefined, 2).split('\n'),
    `${title}: ${effectWords.join(', ')}`,
  ].map((line) => renderForApproval(line));
}
