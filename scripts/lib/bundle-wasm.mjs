// Bundles ts/wasm into one file for each kind of host. Only the file for Node imports modules of Node.
import { join } from 'node:path';
import { MINIFY, SYNTAX } from './bundle.mjs';

/** For each kind of host, named by its condition in `exports` of package.json, the file of ts/wasm that loads the module. */
const LOADER_OF_HOST = { browser: 'source', deno: 'source-import', node: 'source-file', workerd: 'source-import' };

/** Source files that are replaced in the bundle: the native binding by the WASM module, and its loader by the host's. */
const replacementsFor = (host) => ({
  [join('ts', 'native', 'text-binding.ts')]: join('ts', 'wasm', 'ready.ts'),
  [join('ts', 'wasm', 'source.ts')]: join('ts', 'wasm', `${LOADER_OF_HOST[host]}.ts`),
});

function replaceModules(root, files) {
  const paths = new Map(Object.entries(files).map(([from, to]) => [join(root, from), join(root, to)]));
  return {
    name: 'replace-modules',
    async resolveId(specifier, importer) {
      const resolved = importer === undefined ? null : await this.resolve(specifier, importer, { skipSelf: true });
      const replacement = resolved === null ? undefined : paths.get(resolved.id);
      return replacement ?? resolved;
    },
  };
}

/**
 * Adds the keyword `source` to the import of the WASM module, which the bundler drops. From 2.6 on, Deno compiles a module that is
 * imported so, and needs no permission to read its file. Without the keyword, the import would instantiate the module.
 */
const sourcePhase = {
  name: 'source-phase',
  renderChunk: (code) => code.replace(/^import (?=\w+ from "\.\/handrail\.wasm";$)/m, 'import source '),
};

/** @param {{root: string, output: string}} options `output` is the folder of the WASM module */
export async function bundleWasm({ root, output }) {
  const { rolldown } = await import('rolldown');
  for (const host of Object.keys(LOADER_OF_HOST)) {
    const bundled = await rolldown({
      cwd: root,
      input: { [host]: 'ts/wasm/index.ts' },
      platform: host === 'node' ? 'node' : 'neutral',
      external: host === 'node' ? [/^node:/, /\.wasm$/] : [/\.wasm$/],
      plugins: [replaceModules(root, replacementsFor(host)), ...(host === 'deno' ? [sourcePhase] : [])],
      transform: { target: SYNTAX },
      treeshake: { moduleSideEffects: false },
      experimental: { attachDebugInfo: 'none' },
      onLog(level, log) {
        if (level === 'warn') throw new Error(`bundling for ${host}: ${log.message}`);
      },
    });
    const names = { dir: output, entryFileNames: '[name].js' };
    await bundled.write({ ...names, format: 'es', comments: false, minify: MINIFY });
    await bundled.close();
  }
}
