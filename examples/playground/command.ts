import { type Decision, type ExplainOptions, explain, type Reason, type Rule } from 'handrail/wasm';
import { chip, debounced, element, find } from './dom.js';
import { COMMANDS } from './samples.js';

const OUTCOMES = {
  allow: ['✓ allow', 'It may run.'],
  ask: ['? ask', 'It runs only after an approver agreed.'],
  deny: ['✕ deny', 'It may not run; the model reads why.'],
} as const;

/** Characters shown before and after the part of a command that a reason is about. */
const AROUND = 60;

/** Characters shown of the part itself. */
const MAX_MARKED = 600;

const line = find('line', HTMLTextAreaElement);
const decision = find('decision', HTMLElement);
const reasons = find('reasons', HTMLElement);

const entries = (id: string) =>
  find(id, HTMLTextAreaElement)
    .value.split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** `git status` is the program `git` whose arguments begin with `status`. */
function rules(id: string): Rule[] | undefined {
  const written = entries(id).map((entry) => {
    const [program = '', ...args] = entry.split(/\s+/);
    return args.length === 0 ? program : { program, args };
  });
  return written.length === 0 ? undefined : written;
}

function options(): ExplainOptions {
  const [root] = entries('root');
  return {
    shell: document.querySelector<HTMLInputElement>('input[name=shell]:checked')?.value === 'none' ? 'none' : 'bash',
    allow: rules('allow'),
    deny: rules('deny'),
    trustInterpreters: entries('trust'),
    ...(root === undefined ? {} : { cwd: root, roots: [root] }),
  };
}

function show(): void {
  if (line.value.trim() === '') {
    render('', element('span', 'quiet', 'No command to judge yet.'));
    return;
  }
  try {
    const judged = explain(line.value, options());
    render(judged.decision, ...verdict(judged));
    reasons.replaceChildren(...judged.reasons.map((reason) => reasonItem(line.value, reason)));
  } catch (error) {
    // An invalid policy, such as a list entry that names no program, or a root that is not an absolute path.
    render('', element('span', 'wrong', error instanceof Error ? error.message : String(error)));
  }
}

function render(outcome: string, ...children: HTMLElement[]): void {
  decision.className = outcome;
  reasons.className = outcome;
  decision.replaceChildren(...children);
  reasons.replaceChildren();
}

const verdict = (judged: Decision) =>
  OUTCOMES[judged.decision].map((text, index) => element(index === 0 ? 'strong' : 'span', '', text));

function reasonItem(command: string, { rule, span: [start, end], program, message, hint }: Reason): HTMLElement {
  const from = Math.max(0, start - AROUND);
  const until = Math.min(command.length, end + AROUND);
  const isLong = end - start > MAX_MARKED;
  const place = element(
    'pre',
    '',
    (from > 0 ? '…' : '') + command.slice(from, start),
    element('mark', '', isLong ? `${command.slice(start, start + MAX_MARKED)}…` : command.slice(start, end)),
    command.slice(end, until) + (until < command.length ? '…' : ''),
  );
  const item = element('li', '', element('p', 'message', message), place);
  if (hint !== undefined) item.append(element('p', 'quiet', hint));
  const name = element('p', 'quiet', element('code', '', rule));
  if (program !== undefined) name.append(' about ', element('code', '', program));
  item.prepend(name);
  return item;
}

export function startCommand(): void {
  const judge = debounced(show, () => (line.value.length > 5_000 ? 300 : 40));
  find('command', HTMLElement).addEventListener('input', judge);
  find('presets', HTMLElement).replaceChildren(
    ...COMMANDS.map((command) =>
      chip(command, () => {
        line.value = command;
        show();
      }),
    ),
  );
  if (line.value === '') line.value = COMMANDS[0] ?? '';
  show();
}
