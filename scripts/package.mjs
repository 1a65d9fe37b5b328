// npm run package: stages and packs the published packages, by default those for this machine. With `-- --targets all --natives DIR`
// it packs a release, and fails when a platform is missing.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { must } from './lib/command.mjs';
import { addressOf, publishedManifest, readManifest } from './lib/package/manifests.mjs';
import { missingFiles, stageNativePackages } from './lib/package/native-packages.mjs';
import { emptyOutput } from './lib/package/output.mjs';
import { stageRootPackage } from './lib/package/root-package.mjs';
import { bindingName, TARGETS } from './lib/package/targets.mjs';
import { nativeFolder, root, supervisorName } from './lib/paths.mjs';
import { fail, heading, say, step } from './lib/steps.mjs';
import { hostTriple } from './lib/toolchain.mjs';
import { GET_TARGET, wasmFile } from './lib/wasm.mjs';

const OPTIONS = {
  natives: { type: 'string' },
  targets: { type: 'string' },
  out: { type: 'string' },
};

const NO_ADDRESS =
  'package.json has no `repository`: the packages name no repository, homepage or bugs, and links of their documents are ' +
  'relative. Give it as "https://github.com/OWNER/NAME".';

/** Copies this machine's native files into the folder structure that the builds of a release have. */
function collectHostNatives(target, output) {
  const folder = join(output, 'natives', target.triple);
  mkdirSync(folder, { recursive: true });
  for (const name of [bindingName(target.triple), supervisorName])
    copyFileSync(join(nativeFolder, name), join(folder, name));
  return join(output, 'natives');
}

/**
 * Stages and packs the packages. `output` is emptied first; a folder with other files in it is refused.
 *
 * @param {{output: string, natives?: string, all?: boolean, manifest?: Record<string, any>,
 *   wasm?: string | false}} options `manifest` is that of this repository. `wasm` is the path of the required WASM module,
 *   or false in tests on a machine that cannot build it
 * @returns {Promise<string[]>} the tarballs; the platform packages come before `handrail`, which needs them
 */
export async function packageAll({ output, natives, all = false, manifest: own = readManifest(), wasm = wasmFile }) {
  emptyOutput(output, natives === undefined ? [] : [natives]);
  if (wasm !== false && !existsSync(wasm)) throw new Error(`handrail/wasm has no module. To build it: ${GET_TARGET}`);
  const host = await hostTriple();
  const targets = TARGETS.filter(({ rust }) => all || rust === host);
  const source = natives ?? collectHostNatives(targets[0], output);
  const missing = targets.flatMap((target) => missingFiles(source, target));
  if (missing.length > 0) throw new Error(`these files are missing:\n  ${missing.join('\n  ')}`);
  const manifest = publishedManifest(own);
  const folders = await stageNativePackages(targets, source, output, manifest);
  folders.push(await stageRootPackage(output, manifest, addressOf(own)));
  const tarballs = [];
  for (const folder of folders) tarballs.push(await pack(folder, output));
  return tarballs;
}

async function pack(folder, output) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', output];
  const { stdout } = await must('npm', args, { cwd: folder });
  return join(output, JSON.parse(stdout)[0].filename);
}

function readOptions() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (['host', 'all', undefined].includes(values.targets)) return values;
    return fail(`--targets takes host or all, got ${values.targets}`);
  } catch (error) {
    return fail(error.message);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { natives, targets, out = 'out' } = readOptions();
  await build();
  heading('package');
  try {
    await step('packages', async () => {
      const output = resolve(root, out);
      const tarballs = await packageAll({
        output,
        natives: natives && resolve(natives),
        all: targets === 'all',
      });
      return tarballs.map((file) => `\n    ${file}`).join('');
    });
    if (addressOf(readManifest()) === undefined) say(NO_ADDRESS);
  } catch (error) {
    fail(`nothing was packed: ${error.message}`);
  }
}
