// Bundles ts/wasm once per kind of host: one file each, without Node's modules but in the one for Node.
import { join } from 'node:path';
import { SYNTAX } from './bundle.mjs';

/** Kinds of hosts, by the condition of `exports` in package.json, and where each takes the module from. */
const HOSTS = { browser: 'source', deno: 'source-import', node: 'source-file', workerd: 'source-import' };

/** What ts/redaction and ts/terminal call is the module here, never the native files. */
const exchanged = (host) => ({
  [join('ts', 'native', 'text-binding.ts')]: join('ts', 'wasm', 'ready.ts'),
  [join('ts', 'wasm', 'source.ts')]: join('ts', 'wasm', `${HOSTS[host]}.ts`),
});

function exchange(root, files) {
  const paths = new Map(Object.entries(files).map(([from, to]) => [join(root, from), join(root, to)]));
  return {
    name: 'exchange',
    async resolveId(specifier, importer) {
      const found = importer === undefined ? null : await this.resolve(specifier, importer, { skipSelf: true });
      const other = found === null ? undefined : paths.get(found.id);
      return other ?? found;
    },
  };
}

/**
 * Deno, from 2.6 on, gives the compiled module to an import of the source phase, and wants no permission to read the file for it. An
 * import without the word would run the module. The bundler drops the word, so it comes in afterwards.
 */
const sourcePhase = {
  name: 'source-phase',
  renderChunk: (code) => code.replace(/^import (?=\w+ from "\.\/handrail\.wasm";$)/m, 'import source '),
};

/** @param {{root: string, output: string}} options output is the folder that the module lies in */
export async function bundleWasm({ root, output }) {
  const { rolldown } = await import('rolldown');
  for (const host of Object.keys(HOSTS)) {
    const bundled = await rolldown({
      cwd: root,
      input: { [host]: 'ts/wasm/index.ts' },
      platform: host === 'node' ? 'node' : 'neutral',
      external: host === 'node' ? [/^node:/, /\.wasm$/] : [/\.wasm$/],
      plugins: [exchange(root, exchanged(host)), ...(host === 'deno' ? [sourcePhase] : [])],
      transform: { target: SYNTAX },
      treeshake: { moduleSideEffects: false },
      onLog(level, log) {
        if (level === 'warn') throw new Error(`bundling for ${host}: ${log.message}`);
      },
    });
    await bundled.write({ dir: output, format: 'es', entryFileNames: '[name].js', comments: false });
    await bundled.close();
  }
}
