import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkspace, removeWorkspace } from '../../ts/cli/demo/workspace.js';
import { createToolkit, type Toolkit } from '../../ts/index.js';
import { REPOSITORY } from '../support/copy.js';

/** A row of the table: the tool, its arguments, and lines of what is read. */
const ROW = /^\| `(\w+)` `(\{.*?\})`.*? \| (.+) \|$/gm;
/** A line in one backtick, or in two where it has some itself. */
const LINE = /(`{1,2})(.*?)\1(?!`)/g;

const README = readFileSync(path.join(REPOSITORY, 'README.md'), 'utf8');
const CALLS = [...README.matchAll(ROW)].map(([, tool = '', args = '', read = '']) => ({
  tool,
  args,
  lines: [...read.matchAll(LINE)].map(([, , line = '']) => line),
}));

const withoutTimes = (text: string) => text.replaceAll(/after \d+ ms/g, 'after N ms');

describe('the calls of the README', () => {
  let folder: string;
  let toolkit: Toolkit;

  beforeAll(async () => {
    folder = makeWorkspace();
    toolkit = await createToolkit({ workspace: folder, terminal: { allow: ['cat', 'git', 'sleep', 'wc'] } });
  });
  afterAll(async () => {
    await toolkit.close();
    removeWorkspace(folder);
  });

  it('are found', () => {
    expect(CALLS.length).toBeGreaterThan(5);
    expect(CALLS.filter(({ lines }) => lines.length === 0)).toEqual([]);
  });

  it.each(CALLS)('$tool $args', async ({ tool, args, lines }) => {
    const content = withoutTimes((await toolkit.execute(tool, JSON.parse(args))).content);
    let from = 0;
    for (const line of lines.map(withoutTimes)) {
      expect(content.slice(from)).toContain(line);
      from = content.indexOf(line, from) + line.length;
    }
  });
});
