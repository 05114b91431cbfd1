/** Where an address leads, for who reads it: its host, or its scheme where it has none; null for what is no address. A host in other letters stands in its wire form. */
export const hostOf = (address: string): string | null => {
  try {
    const { host, protocol } = new URL(address);
    return host === '' ? protocol : host;
  } catch {
    return null;
  }
};
