import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder with the native files for one platform. */
export interface NativeFolder {
  readonly folder: string;
  /** See `nativeTriples`. */
  readonly triple: string;
  /** Whether the files were installed as a package, which has a release in its manifest, or built in place. */
  readonly isPackage: boolean;
}

const SCOPE = '@handrail';
const OWN_NAME = 'handrail';

/** The name of the package with the native files of a platform. */
export function packageName(triple: string): string {
  return `${SCOPE}/native-${triple}`;
}

/** The file name of the binding. */
export function bindingName(triple: string): string {
  return `handrail.${triple}.node`;
}

/**
 * The folder of the package that this code belongs to: the nearest one with a `package.json`. No
 * environment variable changes it: whoever could set one could load any code into the host.
 */
export function ownPackage(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!isThere(path.join(folder, 'package.json')) && path.dirname(folder) !== folder) {
    folder = path.dirname(folder);
  }
  return folder;
}

/** Whether `root` is not Handrail's own folder: then a bundler has copied this code into another package. */
export function isBundled(root: string): boolean {
  return nameIn(root) !== OWN_NAME;
}

/** Whether `root` is a checkout of the repository, where native files are built and not installed. */
export function isCheckout(root: string): boolean {
  return nameIn(root) === OWN_NAME && isThere(path.join(root, 'Cargo.toml'));
}

/** Every folder with native files for one of `triples`: those that were built in `root`, or else those installed for it. */
export function nativeFolders(root: string, triples: readonly string[]): readonly NativeFolder[] {
  const folder = path.join(root, 'dist', 'native');
  const built = triples.filter((triple) => isThere(path.join(folder, bindingName(triple))));
  if (built.length > 0) return built.map((triple) => ({ folder, triple, isPackage: false }));
  return triples.flatMap((triple) => installedFolders(root, triple));
}

function installedFolders(root: string, triple: string): readonly NativeFolder[] {
  const folder = process.versions['pnp'] === undefined ? nearestFolder(root, triple) : plugAndPlayFolder(triple);
  return folder === undefined ? [] : [{ folder, triple, isPackage: true }];
}

/**
 * Finds the package as Node does, from the real folder of `root` upwards. Left out are the folders that `NODE_PATH` and the
 * user's home add, and folders of other users.
 */
function nearestFolder(root: string, triple: string): string | undefined {
  return modulesFolders(root)
    .map((modules) => path.join(modules, packageName(triple)))
    .find((folder) => isThere(path.join(folder, 'package.json')) && isTrusted(folder, root));
}

/**
 * Whether `folder` belongs to the owner of `root`, to this user or to the superuser: a project may lie below folders that
 * everybody can write to.
 */
function isTrusted(folder: string, root: string): boolean {
  const owners = [0, process.getuid?.(), statSync(root).uid];
  return owners.includes(statSync(folder).uid);
}

function modulesFolders(root: string): readonly string[] {
  const folders: string[] = [];
  let folder = realpathSync(root);
  while (true) {
    folders.push(path.join(folder, 'node_modules'));
    if (path.dirname(folder) === folder) return folders;
    folder = path.dirname(folder);
  }
}

/** Finds the package by the resolver of Yarn's Plug'n'Play, which has no `node_modules` and knows installed packages only. */
function plugAndPlayFolder(triple: string): string | undefined {
  try {
    return path.dirname(createRequire(import.meta.url).resolve(`${packageName(triple)}/package.json`));
  } catch {
    return undefined;
  }
}

/** The release in the manifest of the package in `folder`. Undefined when there is none, or it cannot be read. */
export function releaseIn(folder: string): string | undefined {
  return fieldIn(folder, 'version');
}

function nameIn(folder: string): string | undefined {
  return fieldIn(folder, 'name');
}

function fieldIn(folder: string, field: 'name' | 'version'): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const value = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, field) : undefined;
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The triples of all platform packages that are installed for `root`, for whichever machine. */
export function installedTriples(root: string): readonly string[] {
  const prefix = packageName('').slice(SCOPE.length + 1);
  return modulesFolders(root).flatMap((modules) =>
    namesIn(path.join(modules, SCOPE))
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length)),
  );
}

/** The names in a folder; none for a folder that cannot be listed. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether the file exists. Where Node's permission model forbids the check, it counts as missing. */
function isThere(file: string): boolean {
  try {
    return existsSync(file);
  } catch {
    return false;
  }
}
