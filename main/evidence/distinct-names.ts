/** Tells apart what names became when they were cut or cleaned: the second of a kind gets " (2)", so that no member of an object takes another's place. */
export const distinctNames = (): ((name: string) => string) => {
  const taken = new Map<string, number>();
  return (name) => {
    let told = name;
    let n = taken.get(name) ?? 0;
    while (taken.has(told)) told = `${name} (${(n += 1)})`;
    taken.set(name, Math.max(n, 1));
    if (told !== name) taken.set(told, 1);
    return told;
  };
};
