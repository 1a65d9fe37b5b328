import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Exported types that are given to us, by the names we give them. */
const GIVEN = /\b\w+(?:Options|Limits|Context|Arguments)\b/g;

function source(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

test('every exported type of options is one of those that take `undefined`', () => {
  const exported = [
    ...(source('../../ts/index.ts').match(GIVEN) ?? []),
    ...(source('../../ts/adapters/openai-agents.ts').match(/(?<=export interface )\w+Options/g) ?? []),
  ];
  const checked = new Set(
    Array.from(source('./options.ts').matchAll(/^lenient<Lenient<(\w+)>>/gm), ([, name]) => name),
  );
  expect(exported.length).toBeGreaterThan(30);
  expect(exported.filter((name) => !checked.has(name))).toEqual([]);
});
