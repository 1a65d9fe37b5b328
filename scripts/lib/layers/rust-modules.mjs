// Which file of a crate imports which, read from its `use` declarations and paths. Files that import each other in a circle
// can only be understood together.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Most files in one circle. */
const MOST = 5;

/** Crates that keep to it. */
const CRATES = ['policy', 'redact'];

/** All source files below a folder: module path, such as `detect::value`, to the file's text without comments and tests. */
function modulesOf(folder, path = []) {
  const modules = new Map();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      for (const found of modulesOf(join(folder, entry.name), [...path, entry.name])) modules.set(...found);
    } else if (entry.name.endsWith('.rs') && entry.name !== 'tests.rs') {
      const name = entry.name.replace(/\.rs$/, '');
      const own = name === 'mod' || name === 'lib' ? path : [...path, name];
      const text = readFileSync(join(folder, entry.name), 'utf8');
      const code = text.split(/^#\[cfg\(test\)\]\s*\nmod tests \{/m)[0] ?? '';
      modules.set(own.join('::'), code.replaceAll(/\/\/.*$/gm, ''));
    }
  }
  return modules;
}

/** `a::{b, c::{d}}` as `a::b`, `a::c::d`. */
function flatten(tree) {
  const open = tree.indexOf('{');
  if (open === -1) return [tree.trim()];
  const before = tree.slice(0, open).trim();
  const parts = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open + 1; at < tree.length; at += 1) {
    if (tree[at] === '{') depth += 1;
    if (depth === 0 && (tree[at] === ',' || tree[at] === '}')) {
      parts.push(tree.slice(from, at));
      from = at + 1;
    }
    if (tree[at] === '}') depth -= 1;
  }
  return parts.filter((part) => part.trim() !== '').flatMap((part) => flatten(before + part.trim()));
}

/** A path from the root of the crate, of one that module `own` writes. */
function absolute(own, parts) {
  const base = parts[0] === 'crate' ? [] : [...own];
  const first = parts.findIndex((part) => !['crate', 'self', 'super'].includes(part));
  const ups = parts.slice(0, first).filter((part) => part === 'super').length;
  return [...base.slice(0, base.length - ups), ...parts.slice(first)];
}

/** The modules that `name` imports. */
function importsOf(name, code, modules) {
  const own = name === '' ? [] : name.split('::');
  const used = [...code.matchAll(/\buse\s+((?:crate|super|self)[^;]*);/g)].flatMap(([, tree]) => flatten(tree));
  const paths = [...code.matchAll(/\b(?:crate|super)(?:::\w+)+/g)].map(([path]) => path);
  const imported = new Set();
  for (const path of [...used, ...paths]) {
    const whole = absolute(
      own,
      path.split('::').map((part) => part.trim().split(/\s/)[0]),
    );
    while (whole.length > 0 && !modules.has(whole.join('::'))) whole.pop();
    const target = whole.join('::');
    if (target !== name && target !== '') imported.add(target);
  }
  return imported;
}

/** Groups of modules of which each imports all others, directly or not (Tarjan). */
export function circlesOf(graph) {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const circles = [];
  const visit = (name) => {
    order.set(name, order.size);
    low.set(name, order.get(name));
    stack.push(name);
    for (const next of graph.get(name) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(name, Math.min(low.get(name), low.get(next)));
    }
    if (low.get(name) === order.get(name)) circles.push(stack.splice(stack.indexOf(name)));
  };
  for (const name of graph.keys()) if (!order.has(name)) visit(name);
  return circles.filter(({ length }) => length > 1);
}

/** @returns {Map<string, Set<string>>} each module of a crate and those it imports */
export function importGraph(folder) {
  const modules = modulesOf(folder);
  return new Map([...modules].map(([name, code]) => [name, importsOf(name, code, modules)]));
}

/** @returns {string[]} one sentence per breach */
export function checkRustModules(folder) {
  return CRATES.flatMap((crate) =>
    circlesOf(importGraph(join(folder, 'crates', crate, 'src')))
      .filter(({ length }) => length > MOST)
      .map(
        (circle) =>
          `crates/${crate}: ${circle.length} files import each other in a circle (at most ${MOST}): ${circle.toSorted().join(', ')}`,
      ),
  );
}
