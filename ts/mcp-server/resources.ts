import { Files } from '../files/files.js';
import type { Toolkit } from '../tools/toolkit.js';
import { MAX_OUTPUTS, MAX_RESOURCE_BYTES, MAX_RESOURCE_LINES } from './limits.js';
import { isObject, RPC_CODES, RpcError } from './protocol.js';

/** What callers changed, as JSON. */
const CHANGES = 'handrail://changes';
/** What did not fit an answer: `handrail://output/3`, and from a line on `handrail://output/3?offset=2001`. */
const OUTPUT = /^handrail:\/\/output\/(\d{1,9})(?:\?offset=(\d{1,9}))?$/;

/** A file with the whole output of a call. */
interface Output {
  readonly caller: string;
  readonly tool: string;
  readonly path: string;
  readonly bytes: number;
}

/** The resources of a toolkit: the outputs that did not fit an answer, and the changes that can be taken back. */
export class ServedResources {
  readonly #toolkit: Toolkit;
  /** The newest outputs, by their numbers. */
  readonly #outputs = new Map<number, Output>();
  #count = 0;

  constructor(toolkit: Toolkit) {
    this.#toolkit = toolkit;
  }

  /** Remembers the output of a call that did not fit its answer. */
  remember(caller: string, tool: string, data: object): void {
    const spill = 'spill' in data ? data.spill : undefined;
    if (!isObject(spill) || typeof spill['path'] !== 'string' || typeof spill['bytes'] !== 'number') return;
    this.#count += 1;
    this.#outputs.set(this.#count, { caller, tool, path: spill['path'], bytes: spill['bytes'] });
    this.#outputs.delete(this.#count - MAX_OUTPUTS);
  }

  /** The resources of a caller. */
  list(caller: string): object[] {
    const outputs = [...this.#outputs].filter(([, output]) => output.caller === caller);
    return [
      { uri: CHANGES, name: 'changes', title: 'Changes of files', mimeType: 'application/json' },
      ...outputs.map(([number, { tool, bytes }]) => ({
        ...{ uri: `handrail://output/${number}`, name: `output-${number}`, title: `Whole output of ${tool}` },
        ...{ mimeType: 'text/plain', size: bytes },
      })),
    ];
  }

  /** @throws RpcError where the caller has no such resource, or it is gone. */
  async read(caller: string, uri: unknown): Promise<object> {
    if (uri === CHANGES) {
      const history = await this.#toolkit.files.history(caller === '' ? {} : { caller });
      return contents({ uri, mimeType: 'application/json', text: JSON.stringify(history) });
    }
    const [, number, from = '1'] = (typeof uri === 'string' ? OUTPUT.exec(uri) : null) ?? [];
    const output = number === undefined ? undefined : this.#outputs.get(Number(number));
    if (output === undefined || output.caller !== caller) throw notFound();
    const lines = { offset: Math.max(1, Number(from)), limit: MAX_RESOURCE_LINES, maxBytes: MAX_RESOURCE_BYTES };
    const read = await Files.readFor(this.#toolkit.files, caller, output.path, lines);
    if (!read.ok) throw notFound();
    const next = read.lastLine + 1;
    const rest = `[lines ${read.firstLine} to ${read.lastLine} of ${read.totalLines}; next: handrail://output/${number}?offset=${next}]`;
    const text = next > 1 && next <= read.totalLines ? `${read.text}\n${rest}` : read.text;
    return contents({ uri, mimeType: 'text/plain', text });
  }
}

function contents(content: object): object {
  return { contents: [content] };
}

function notFound(): RpcError {
  return new RpcError(RPC_CODES.invalidParams, 'Resource not found');
}
