// Bundles ts/ for Node, and writes the licences of bundled packages to a file beside the result.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The syntax that every Node of `engines` supports. `using` is not part of it. */
export const SYNTAX = 'es2022';
/**
 * Names of variables are shortened, which is a quarter of what is installed. Lines and the names of classes stay as they are, for
 * whoever reads a stack trace.
 */
export const MINIFY = Object.freeze({
  compress: true,
  mangle: { toplevel: true, keepNames: { function: false, class: true } },
  codegen: { removeWhitespace: false },
});
/** Packages that stay imports: optional peers, which the user of Handrail installs. */
const EXTERNAL = [/^node:/, /^@openai\//, /^@modelcontextprotocol\//, /^@opentelemetry\//, 'ai', 'ioredis', 'execa'];

/**
 * The files of the bundle. Loading a file has a cost of its own, so modules that are loaded together share a file: `base` for
 * every command including help, `core` for every importer, `toolkit` for toolkits with their validation, `mcp` for MCP servers,
 * `attach` for those who attach to sessions.
 */
const GROUPS = [
  {
    name: 'base',
    test: /[\\/]ts[\\/](errors|version|cli[\\/](command-table|exit-code|usage-error))\.ts$/,
    priority: 3,
  },
  {
    name: 'core',
    test: /[\\/]ts[\\/](?:(?:audit|bus|compat|config|live|native|redaction|service|terminal)[\\/]|tools[\\/](?:limits|render|custom-tool|custom-schema)\.ts$|mcp-server[\\/]serve(?:-http)?\.ts$|jobs[\\/]limits\.ts$)/,
    priority: 2,
  },
  { name: 'toolkit', test: /[\\/]ts[\\/]tools[\\/]|[\\/]zod[\\/]/, priority: 1 },
  { name: 'mcp', test: /[\\/]ts[\\/]mcp[\\/]/, priority: 2 },
  { name: 'attach', test: /[\\/]ts[\\/]attach[\\/]/, priority: 2 },
];

/** The packages that the bundled modules come from: folders by name. */
function bundledPackages(chunks) {
  const packages = new Map();
  for (const id of chunks.flatMap(({ modules }) => Object.keys(modules ?? {}))) {
    const found = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/.exec(id);
    if (found) packages.set(found[2], found[1]);
  }
  return packages;
}

function licenceTexts(packages) {
  const texts = [...packages].sort().map(([name, folder]) => {
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
  });
  return `Handrail contains the following packages.\n\n${texts.join('\n---\n\n')}`;
}

/**
 * @param {{root: string, entries: readonly string[], output: string}} options `entries` are paths below ts/ without their extension
 */
export async function bundle({ root, entries, output }) {
  const { rolldown } = await import('rolldown');
  const bundled = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((name) => [name, `ts/${name}.ts`])),
    platform: 'node',
    external: EXTERNAL,
    transform: { target: SYNTAX },
    treeshake: { moduleSideEffects: false },
    experimental: { attachDebugInfo: 'none' },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`bundling: ${log.message}`);
    },
  });
  const options = {
    dir: output,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
    codeSplitting: { groups: GROUPS },
    minify: MINIFY,
    // The comments of the reference are in the types.
    comments: { legal: true, annotation: true, jsdoc: false },
  };
  const { output: chunks } = await bundled.write(options);
  await bundled.close();
  writeFileSync(join(output, 'THIRD-PARTY-LICENSES.txt'), licenceTexts(bundledPackages(chunks)));
}
