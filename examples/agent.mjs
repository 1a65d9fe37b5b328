import { Agent, run } from '@openai/agents';
import { createToolkit } from 'handrail';
import { agentTools } from 'handrail/openai-agents';

const toolkit = await createToolkit({ workspace: '.', project: 'auto' });
const agent = new Agent({ name: 'Reader', tools: agentTools(toolkit) });
const { finalOutput } = await run(agent, 'What changed in this repository last?');
console.log(finalOutput);
await toolkit.close();
