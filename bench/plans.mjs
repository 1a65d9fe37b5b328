// npm run bench -- plans [--quick] [--only PART] [--output FILE]: the cost of a run under each plan (a set of rules that the
// kernel enforces), beside a run without a plan and beside rivals that confine commands; and of a connection through the way out
// of commands, beside a direct one.
import { runRow } from './lib/row.mjs';
import { connections } from './plans/connections.mjs';
import { runs, starts } from './plans/parts.mjs';
import { prepareRivals } from './plans/rivals.mjs';
import { plansTable } from './plans/table.mjs';
import { makeWorkspace } from './plans/workspace.mjs';

async function prepare({ quick }) {
  const workspace = makeWorkspace();
  const { rivals, absent } = await prepareRivals({ root: workspace.root, quick });
  return { workspace, rivals, absent, quick };
}

await runRow({
  name: 'plans',
  parts: { runs, starts, connections },
  prepare,
  cleanUp: async ({ workspace, rivals }) => {
    for (const { close } of Object.values(rivals)) await close?.();
    workspace.remove();
  },
  table: plansTable,
});
