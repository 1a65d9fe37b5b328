// The measurements of this row: publishing one message, and publishing until a handler has it.
import { assertEqual } from '../lib/assert.mjs';
import { interleave } from '../lib/interleave.mjs';
import { compareWithBaseline, timed } from '../lib/runners.mjs';
import { BASELINE, createBuses } from './buses.mjs';

const ROUNDS = { full: { rounds: 900, warmUpRounds: 100 }, quick: { rounds: 20, warmUpRounds: 5 } };
const CONTENT = 'x'.repeat(300);
/** After so many messages a topic is counted and the next one begun: one read gives no more messages than that. */
const MESSAGES_PER_TOPIC = 500;

const envelope = (id) => ({
  id,
  conversation_id: 'c1',
  sender: 'agent:A',
  recipient: 'chat:c1',
  type: 'message',
  content: CONTENT,
  metadata: {},
  created_at: '2026-11-20T10:00:11.224610Z',
});

/** Times of all buses, interleaved. `createRound` gives what one bus does in a round. */
async function compareBuses({ port, quick }, createRound) {
  const buses = createBuses(port);
  try {
    const runners = {};
    for (const [name, bus] of Object.entries(buses)) {
      const runRound = await createRound(bus, name);
      runners[name] = (round) => timed(() => runRound(round));
    }
    const samples = await interleave(runners, quick ? ROUNDS.quick : ROUNDS.full);
    return compareWithBaseline(samples, BASELINE);
  } finally {
    await Promise.all(Object.values(buses).map((bus) => bus.close()));
  }
}

/** Publishes one message and awaits the answer of the bus. */
export function publishing(context) {
  return compareBuses(context, (bus, name) => async (round) => {
    const topic = `publishing:${name}:${Math.floor(round / MESSAGES_PER_TOPIC)}`;
    await bus.publish(topic, envelope(`m${round}`));
    const messages = (round % MESSAGES_PER_TOPIC) + 1;
    if (messages === MESSAGES_PER_TOPIC) {
      assertEqual(`messages that ${name} stored`, messages, await bus.count(topic));
    }
  });
}

/** Publishes one message and waits until the handler of a consumer group in this process has it. */
export function delivering(context) {
  return compareBuses(context, async (bus, name) => {
    let resolveDelivery;
    const topic = `delivering:${name}`;
    await bus.subscribe(topic, ({ id }) => resolveDelivery?.(id));
    return async (round) => {
      const delivery = new Promise((resolve) => {
        resolveDelivery = resolve;
      });
      await bus.publish(topic, envelope(`m${round}`));
      assertEqual(`message that ${name} delivered`, `m${round}`, await delivery);
    };
  });
}
