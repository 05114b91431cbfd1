import type { StepKey } from './guide-steps.ts';

/** Where on the page a step is done: what is seen of it, and what of it takes the focus. */
const PLACES: Partial<Readonly<Record<StepKey, { readonly part: string; readonly control: string }>>> = {
  connect: { part: '[data-guide="connect"]', control: 'button' },
  see: { part: '[data-guide="capabilities"]', control: 'a[data-cell="id"]' },
  try: { part: '[data-guide="try"]', control: 'input:not([type="radio"]):enabled, textarea:enabled' },
  allow: { part: '[data-guide="capabilities"]', control: 'input[data-cell="access"]:enabled' },
};

const TRIES_MS = 100;
/** A page that is read this long has failed; a slow one is waited for. */
const GIVES_UP_MS = 60_000;

/** Scrolls to the place of a step on the page its link leads to and gives it the focus, once it is there; also where that page is open already. Ends when the person does something or is somewhere else. */
export const leadOn = (key: StepKey): void => {
  const place = PLACES[key];
  if (place === undefined) return;
  const began = performance.now();
  const acts = ['wheel', 'keydown', 'pointerdown'] as const;
  let to: string | null = null;
  const end = (): void => {
    clearInterval(timer);
    for (const name of acts) window.removeEventListener(name, end);
  };
  const look = (): void => {
    // a click is followed after its listeners
    to ??= location.hash;
    if (location.hash !== to) return end();
    const part = document.querySelector<HTMLElement>(`#main ${place.part}`);
    const control = part?.querySelector<HTMLElement>(place.control) ?? null;
    if (control !== null) {
      end();
      part!.scrollIntoView({ block: 'start' });
      control.focus();
    } else if (performance.now() - began > GIVES_UP_MS) end();
  };
  // the page takes the focus first, as every new page does
  const timer = setInterval(look, TRIES_MS);
  setTimeout(() => { for (const name of acts) window.addEventListener(name, end, { passive: true }); });
};
