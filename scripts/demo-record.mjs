// npm run demo:record: draws the output of `handrail demo` as docs/demo.svg. With --check it only compares the picture with the
// output, without their numbers, which differ between runs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { must } from './lib/command.mjs';
import { root } from './lib/paths.mjs';
import { fail, say } from './lib/steps.mjs';
import { terminalPicture, withoutNumbers } from './lib/terminal-picture.mjs';

const PICTURE = join(root, 'docs', 'demo.svg');
const TITLE = 'handrail demo: four calls of a model, by node:child_process on the left and by Handrail on the right';

await build();
const main = join(root, 'dist', 'cli', 'main.js');
const { output } = await must(process.execPath, [main, 'demo'], { env: { FORCE_COLOR: '1', NO_COLOR: '' } });
const picture = terminalPicture(output, TITLE);
if (!process.argv.includes('--check')) {
  writeFileSync(PICTURE, picture);
  say('docs/demo.svg was written');
} else if (!existsSync(PICTURE) || withoutNumbers(readFileSync(PICTURE, 'utf8')) !== withoutNumbers(picture)) {
  fail('docs/demo.svg differs from the output of `handrail demo`; run npm run demo:record and look at the picture');
} else {
  say('docs/demo.svg shows the output of `handrail demo`');
}
