// npm run demo:record: draws what `handrail demo` shows as docs/demo.svg. With --check it only compares: numbers differ from
// one run to the next, everything else must be the same.
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
  say('docs/demo.svg shows the demo of now');
} else if (!existsSync(PICTURE) || withoutNumbers(readFileSync(PICTURE, 'utf8')) !== withoutNumbers(picture)) {
  fail('docs/demo.svg is not what `handrail demo` shows; run npm run demo:record and look at it');
} else {
  say('docs/demo.svg shows what `handrail demo` shows');
}
