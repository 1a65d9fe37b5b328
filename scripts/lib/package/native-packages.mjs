// The packages with native files, one per platform: manifests as @napi-rs/cli makes them, with the supervisor beside the
// binding.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must } from '../command.mjs';
import { localProgram, root, supervisorName } from '../paths.mjs';
import { thirdPartyLicences } from './licences.mjs';
import { publishedManifest, readManifest } from './root-package.mjs';

const PACKAGE_NAME = '@handrail/native';

export const bindingName = (triple) => `handrail.${triple}.node`;

/** The native files of `target` below `natives`. @returns {string[]} those that are not there */
export function missingFiles(natives, { triple }) {
  return [bindingName(triple), supervisorName]
    .map((name) => join(natives, triple, name))
    .filter((file) => !existsSync(file));
}

/** Manifests by triple, from the tool that also builds. */
async function manifests(targets, repository) {
  const scratch = mkdtempSync(join(tmpdir(), 'handrail-npm-'));
  try {
    const {
      version,
      license,
      engines,
      publishConfig,
      repository: place,
    } = publishedManifest(readManifest(), repository);
    const napi = { binaryName: 'handrail', packageName: PACKAGE_NAME, targets: targets.map(({ rust }) => rust) };
    const manifest = { name: PACKAGE_NAME, version, license, engines, publishConfig, repository: place, napi };
    writeFileSync(join(scratch, 'package.json'), JSON.stringify(manifest));
    await must(localProgram('napi'), ['create-npm-dirs', '--cwd', scratch, '--npm-dir', 'npm']);
    const read = (triple) => JSON.parse(readFileSync(join(scratch, 'npm', triple, 'package.json'), 'utf8'));
    return new Map(targets.map(({ triple }) => [triple, read(triple)]));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readme(triple) {
  return (
    `# @handrail/native-${triple}\n\n` +
    `The native files of [handrail](https://www.npmjs.com/package/handrail) for ${triple}: the binding and the ` +
    'supervisor that owns what commands start. Installed with handrail where they fit; there is nothing to import.\n'
  );
}

/** @returns {Promise<string[]>} the folders, in the order of `targets` */
export async function stageNativePackages(targets, natives, output, repository) {
  const made = await manifests(targets, repository);
  const folders = [];
  for (const target of targets) {
    const { triple, rust } = target;
    const folder = join(output, `native-${triple}`);
    mkdirSync(folder, { recursive: true });
    for (const name of [bindingName(triple), supervisorName]) {
      copyFileSync(join(natives, triple, name), join(folder, name));
      chmodSync(join(folder, name), 0o755);
    }
    const manifest = {
      ...made.get(triple),
      type: 'commonjs',
      description: `The native files of handrail for ${triple}.`,
      files: [bindingName(triple), supervisorName, 'THIRD-PARTY-LICENSES.txt'],
    };
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    writeFileSync(join(folder, 'README.md'), readme(triple));
    writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), await thirdPartyLicences(rust));
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    folders.push(folder);
  }
  return folders;
}
