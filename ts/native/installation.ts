import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the native files for one platform lie. */
export interface NativeFolder {
  readonly folder: string;
  /** See `nativeTriples`. */
  readonly triple: string;
  /** Release of the platform package. Null in a checkout, where the files were built in place. */
  readonly release: string | null;
}

const SCOPE = '@handrail';

/** The package that holds the native files of a platform. */
export function packageName(triple: string): string {
  return `${SCOPE}/native-${triple}`;
}

/** The binding's file name. */
export function bindingName(triple: string): string {
  return `handrail.${triple}.node`;
}

/**
 * The folder of the package that this code belongs to: the nearest one with a `package.json`. No
 * environment variable changes it: whoever could set one could load any code into the host.
 */
export function ownPackage(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json')) && path.dirname(folder) !== folder) {
    folder = path.dirname(folder);
  }
  return folder;
}

/** Whether `root` is a checkout of the repository, where native files are built and not installed. */
export function isCheckout(root: string): boolean {
  return existsSync(path.join(root, 'Cargo.toml'));
}

/** Every folder with native files for one of `triples`: what was built in `root` itself, or else what was installed for it. */
export function nativeFolders(root: string, triples: readonly string[]): readonly NativeFolder[] {
  const folder = path.join(root, 'dist', 'native');
  const built = triples.filter((triple) => existsSync(path.join(folder, bindingName(triple))));
  if (built.length > 0) return built.map((triple) => ({ folder, triple, release: null }));
  return triples.flatMap((triple) => installed(root, triple));
}

function installed(root: string, triple: string): readonly NativeFolder[] {
  const folder = process.versions['pnp'] === undefined ? nearest(root, triple) : pluggedIn(triple);
  return folder === undefined ? [] : [{ folder, triple, release: releaseOf(folder) }];
}

/**
 * As Node finds packages, from the real folder of `root` upwards, but for the folders that
 * `NODE_PATH` and the user's home add.
 */
function nearest(root: string, triple: string): string | undefined {
  return modulesFolders(root)
    .map((modules) => path.join(modules, packageName(triple)))
    .find((folder) => existsSync(path.join(folder, 'package.json')));
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

/** Under Yarn's Plug'n'Play there are no such folders; its resolver knows only what was installed. */
function pluggedIn(triple: string): string | undefined {
  try {
    return path.dirname(createRequire(import.meta.url).resolve(`${packageName(triple)}/package.json`));
  } catch {
    return undefined;
  }
}

function releaseOf(folder: string): string | null {
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version?: unknown };
  return typeof version === 'string' ? version : null;
}

/** Triples of the platform packages that are installed for `root`, whichever machine they are for. */
export function installedTriples(root: string): readonly string[] {
  const prefix = packageName('').slice(SCOPE.length + 1);
  return modulesFolders(root).flatMap((modules) =>
    namesIn(path.join(modules, SCOPE))
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length)),
  );
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
