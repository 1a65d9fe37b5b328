// An agent of the Claude Agent SDK whose only tools are Handrail's.
import { query } from '@anthropic-ai/claude-agent-sdk';

const messages = query({
  prompt: 'What changed in this repository last?',
  options: {
    // None of the built-in tools, such as Bash: no policy of ours would see them.
    tools: [],
    // None of the user's or the project's settings, which could bring other servers and hooks.
    settingSources: [],
    strictMcpConfig: true,
    mcpServers: {
      handrail: {
        type: 'stdio',
        command: 'npx',
        args: ['handrail', 'mcp', '--root', process.cwd(), '--project', 'auto'],
      },
    },
    // The SDK asks no approval for calls of these tools, as Handrail judges each call.
    allowedTools: ['mcp__handrail__*'],
  },
});
for await (const message of messages) {
  if (message.type === 'result' && message.subtype === 'success') console.log(message.result);
}
