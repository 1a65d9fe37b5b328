import type { Redactor } from '../redaction/redactor.js';
import { type FindingInFile, regionsOf, type TextRegion } from './finding-places.js';
import { sarifOf } from './findings-sarif.js';
import { readAll } from './input-source.js';
import type { RedactWork } from './redact-work.js';
import { shownPath } from './shown-path.js';
import { stagedContent, stagedFiles } from './staged.js';

/** Lists the findings in each file. */
export async function checkFiles(work: RedactWork): Promise<void> {
  const mask = (text: string) => work.redactor.redact(text);
  await check(work, work.request.files, async (file) => await readAll(file, mask, work.stop));
}

/** Lists the findings in the staged files of git. */
export async function checkStaged(work: RedactWork): Promise<void> {
  const files = await stagedFiles(work.stop);
  await check(work, files, async (file) => await stagedContent(file, work.stop));
}

type ReadFile = (file: string) => Promise<Uint8Array | undefined>;

async function check(
  { request, redactor, outputs, tally, stop }: RedactWork,
  files: readonly string[],
  read: ReadFile,
) {
  const allFindings: FindingInFile[] = [];
  for (const file of files) {
    const bytes = await read(file);
    if (bytes === undefined || stop.aborted) return;
    tally.bytes.read += bytes.length;
    const fileFindings = findingsIn(
      bytes,
      shownPath(file, (text) => redactor.redact(text)),
      redactor,
    );
    for (const { rule } of fileFindings) tally.add({ [rule]: 1 });
    if (request.format === 'text') await outputs.write('stdout', fileFindings.map(findingLine).join(''));
    else allFindings.push(...fileFindings);
  }
  if (request.format === 'sarif') await outputs.write('stdout', `${JSON.stringify(sarifOf(allFindings), null, 2)}\n`);
}

function findingsIn(bytes: Uint8Array, file: string, redactor: Redactor): FindingInFile[] {
  const text = new TextDecoder().decode(bytes);
  const findings = redactor.scan(text);
  const regions = regionsOf(text, findings);
  return findings.map(({ rule }, index) => ({ file, rule, ...(regions[index] as TextRegion) }));
}

function findingLine({ file, rule, startLine, startColumn }: FindingInFile): string {
  return `${file}:${startLine}:${startColumn}: ${rule}\n`;
}
