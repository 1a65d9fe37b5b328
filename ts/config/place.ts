import path from 'node:path';

/** Folders that a plan grants as a whole when a place passes through them. */
const DEPENDENCY_FOLDERS: readonly string[] = ['.venv', 'node_modules', 'target', 'vendor', 'venv'];

/** Whether a program of a rule is a place beneath a root: `.venv/bin/pytest`, `./node_modules/.bin/*`, `target/**`. */
export function isPlace(program: string): boolean {
  return program.includes('/') && !program.startsWith('/');
}

/** The place that is exactly this file; undefined when it lies beneath none of the roots, or its name is a pattern. */
export function placeOf(file: string, roots: readonly string[]): string | undefined {
  const root = roots.find((folder) => file.startsWith(`${folder}/`));
  const place = root === undefined ? '' : file.slice(root.length + 1);
  if (place === '' || place.includes('*')) return undefined;
  return place.includes('/') ? place : `./${place}`;
}

/** Whether the plan grants this file as a part of the place, beneath one of these roots. */
export function placeGrants(place: string, roots: readonly string[], file: string): boolean {
  const parts = path.posix.normalize(place).split('/');
  const last = parts.at(-1);
  const dependencies = parts.slice(0, -1).findIndex((part) => DEPENDENCY_FOLDERS.includes(part));
  return roots.some((root) => {
    if (dependencies !== -1) return file.startsWith(`${[root, ...parts.slice(0, dependencies + 1)].join('/')}/`);
    const folder = [root, ...parts.slice(0, -1)].join('/');
    if (last === '**') return file.startsWith(`${folder}/`);
    return last === '*' ? path.dirname(file) === folder : file === `${folder}/${last}`;
  });
}
