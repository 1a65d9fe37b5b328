/** What a package has to hold: what its manifest names, what that needs, its documents, and nothing else. */
import path from 'node:path';

/** Files of a package by their paths in it. */
export type Files = ReadonlyMap<string, string>;

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']/g;
/** npm shows the first two, and every copy has to have the third. */
const DOCUMENTS = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'];
const LICENCES = 'dist/THIRD-PARTY-LICENSES.txt';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** What is wrong with the files of the package `handrail`, a text for each problem. */
export function contentProblems(files: Files): readonly string[] {
  const manifest = files.get('package.json');
  if (manifest === undefined) return ['package.json is missing'];
  const { bin, exports } = JSON.parse(manifest) as Manifest;
  const named = [...Object.values(bin), ...Object.values(exports).flatMap((entry) => valuesOf(entry))];
  const needed = new Set([...DOCUMENTS, LICENCES]);
  const visit = (file: string): void => {
    if (needed.has(file)) return;
    needed.add(file);
    const typed = file.endsWith('.d.ts');
    for (const [, specifier = ''] of withoutComments(files.get(file) ?? '').matchAll(IMPORT)) {
      const target = path.join(path.dirname(file), specifier);
      visit(typed ? target.replace(/\.js$/, '.d.ts') : target);
    }
  };
  for (const file of named) visit(path.normalize(file));
  return [
    ...[...needed].filter((file) => !files.has(file)).map((file) => `${file} is missing`),
    ...[...files.keys()].filter((file) => !needed.has(file)).map((file) => `nothing needs ${file}`),
  ];
}

/** Examples in doc comments import, too. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

function valuesOf(entry: string | Readonly<Record<string, string>>): readonly string[] {
  return typeof entry === 'string' ? [entry] : Object.values(entry);
}
