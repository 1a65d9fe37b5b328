// The program of hosts that have a command line: cases on the standard input, answers on the standard output.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import * as api from 'handrail/wasm';
import { answers } from './answers.mjs';

function mayRead() {
  try {
    return readFileSync(fileURLToPath(import.meta.url)).length > 0;
  } catch {
    return false;
  }
}

let text = '';
for await (const piece of process.stdin.setEncoding('utf8')) text += piece;
const entry = import.meta.resolve('handrail/wasm');
process.stdout.write(JSON.stringify({ entry, mayRead: mayRead(), answers: answers(api, JSON.parse(text)) }));
