// Checks for import circles among the files of a crate, by their `use` declarations and paths. Files in a circle can only be
// understood together.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The most files that may form a circle. */
const MAX_CIRCLE_FILES = 5;

/** The crates that are checked. */
const CHECKED_CRATES = ['policy', 'redact'];

/** The source files below a folder: for each module path, such as `detect::value`, its code without comments and tests. */
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

/** Expands the braces of a `use` declaration: `a::{b, c::{d}}` gives `a::b` and `a::c::d`. */
function expandBraces(tree) {
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
  return parts.filter((part) => part.trim() !== '').flatMap((part) => expandBraces(before + part.trim()));
}

/** Resolves a path that the module `own` uses to a path from the root of the crate. */
function resolvePath(own, parts) {
  const base = parts[0] === 'crate' ? [] : [...own];
  const first = parts.findIndex((part) => !['crate', 'self', 'super'].includes(part));
  const ups = parts.slice(0, first).filter((part) => part === 'super').length;
  return [...base.slice(0, base.length - ups), ...parts.slice(first)];
}

/** The modules that `name` imports. */
function importsOf(name, code, modules) {
  const own = name === '' ? [] : name.split('::');
  const used = [...code.matchAll(/\buse\s+((?:crate|super|self)[^;]*);/g)].flatMap(([, tree]) => expandBraces(tree));
  const paths = [...code.matchAll(/\b(?:crate|super)(?:::\w+)+/g)].map(([path]) => path);
  const imported = new Set();
  for (const path of [...used, ...paths]) {
    const modulePath = resolvePath(
      own,
      path.split('::').map((part) => part.trim().split(/\s/)[0]),
    );
    while (modulePath.length > 0 && !modules.has(modulePath.join('::'))) modulePath.pop();
    const target = modulePath.join('::');
    if (target !== name && target !== '') imported.add(target);
  }
  return imported;
}

/** Groups of modules that import each other, directly or through others (Tarjan's algorithm). */
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

/** @returns {Map<string, Set<string>>} for each module of a crate, the modules that it imports */
export function importGraph(folder) {
  const modules = modulesOf(folder);
  return new Map([...modules].map(([name, code]) => [name, importsOf(name, code, modules)]));
}

/** @returns {string[]} one sentence per breach */
export function checkRustModules(folder) {
  return CHECKED_CRATES.flatMap((crate) =>
    circlesOf(importGraph(join(folder, 'crates', crate, 'src')))
      .filter(({ length }) => length > MAX_CIRCLE_FILES)
      .map(
        (circle) =>
          `crates/${crate}: ${circle.length} files import each other in a circle (at most ${MAX_CIRCLE_FILES}): ${circle.toSorted().join(', ')}`,
      ),
  );
}
