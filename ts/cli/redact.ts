import { EndSignals } from './end-signals.js';
import { EXIT, signalCode } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { checkFiles, checkStaged } from './redact-check.js';
import { copyAll } from './redact-copy.js';
import { replaceAll } from './redact-in-place.js';
import { type RedactReport, reportText } from './redact-report.js';
import { createRedactor, type RedactMode, readRequest } from './redact-request.js';
import { Tally } from './redact-tally.js';
import type { RedactWork } from './redact-work.js';

const MODES: Readonly<Record<RedactMode, (work: RedactWork) => Promise<void>>> = {
  copy: copyAll,
  'in-place': replaceAll,
  check: checkFiles,
  staged: checkStaged,
};

/** Runs `handrail redact` and returns its exit code. */
export async function redact(args: readonly string[], outputs: Outputs): Promise<number> {
  const request = readRequest(args);
  const redactor = createRedactor(request);
  const notes = redactor.ruleNotes.map((note) => redactor.redact(note));
  if (!request.quiet) for (const note of notes) void outputs.remark(`handrail: ${note}\n`);
  using signals = new EndSignals();
  const tally = new Tally();
  const stop = AbortSignal.any([signals.signal, outputs.gone]);
  await MODES[request.mode]({ request, redactor, outputs, tally, stop });
  await outputs.settle(signals.signal);
  if (outputs.failure === undefined && request.report !== 'none') {
    const { findings, rules, bytes } = tally;
    const report: RedactReport = { findings, rules, bytes, notes, endedBy: signals.first };
    const isCheck = request.mode === 'check' || request.mode === 'staged';
    const text = request.report === 'json' ? `${JSON.stringify(report, null, 2)}\n` : reportText(report, isCheck);
    void outputs.remark(text);
    await outputs.settle(signals.signal);
  }
  if (signals.first !== null) return signalCode(signals.first);
  return request.failOnFind && tally.findings > 0 ? EXIT.found : EXIT.ok;
}
