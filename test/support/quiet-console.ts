/** Makes a test fail that causes output on the console: the library prints nothing, and tests assert instead of printing. */
import { format } from 'node:util';
import { afterEach, beforeEach, vi } from 'vitest';

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const;

let printed: string[] = [];

beforeEach(() => {
  printed = [];
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
      printed.push(`console.${method}: ${format(...values)}`);
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  if (printed.length > 0) throw new Error(`printed during the test:\n${printed.join('\n')}`);
});
