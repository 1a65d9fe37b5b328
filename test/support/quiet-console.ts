/** Output on the console fails the test that caused it: a library is silent, and a test says what it means by asserting. */
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
