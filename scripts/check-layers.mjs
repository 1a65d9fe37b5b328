// The dependency rules of ARCHITECTURE.md. `node scripts/check-layers.mjs [folder]` checks a repository and fails on a breach.
import { checkExpressions } from './lib/layers/expressions.mjs';
import { checkFiles } from './lib/layers/files.mjs';
import { checkRust } from './lib/layers/rust.mjs';
import { checkRustModules } from './lib/layers/rust-modules.mjs';
import { checkTypeScript } from './lib/layers/typescript.mjs';
import { root } from './lib/paths.mjs';

const folder = process.argv[2] ?? root;
const breaches = [
  ...checkRust(folder),
  ...checkRustModules(folder),
  ...checkTypeScript(folder),
  ...checkFiles(folder),
  ...checkExpressions(folder),
];
for (const breach of breaches) process.stdout.write(`${breach}\n`);
process.stdout.write(breaches.length === 0 ? 'layer rules hold\n' : `${breaches.length} breached\n`);
process.exit(breaches.length === 0 ? 0 : 1);
