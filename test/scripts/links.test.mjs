import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { anchorsOf } from '../../scripts/lib/reference-pages.mjs';
import { REPOSITORY } from '../support/copy.js';

/** What is shown as it is, and has no links or headings. */
const FENCE = /^ *```[\s\S]*?^ *```/gm;
const CODE = /``[^\n]*?``|`[^`\n]*`/g;
const LINK = /\]\(<?([^)>\s]+)>?(?: "[^"]*")?\)|<(?:a|img|source)\s[^>]*(?:href|src|srcset)="([^"]+)"/g;

const anchors = (text) => new Set([...anchorsOf(text.replaceAll(FENCE, '').split('\n'))].map(({ anchor }) => anchor));

/** Links of a page that go nowhere, as `page: link`. `read` gives the text of a file, or nothing where there is none. */
function brokenLinks(page, read) {
  const text = read(page).replaceAll(FENCE, '').replaceAll(CODE, '');
  return [...text.matchAll(LINK)]
    .map(([, markdown, html]) => markdown ?? html)
    .filter((target) => !/^[a-z+]+:/.test(target))
    .filter((target) => {
      const [file, anchor] = target.split('#', 2);
      const found = read(file === '' ? page : path.join(path.dirname(page), file));
      return found === undefined || (anchor !== undefined && !anchors(found).has(anchor));
    })
    .map((target) => `${page}: ${target}`);
}

function readInRepository(name) {
  const file = path.join(REPOSITORY, name);
  if (!existsSync(file)) return;
  return statSync(file).isDirectory() ? '' : readFileSync(file, 'utf8');
}

it('every link of a Markdown file leads to a file and, with an anchor, to a heading', () => {
  const listed = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: REPOSITORY, encoding: 'utf8' });
  const pages = listed.split('\0').filter((name) => name !== '');
  expect(pages).toContain('README.md');
  expect(pages.flatMap((page) => brokenLinks(page, readInRepository))).toEqual([]);
});

it('a link to what is not there is found', () => {
  const pages = {
    'README.md': [
      '# One `two`, three_four',
      '# Twice\n# Twice\n# [Linked](docs/a.md) title',
      '[a](#one-two-three_four) [b](#twice-1) [c](#twice-2) [d](docs/a.md) [e](docs/b.md) [f](docs/a.md#there)',
      '[g](docs/a.md#code) `[h](nowhere.md)` <img src="docs/no.svg"> [`i`](none.md) [j](https://example.com/x#y)',
      '[k](#linked-title)\n```\n[l](nowhere.md)\n```',
    ].join('\n'),
    'docs/a.md': '## There\n[up](../README.md#twice) [up](../README.md#thrice)\n```sh\n# code\n```\n',
  };
  const read = (name) => pages[name];
  expect(Object.keys(pages).flatMap((page) => brokenLinks(page, read))).toEqual([
    'README.md: #twice-2',
    'README.md: docs/b.md',
    'README.md: docs/a.md#code',
    'README.md: docs/no.svg',
    'README.md: none.md',
    'docs/a.md: ../README.md#thrice',
  ]);
});
