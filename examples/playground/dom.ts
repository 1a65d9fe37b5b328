/** The element with an id; throws when the page has none. */
export function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} with the id ${id}`);
}

/** A new element. Strings become text nodes, so that pasted text is never parsed as HTML. */
export function element(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

export function chip(label: string, onClick: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.addEventListener('click', onClick);
  return made;
}

/** `work`, once `waitMs()` milliseconds have gone by without another call. */
export function debounced(work: () => void, waitMs: () => number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, waitMs());
  };
}
