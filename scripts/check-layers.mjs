// The dependency rules of ARCHITECTURE.md. `node scripts/check-layers.mjs [folder]` checks a repository and fails on a breach.
import { layerBreaches } from './lib/layers/all.mjs';
import { root } from './lib/paths.mjs';

const breaches = layerBreaches(process.argv[2] ?? root);
for (const breach of breaches) process.stdout.write(`${breach}\n`);
process.stdout.write(breaches.length === 0 ? 'layer rules hold\n' : `${breaches.length} breached\n`);
process.exit(breaches.length === 0 ? 0 : 1);
