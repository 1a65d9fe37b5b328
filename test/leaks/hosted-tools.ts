/** Secrets in what a model and a host give to the SDK's own tools. */
import { agentApplyPatchTool, agentShellTool } from '../../ts/adapters/openai-agents.js';
import { toolkits } from '../support/toolkits.js';
import type { Planting } from './files.js';

const { make } = toolkits();

/** A toolkit that knows the secret, closed in the end of the test. */
const knowing = (secret: string) => make({ redaction: { secrets: { PLANTED: secret } } });

export const HOSTED_TOOL_PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  agentShellTool: {
    'commands of every end': async (secret) => {
      const { shell } = agentShellTool(await knowing(secret));
      return await shell?.run({ commands: [`echo ${secret}`, `rm ${secret}`, `echo '${secret}`, secret] });
    },
    'a toolkit without its tool': async (secret) =>
      agentShellTool(await make({ tools: ['file_read'], redaction: { secrets: { PLANTED: secret } } })),
    'a toolkit that was closed': async (secret) => {
      const toolkit = await knowing(secret);
      const { shell } = agentShellTool(toolkit);
      await toolkit.close();
      return await shell?.run({ commands: [`echo ${secret}`] });
    },
  },
  agentApplyPatchTool: {
    'operations that do not fit': async (secret) => {
      const { editor } = agentApplyPatchTool(await knowing(secret));
      return await Promise.all([
        editor.createFile({ type: 'create_file', path: `.git/${secret}`, diff: `+${secret}` }),
        editor.createFile({ type: 'create_file', path: secret, diff: secret }),
        editor.updateFile({ type: 'update_file', path: secret, diff: `@@ ${secret}\n-${secret}\n+a` }),
        editor.updateFile({ type: 'update_file', path: `${secret}\n`, diff: `*** ${secret}` }),
        editor.deleteFile({ type: 'delete_file', path: `../${secret}` }),
      ]);
    },
  },
};
