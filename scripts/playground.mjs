// npm run playground: builds Handrail when that is necessary, bundles examples/playground with Vite, and serves it until Ctrl-C.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root, stampFolder } from './lib/paths.mjs';
import { fail, heading, say, step } from './lib/steps.mjs';
import { GET_TARGET, wasmFile } from './lib/wasm.mjs';

await build();
if (!existsSync(wasmFile)) fail(`The page needs the WASM module: ${GET_TARGET}`);

heading('playground');
// Imported here, as `build` may have to install it first.
const vite = await import('vite');
const page = {
  root: join(root, 'examples', 'playground'),
  build: { outDir: join(stampFolder, 'playground'), emptyOutDir: true },
  preview: { host: '127.0.0.1' },
  logLevel: 'warn',
};
await step('page (vite)', async () => {
  await vite.build(page);
});
const server = await vite.preview(page);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close().then(() => process.exit(0)));
say(`\n${server.resolvedUrls.local[0]}   Ctrl-C ends it`);
