// npm run bench -- sessions [--quick] [--only PART] [--output FILE]: the cost of programs on terminals, beside node-pty and
// the floor, a loop that only reads. No gate depends on these figures.
import { step } from '../scripts/lib/steps.mjs';
import { buildFloor, Floor } from './lib/floor.mjs';
import { runRow } from './lib/row.mjs';
import { installNodePty } from './sessions/node-pty.mjs';
import { echo, flood, many, open, start, thousand } from './sessions/parts.mjs';

const EMPTY_CELL = '';

async function prepare({ quick }) {
  let program;
  await step('floor program (cargo)', async () => {
    program = await buildFloor();
  });
  const { pty: nodePty, problem } = installNodePty();
  const absent = nodePty === undefined ? { 'node-pty': problem } : {};
  return { floor: new Floor(program), nodePty, absent, quick };
}

function table({
  flood: floodFigures,
  echo: echoFigures,
  many: manyFigures,
  thousand: thousandFigures,
  start: startFigures,
  open: openFigures,
}) {
  const row = (label, handrail, nodePty, floor) => [
    label,
    ...[handrail, nodePty, floor].map((cell) => String(cell ?? EMPTY_CELL)),
  ];
  const fixed = (value, digits = 2) => value?.toFixed(digits);
  const rows = [];
  if (floodFigures) {
    const { handrail, 'node-pty': nodePty, reader } = floodFigures.rates;
    const shareOfFloor = (figures) => figures && fixed(figures.median / reader.median);
    rows.push(row(`${floodFigures.bytes / 1e6} MB: MB/s`, handrail.median, nodePty?.median, reader.median));
    rows.push(row('part of the floor', shareOfFloor(handrail), shareOfFloor(nodePty), '1.00'));
    rows.push(row('bytes lost at the end, at most', 0, nodePty && floodFigures.lost, 0));
  }
  if (echoFigures) {
    const { handrail, 'node-pty': nodePty } = echoFigures;
    rows.push(row('echo hi: p50 ms', fixed(handrail.median), fixed(nodePty?.median)));
    rows.push(row('p99 ms', fixed(handrail.p99), fixed(nodePty?.p99)));
  }
  if (manyFigures) {
    const { count, handrail, 'node-pty': nodePty } = manyFigures;
    rows.push(row(`${count} shells: to all prompts, ms`, fixed(handrail.ms, 0), fixed(nodePty?.ms, 0)));
    rows.push(row('kB of the host each', handrail.rssKbEach, nodePty?.rssKbEach));
    rows.push(row('descriptors each', handrail.descriptorsEach, nodePty?.descriptorsEach));
    rows.push(row('threads', handrail.threads, nodePty?.threads));
  }
  if (thousandFigures) {
    const { count, ms, answersMs, rssKbEach, descriptorsEach, threads } = thousandFigures;
    rows.push(row(`${count} live shells: to all prompts, ms`, fixed(ms, 0)));
    rows.push(row('each answers, all at once, ms', fixed(answersMs, 0)));
    rows.push(row('kB of the host each', rssKbEach));
    rows.push(row('descriptors each', descriptorsEach));
    rows.push(row('threads', threads));
  }
  if (startFigures) {
    const { handrail, 'node-pty': nodePty } = startFigures;
    rows.push(row('start: host held, p50 ms', fixed(handrail.call.median), fixed(nodePty?.call.median)));
    rows.push(row('p99 ms', fixed(handrail.call.p99), fixed(nodePty?.call.p99)));
    rows.push(row('to its prompt, p50 ms', fixed(handrail.prompt), fixed(nodePty?.prompt)));
  }
  if (openFigures) {
    const { open: session, run, times } = openFigures;
    rows.push(row('open(): host held, p50 ms', fixed(session.median, 3)));
    rows.push(row('a run: host held, p50 ms', fixed(run.median, 3)));
    rows.push(row('open() in runs', fixed(times)));
  }
  return { columns: ['', 'handrail', 'node-pty', 'floor'], rows };
}

await runRow({
  name: 'sessions',
  // `many` comes first: it measures memory, and the other parts leave memory that shells would reuse.
  parts: { many, thousand, start, open, echo, flood },
  prepare,
  cleanUp: ({ floor }) => floor.close(),
  table,
});
process.exit(0);
