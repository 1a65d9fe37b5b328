// npm run bench -- sessions [--quick] [--only PART] [--output FILE]: what programs on terminals cost, against node-pty and a
// loop that only reads. Reported, not gated.
import { step } from '../scripts/lib/steps.mjs';
import { buildFloor, Floor } from './lib/floor.mjs';
import { runRow } from './lib/row.mjs';
import { echo, flood, many, open, start } from './sessions/parts.mjs';
import { installNodePty } from './sessions/rival.mjs';

const NONE = '';

async function prepare({ quick }) {
  let program;
  await step('floor program (cargo)', async () => {
    program = await buildFloor();
  });
  const { pty, why } = installNodePty();
  const absent = pty === undefined ? { 'node-pty': why } : {};
  return { floor: new Floor(program), rival: pty, absent, quick };
}

function table({ flood: flooded, echo: echoed, many: held, start: started, open: opened }) {
  const row = (label, handrail, rival, floor) => [
    label,
    ...[handrail, rival, floor].map((cell) => String(cell ?? NONE)),
  ];
  const fixed = (value, digits = 2) => value?.toFixed(digits);
  const rows = [];
  if (flooded) {
    const { handrail, 'node-pty': rival, reader } = flooded.rates;
    const part = (figures) => figures && fixed(figures.median / reader.median);
    rows.push(row(`${flooded.bytes / 1e6} MB: MB/s`, handrail.median, rival?.median, reader.median));
    rows.push(row('part of the floor', part(handrail), part(rival), '1.00'));
    rows.push(row('bytes lost at the end, at most', 0, rival && flooded.lost, 0));
  }
  if (echoed) {
    const { handrail, 'node-pty': rival } = echoed;
    rows.push(row('echo hi: p50 ms', fixed(handrail.median), fixed(rival?.median)));
    rows.push(row('p99 ms', fixed(handrail.p99), fixed(rival?.p99)));
  }
  if (held) {
    const { count, handrail, 'node-pty': rival } = held;
    rows.push(row(`${count} shells: to all prompts, ms`, fixed(handrail.ms, 0), fixed(rival?.ms, 0)));
    rows.push(row('kB of the host each', handrail.rssKbEach, rival?.rssKbEach));
    rows.push(row('descriptors each', handrail.descriptorsEach, rival?.descriptorsEach));
    rows.push(row('threads', handrail.threads, rival?.threads));
  }
  if (started) {
    const { handrail, 'node-pty': rival } = started;
    rows.push(row('start: host held, p50 ms', fixed(handrail.call.median), fixed(rival?.call.median)));
    rows.push(row('p99 ms', fixed(handrail.call.p99), fixed(rival?.call.p99)));
    rows.push(row('to its prompt, p50 ms', fixed(handrail.prompt), fixed(rival?.prompt)));
  }
  if (opened) {
    const { open: session, run, times } = opened;
    rows.push(row('open(): host held, p50 ms', fixed(session.median, 3)));
    rows.push(row('a run: host held, p50 ms', fixed(run.median, 3)));
    rows.push(row('open() in runs', fixed(times)));
  }
  return { columns: ['', 'handrail', 'node-pty', 'floor'], rows };
}

await runRow({
  name: 'sessions',
  // Memory is measured first: what a flood leaves behind would hide it.
  parts: { many, start, open, echo, flood },
  prepare,
  cleanUp: ({ floor }) => floor.close(),
  table,
});
process.exit(0);
