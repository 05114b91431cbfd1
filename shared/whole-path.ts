const WHOLE = /^(?:\/|\\\\|[A-Za-z]:[\\/])/;
/** Filled in at each start: what it then is nobody knows before. */
const PLACEHOLDER = /^\$\{[^}]+\}/;

/** A path that means the same folder wherever a program starts, of any system. `~` is none to a program: nothing expands it. */
export const isWholePath = (path: string): boolean => WHOLE.test(path);

export const beginsWithPlaceholder = (path: string): boolean => PLACEHOLDER.test(path);
