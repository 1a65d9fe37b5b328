import { writeFileSync } from 'node:fs';
import { createToolkit } from 'handrail';

writeFileSync('demo.env', 'DB_PASSWORD=hunter2-hunter2\n');
const terminal = { allow: ['ls', 'cat'], timeoutMs: 10_000 };
const toolkit = await createToolkit({ workspace: '.', terminal });
for (const command of ['cat demo.env', 'rm -rf .git']) {
  console.log((await toolkit.execute('terminal_run', { command })).content);
}
await toolkit.close();
