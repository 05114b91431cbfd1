/** The approval that comes after one on its page, or else the first of the others: where a person goes on who has decided it. */
export const nextWaiting = (here: HTMLElement | null): HTMLElement | null => {
  const all = [...document.querySelectorAll<HTMLElement>('[data-approval]')];
  const at = here === null ? -1 : all.indexOf(here);
  return all[at + 1] ?? all.find((one) => one !== here) ?? null;
};
