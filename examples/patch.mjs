import { writeFileSync } from 'node:fs';
import { createToolkit } from 'handrail';

writeFileSync('price.js', 'export function price(net) {\n\treturn net * 1.2;\n}\n');
writeFileSync('shop.js', "import { price } from './price.js';\n\nconsole.log(price(100));\n");
const toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['cat'] } });
const patch = (body) => toolkit.execute('file_patch', { patch: `*** Begin Patch\n${body}\n*** End Patch` });

// The second file does not fit, so the first one stays as it is.
const shop = "*** Update File: shop.js\n@@\n-import { price } from './price.js';\n+import { price } from './tax.js';";
const stale = await patch(`${shop}\n*** Update File: price.js\n@@\n-\treturn net * 1.3;\n+\treturn net * 1.25;`);
console.log(`${stale.content}\n`);

// The file has a tab where this has blanks: that is taken for the line of the file, and said.
const tax = '*** Update File: price.js\n*** Move to: tax.js\n@@\n-    return net * 1.2;\n+    return net * 1.25;';
const patched = await patch(`${shop}\n${tax}\n*** Add File: package.json\n+{ "type": "module" }`);
console.log(`${patched.content}\n`);
console.log((await toolkit.execute('terminal_run', { command: 'cat tax.js' })).data.stdout);
await toolkit.close();
