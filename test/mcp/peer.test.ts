import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startNode } from '../support/cli.js';
import { REPOSITORY } from '../support/copy.js';
import { folderPerTest } from '../support/folder.js';

const folder = folderPerTest();

/** The package as it is installed, without any optional peer: its modules by copy, so that none is found above them. */
function installBare(): void {
  const installed = path.join(folder(), 'node_modules/handrail');
  mkdirSync(installed, { recursive: true });
  cpSync(path.join(REPOSITORY, 'dist'), path.join(installed, 'dist'), { recursive: true });
  cpSync(path.join(REPOSITORY, 'package.json'), path.join(installed, 'package.json'));
}

it('the bundle imports the SDK of MCP in one place, when it is needed', () => {
  const files = readdirSync(path.join(REPOSITORY, 'dist'), { recursive: true, encoding: 'utf8' });
  const using = files
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(path.join(REPOSITORY, 'dist', file), 'utf8'))
    .filter((text) => text.includes('@modelcontextprotocol/client"') || text.includes("@modelcontextprotocol/client'"));
  expect(using).toHaveLength(1);
  expect(using[0]).toMatch(/import\(["']@modelcontextprotocol\/client["']\)/);
  expect(using[0]).not.toMatch(/from ?["']@modelcontextprotocol/);
});

it('without the SDK importing works, and the first server says what to install', async () => {
  installBare();
  writeFileSync(
    path.join(folder(), 'main.mjs'),
    `import { ToolExecutor } from 'handrail';
     const executor = new ToolExecutor('.');
     const servers = [{ name: 'one', command: 'cat' }];
     await executor.connectMcpServers(servers).catch(({ code, message }) => console.log(code, message));`,
  );
  const { stdout, stderr } = await startNode([path.join(folder(), 'main.mjs')], { cwd: folder() }).ended;
  expect({ stdout, stderr }).toEqual({
    stdout:
      'ERR_PEER_MISSING MCP servers need @modelcontextprotocol/client: run `npm install @modelcontextprotocol/client@^2.4`\n',
    stderr: '',
  });
});
