const UNITS = [['gigabyte', 1e9], ['megabyte', 1e6], ['kilobyte', 1e3]] as const;

/** A size on disk in the unit that fits, in the language shown. */
export const sizeWords = (bytes: number, language: string): string => {
  const [unit, least] = UNITS.find(([, from]) => bytes >= from) ?? [null, 1];
  const size = bytes / least;
  // the short form of this unit is the whole word in English
  if (unit === null) return `${new Intl.NumberFormat(language).format(bytes)} B`;
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: least >= 1e6 && size < 10 ? 1 : 0 }).format(size);
};
