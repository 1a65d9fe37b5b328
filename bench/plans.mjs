// npm run bench -- plans [--quick] [--only PART] [--output FILE]: what each plan of the kernel costs a run, beside a run without
// one and beside others who confine.
import { runRow } from './lib/row.mjs';
import { runs, starts } from './plans/parts.mjs';
import { prepareRivals } from './plans/rivals.mjs';
import { plansTable } from './plans/table.mjs';
import { makeWorkplace } from './plans/workplace.mjs';

async function prepare({ quick }) {
  const place = makeWorkplace();
  const { rivals, absent } = await prepareRivals({ root: place.root, quick });
  return { place, rivals, absent, quick };
}

await runRow({
  name: 'plans',
  parts: { runs, starts },
  prepare,
  cleanUp: async ({ place, rivals }) => {
    for (const { close } of Object.values(rivals)) await close?.();
    place.remove();
  },
  table: plansTable,
});
