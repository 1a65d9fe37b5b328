// Uses the five older interfaces that Handrail replaces, each with a line of output.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGTerm, FilesystemTool, MemoryBus, sendMessage, TerminalTool, ToolExecutor, terminalRun } from 'handrail';

const MCP_SERVER = fileURLToPath(new URL('two-agents/notes-server.mjs', import.meta.url));
const workspace = await mkdtemp(path.join(tmpdir(), 'five-surfaces-'));
const say = (surface, text) => console.log(`${surface.padEnd(14)} ${JSON.stringify(text)}`);

try {
  // 1. A terminal function, configured by the environment. It never rejects.
  process.env.TERMINAL_ALLOWED_COMMANDS = 'echo';
  say('terminalRun', await terminalRun('echo password=hunter2-hunter2'));

  // 2. Sandbox tools for files and a terminal.
  const files = new FilesystemTool({ allowedDirectories: [workspace] });
  await files.execute({ action: 'write', path: 'a.txt', content: 'one two three\n' });
  const terminal = new TerminalTool({ cwd: workspace });
  const { exit_code: exitCode, stdout } = await terminal.execute({ command: 'wc -w < a.txt' });
  say('TerminalTool', { exitCode, words: stdout.trim() });
  const refused = await terminal.execute({ command: 'env "r"m a.txt' }).catch((error) => error.message);
  say('TerminalTool', refused);
  await Promise.all([files.close(), terminal.close()]);

  // 3. A program on a terminal that keeps its state.
  const shell = new AGTerm('bash', true, ['$ ', '# ', '__AGPROMPT__ ']);
  await shell.readUntilReady();
  await shell.sendAndReadUntilReady('PS1="__AGPROMPT__ "; name=world');
  const [hello] = (await shell.sendAndReadUntilReady('echo "hello $name"')).split('\n');
  say('AGTerm', { hello, reason: shell.lastRead?.reason });
  await shell.close();

  // 4. Messages between agents.
  const bus = new MemoryBus();
  const sent = await sendMessage('agent:Builder', 'please build', { conversationId: 'c1', bus });
  const [message] = await bus.read('chat:Builder');
  say('sendMessage', { published_to: sent.published_to, content: message?.payload.content });
  await bus.close();

  // 5. A tool executor with an MCP server.
  const executor = new ToolExecutor(workspace);
  await executor.connectMcpServers([{ name: 'notes', command: process.execPath, args: [MCP_SERVER] }]);
  const read = await executor.execute('read', { file_path: 'a.txt' });
  const noted = await executor.execute('mcp__notes__add', { text: read.content.trim() });
  say('ToolExecutor', { tools: executor.allToolDefs().map(({ name }) => name), noted: noted.content });
  await executor.close();
} finally {
  await rm(workspace, { recursive: true, force: true });
}
