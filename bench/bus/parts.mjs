// The parts: each rival in turn, and what it did is checked.
import { rounded, summary } from '../lib/statistics.mjs';
import { rivals } from './rivals.mjs';

const TURNS = { full: 900, quick: 20 };
const WARM = { full: 100, quick: 5 };
const MICROSECONDS = 1_000;
const CONTENT = 'x'.repeat(300);
/** Every so many turns a topic is counted, and a new one begun: a read gives no more than that. */
const PER_TOPIC = 500;

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

/** Microseconds of each turn and rival, beside those of the client alone. */
async function takeTurns({ port, quick }, prepare) {
  const all = rivals(port);
  const samples = Object.fromEntries(Object.keys(all).map((name) => [name, []]));
  const size = quick ? 'quick' : 'full';
  try {
    const turns = {};
    for (const [name, rival] of Object.entries(all)) turns[name] = await prepare(rival, name);
    for (let turn = 0; turn < WARM[size] + TURNS[size]; turn += 1) {
      for (const [name, take] of Object.entries(turns)) {
        const started = performance.now();
        await take(turn);
        if (turn >= WARM[size]) samples[name].push((performance.now() - started) * MICROSECONDS);
      }
    }
  } finally {
    for (const rival of Object.values(all)) await rival.close();
  }
  const us = Object.fromEntries(Object.entries(samples).map(([name, taken]) => [name, summary(taken, 1)]));
  const times = Object.entries(us).map(([name, { median }]) => [name, rounded(median / us.ioredis.median, 2)]);
  return { us, timesClient: Object.fromEntries(times) };
}

/** One message, awaited. */
export function publishing(context) {
  return takeTurns(context, (rival, name) => async (turn) => {
    const topic = `publishing:${name}:${Math.floor(turn / PER_TOPIC)}`;
    await rival.publish(topic, envelope(`m${turn}`));
    const expected = (turn % PER_TOPIC) + 1;
    if (expected !== PER_TOPIC) return;
    const count = await rival.count(topic);
    if (count !== expected) throw new Error(`${name} stored ${count} of ${expected} messages`);
  });
}

/** From the publish to the handler of a group in the same process, which acknowledges behind it. */
export function delivering(context) {
  return takeTurns(context, async (rival, name) => {
    let arrived;
    const topic = `delivering:${name}`;
    await rival.subscribe(topic, ({ id }) => arrived?.(id));
    return async (turn) => {
      const arrival = new Promise((resolve) => {
        arrived = resolve;
      });
      await rival.publish(topic, envelope(`m${turn}`));
      const id = await arrival;
      if (id !== `m${turn}`) throw new Error(`${name} delivered ${id} for m${turn}`);
    };
  });
}
