// A consumer that hangs in its handler: URL and topic are its arguments, and it says when it has begun.
import { RedisBus } from 'handrail';

const [url, topic] = process.argv.slice(2);
const bus = new RedisBus(url);
await bus.subscribe(
  topic,
  ({ payload }, { deliveries }) => {
    process.stdout.write(`${payload.n} ${deliveries}\n`);
    return new Promise(() => undefined);
  },
  { group: 'g', leaseMs: 300 },
);
