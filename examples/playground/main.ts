import { ready } from 'handrail/wasm';
import { startCommand } from './command.js';
import { find } from './dom.js';
import { startOutput } from './output.js';

const tabs = [find('output-tab', HTMLButtonElement), find('command-tab', HTMLButtonElement)];

function select(chosen: HTMLButtonElement): void {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    find(tab.getAttribute('aria-controls') ?? '', HTMLElement).hidden = !isChosen;
  }
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener('click', () => select(tab));
  tab.addEventListener('keydown', ({ key }) => {
    const other = tabs[1 - index];
    if ((key !== 'ArrowLeft' && key !== 'ArrowRight') || other === undefined) return;
    select(other);
    other.focus();
  });
}

function state(is: 'loading' | 'failed' | 'ready'): void {
  for (const id of ['loading', 'failed']) find(id, HTMLElement).hidden = id !== is;
  for (const id of ['output', 'command']) find(id, HTMLElement).inert = is !== 'ready';
}

async function load(): Promise<void> {
  state('loading');
  try {
    await ready();
  } catch (error) {
    find('failure', HTMLElement).textContent = `${error instanceof Error ? error.message : error}.`;
    state('failed');
    return;
  }
  state('ready');
  startOutput();
  startCommand();
}

find('retry', HTMLButtonElement).addEventListener('click', () => void load());
void load();
