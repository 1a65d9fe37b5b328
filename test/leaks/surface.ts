/** Every function, constructor and method that the reference in docs/api has. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../support/copy.js';

const FOLDER = path.join(REPOSITORY, 'docs/api');
const PAGES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));

/** Parts of a page that have something to call. Of variables only those that are no numbers. */
const PARTS: readonly string[] = ['Functions', 'Classes', 'Interfaces', 'Variables'];

const NUMBER = /^(?:MAX|MIN|DEFAULT|BASH)_/;

/** `boundOutput`, `new Redactor`, `Redactor.scan`, in the order of the pages. */
export function publicMembers(): string[] {
  const members = PAGES.flatMap((page) => membersOf(readFileSync(path.join(FOLDER, page), 'utf8')));
  // A constructor that can be called in two ways has two headings.
  return [...new Set(members)];
}

function membersOf(page: string): string[] {
  const members: string[] = [];
  let part = '';
  let owner = '';
  for (const [, level = '', heading = ''] of page.matchAll(/^(#+) (.*)$/gm)) {
    const name = heading.replace(/\\/g, '').replace('()', '');
    if (level === '##') part = heading;
    if (level === '###') owner = name;
    const member = PARTS.includes(part) ? memberOf(level, part, owner, heading.endsWith('()'), name) : undefined;
    if (member !== undefined) members.push(member);
  }
  return members;
}

/** What a heading of a part stands for. Without brackets it is a variable, an accessor or a constructor. */
function memberOf(level: string, part: string, owner: string, isCalled: boolean, name: string): string | undefined {
  if (level === '###') return part === 'Functions' || (part === 'Variables' && !NUMBER.test(name)) ? name : undefined;
  if (level !== '#####') return undefined;
  if (name === 'Constructor') return `new ${owner}`;
  return isCalled || part === 'Classes' ? `${owner}.${name}` : undefined;
}
