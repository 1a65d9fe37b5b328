/** Toolkits for the tests of one file, with a temporary workspace. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach } from 'vitest';
import type { AuditRecord } from '../../ts/audit/record.js';
import { MAX_READY_MS } from '../../ts/mcp/limits.js';
import { createToolkit, type Toolkit } from '../../ts/toolkit.js';
import { CATALOGUE } from '../../ts/tools/catalogue.js';
import type { ToolkitOptions } from '../../ts/tools/toolkit-options.js';

/** The tools of a toolkit without a bus. */
export const OWN_TOOLS = CATALOGUE.map(({ name }) => name).filter((name) => name !== 'chat_send');

/** A toolkit with the records of its calls. */
export interface Audited {
  readonly toolkit: Toolkit;
  readonly records: AuditRecord[];
}

/** Functions that create toolkits, which are closed after each test. A given option replaces the default completely. */
export function toolkits() {
  const workspace = mkdtempSync(path.join(tmpdir(), 'handrail-toolkit-'));
  const open: Toolkit[] = [];

  afterEach(async () => {
    await Promise.all(open.splice(0).map((toolkit) => toolkit.close()));
  });
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  async function makeFrom(options: ToolkitOptions): Promise<Toolkit> {
    const toolkit = await createToolkit(options);
    open.push(toolkit);
    return toolkit;
  }

  function make(options: Partial<ToolkitOptions> = {}): Promise<Toolkit> {
    const terminal = { allow: ['echo', 'pwd', 'sleep', 'seq'] };
    // On a busy machine an MCP server may take longer to start than the default limit.
    return makeFrom({ workspace, terminal, mcpReadyMs: MAX_READY_MS, ...options });
  }

  async function audited(options: Partial<ToolkitOptions> = {}): Promise<Audited> {
    const records: AuditRecord[] = [];
    const toolkit = (await make(options)).on('call', (record) => records.push(record));
    return { toolkit, records };
  }

  return { workspace, makeFrom, make, audited };
}
