import { ready } from 'handrail/wasm';
import { startCommand } from './command.js';
import { find } from './dom.js';
import { openFile, startOutput } from './output.js';

const outputTab = find('output-tab', HTMLButtonElement);
const tabs = [outputTab, find('command-tab', HTMLButtonElement)];

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

/** Opens the first of the dropped files. Without this the browser would leave the page and show the file itself. */
function takeDroppedFiles(): void {
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  const hint = (isShown: boolean) => document.body.classList.toggle('dropping', isShown);
  document.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    hint(true);
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) hint(false);
  });
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    hint(false);
    const [dropped] = event.dataTransfer?.files ?? [];
    if (dropped === undefined || find('output', HTMLElement).inert) return;
    select(outputTab);
    void openFile(dropped);
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

takeDroppedFiles();
find('retry', HTMLButtonElement).addEventListener('click', () => void load());
void load();
