// npm run bench -- bus [--quick] [--only PART] [--output FILE]: what a message costs beside the client of Redis alone. Needs
// redis-server.
import { delivering, publishing } from './bus/parts.mjs';
import { startRedis } from './bus/server.mjs';
import { busTable } from './bus/table.mjs';
import { runRow } from './lib/row.mjs';

await runRow({
  name: 'bus',
  parts: { publishing, delivering },
  async prepare({ quick }) {
    const { port, stop } = await startRedis();
    return { port, stop, quick };
  },
  cleanUp: ({ stop }) => stop(),
  table: busTable,
});
