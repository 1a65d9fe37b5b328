import { chip, debounced, element, find } from './dom.js';
import { type Reading, read } from './reading.js';
import { sampleLog } from './samples.js';

/** Longer texts are not put into the text area, as browsers take seconds to lay them out. */
const MAX_EDITED_CHARS = 200_000;

/** Masking more would block the page's only thread, and so the keyboard, for seconds. */
const MAX_BYTES = 20_000_000;

const LABEL = /\[REDACTED:([^\]\s]+)\]/;

const log = find('log', HTMLTextAreaElement);
const held = find('held', HTMLElement);
const tokens = find('tokens', HTMLInputElement);
const budget = find('budget', HTMLOutputElement);
const file = find('file', HTMLInputElement);
const model = find('model', HTMLElement);

/** Input that is too long for the text area, or was read from a file. A text area would drop its carriage returns. */
let hiddenInput: Uint8Array | undefined;
let run = 0;

async function show(): Promise<void> {
  run += 1;
  const mine = run;
  const bytes = hiddenInput ?? new TextEncoder().encode(log.value);
  if (bytes.length === 0) {
    render(undefined);
    return;
  }
  model.ariaBusy = 'true';
  try {
    const reading = await read(bytes, tokens.valueAsNumber, () => mine !== run);
    if (reading !== undefined) render(reading);
  } catch (error) {
    render(undefined, element('span', 'wrong', error instanceof Error ? error.message : String(error)));
  }
}

function render(reading: Reading | undefined, instead = element('span', 'quiet', 'Nothing to read yet.')): void {
  const rules = reading?.rules ?? [];
  model.ariaBusy = 'false';
  model.replaceChildren(
    ...(reading === undefined ? [instead] : marked(reading.text, new Set(rules.map(([rule]) => rule)))),
  );
  find('figures', HTMLElement).replaceChildren(...(reading === undefined ? [] : figures(reading)));
  find('rules', HTMLElement).replaceChildren(...rules.map(([rule, places]) => finding(rule, places)));
}

function figures({ lines, characters, rules }: Reading): HTMLElement[] {
  const masked = rules.reduce((sum, [, places]) => sum + places, 0);
  const written = (number: number) => number.toLocaleString('en');
  return [
    ['Lines', lines.map(written).join(' → ')],
    ['Characters', characters.map(written).join(' → ')],
    ['Masked', masked === 0 ? 'nothing found' : written(masked)],
  ].map(([name = '', value = '']) => element('div', '', element('dt', '', name), element('dd', '', value)));
}

/** A rule with the number of its places; a click goes to the next of them. */
function finding(rule: string, places: number): HTMLElement {
  const marks = [...model.querySelectorAll('mark')].filter((mark) => mark.textContent === labelOf(rule));
  let next = 0;
  const button = chip(rule, () => {
    for (const mark of model.querySelectorAll('.current')) mark.classList.remove('current');
    const mark = marks[next % marks.length];
    next += 1;
    mark?.classList.add('current');
    mark?.scrollIntoView({ block: 'center', inline: 'center' });
  });
  button.disabled = marks.length === 0;
  button.title = button.disabled ? 'Its places are among the lines left out' : 'Go to the next place';
  button.append(element('b', '', places.toLocaleString('en')));
  return element('li', '', button);
}

const labelOf = (rule: string) => `[REDACTED:${rule}]`;

/** Splits the text at its labels, and marks each label of a known rule. */
function marked(text: string, rules: ReadonlySet<string>): (Node | string)[] {
  return text.split(LABEL).map((piece, index) => {
    if (index % 2 === 0) return piece;
    return rules.has(piece) ? element('mark', '', labelOf(piece)) : labelOf(piece);
  });
}

function hold(bytes: Uint8Array, name: string): void {
  const isTooLong = bytes.length > MAX_BYTES;
  hiddenInput = isTooLong ? new Uint8Array() : bytes;
  log.value = '';
  log.hidden = true;
  held.hidden = false;
  held.textContent = isTooLong
    ? `${name} is too long for this page, which takes ${MAX_BYTES / 1e6} MB at most.`
    : `${name}, ${(bytes.length / 1e6).toFixed(2)} MB, is read but not shown. Clear it to type again.`;
  void show();
}

function edit(text: string): void {
  hiddenInput = undefined;
  log.value = text;
  log.hidden = false;
  held.hidden = true;
  log.focus();
  void show();
}

/** Reads a file that was chosen or dropped. A folder cannot be read. */
export async function openFile(chosen: File): Promise<void> {
  try {
    hold(new Uint8Array(await chosen.slice(0, MAX_BYTES + 1).arrayBuffer()), chosen.name);
  } catch {
    edit('');
    render(undefined, element('span', 'wrong', `${chosen.name} cannot be read: is it a folder?`));
  }
}

export function startOutput(): void {
  const later = debounced(
    () => void show(),
    () => (log.value.length > 50_000 ? 300 : 60),
  );
  log.addEventListener('input', () => {
    if (log.value.length > MAX_EDITED_CHARS) hold(new TextEncoder().encode(log.value), 'Pasted text');
    else later();
  });
  log.addEventListener('paste', (event) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (pasted.length <= MAX_EDITED_CHARS) return;
    event.preventDefault();
    const whole = log.value.slice(0, log.selectionStart) + pasted + log.value.slice(log.selectionEnd);
    hold(new TextEncoder().encode(whole), 'Pasted text');
  });
  tokens.addEventListener('input', () => {
    budget.value = tokens.value;
    later();
  });
  find('sample', HTMLButtonElement).addEventListener('click', () => edit(sampleLog()));
  find('clear', HTMLButtonElement).addEventListener('click', () => edit(''));
  find('open', HTMLButtonElement).addEventListener('click', () => file.click());
  file.addEventListener('change', async () => {
    const [chosen] = file.files ?? [];
    if (chosen !== undefined) await openFile(chosen);
    file.value = '';
  });
  budget.value = tokens.value;
  if (log.value === '') log.value = sampleLog();
  void show();
}
