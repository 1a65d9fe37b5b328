// Stages the packages with native files: for each platform, the binding and the supervisor.
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, supervisorName } from '../paths.mjs';
import { thirdPartyLicences } from './licences.mjs';
import { manifestText, nativeManifest } from './manifests.mjs';
import { bindingName } from './targets.mjs';

/** The native files of `target` below `natives`. @returns {string[]} paths of the missing ones */
export function missingFiles(natives, { triple }) {
  return [bindingName(triple), supervisorName]
    .map((name) => join(natives, triple, name))
    .filter((file) => !existsSync(file));
}

function readme(triple) {
  return (
    `# @handrail/native-${triple}\n\n` +
    `The native files of handrail for ${triple}: the binding and the ` +
    'supervisor that owns what commands start. Installed with handrail where they fit; there is nothing to import.\n'
  );
}

/** @returns {Promise<string[]>} the staging folders, in the order of `targets` */
export async function stageNativePackages(targets, natives, output, manifest) {
  const folders = [];
  for (const target of targets) {
    const { triple, rust } = target;
    const folder = join(output, `native-${triple}`);
    mkdirSync(folder, { recursive: true });
    for (const name of [bindingName(triple), supervisorName]) {
      copyFileSync(join(natives, triple, name), join(folder, name));
      chmodSync(join(folder, name), 0o755);
    }
    writeFileSync(join(folder, 'package.json'), manifestText(nativeManifest(target, manifest)));
    writeFileSync(join(folder, 'README.md'), readme(triple));
    writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), await thirdPartyLicences(rust));
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    folders.push(folder);
  }
  return folders;
}
