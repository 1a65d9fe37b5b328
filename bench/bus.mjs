// npm run bench -- bus [--quick] [--only PART] [--output FILE]: the time that one message takes, with ioredis called directly
// as the baseline. Needs redis-server.
import { BASELINE, BUS_NAMES } from './bus/buses.mjs';
import { delivering, publishing } from './bus/parts.mjs';
import { startRedis } from './bus/server.mjs';
import { runRow } from './lib/row.mjs';
import { comparisonRows } from './lib/table.mjs';

await runRow({
  name: 'bus',
  parts: { publishing, delivering },
  async prepare({ quick }) {
    const { port, stop } = await startRedis();
    return { port, stop, quick };
  },
  cleanUp: ({ stop }) => stop(),
  table: ({ publishing: publishFigures, delivering: deliveryFigures }) => ({
    columns: ['', ...BUS_NAMES],
    rows: [
      ...(publishFigures ? comparisonRows('publish', BASELINE, BUS_NAMES, publishFigures) : []),
      ...(deliveryFigures ? comparisonRows('publish to handler', BASELINE, BUS_NAMES, deliveryFigures) : []),
    ],
  }),
});
