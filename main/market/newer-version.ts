const READ = /^v?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+)|\.?([A-Za-z][0-9A-Za-z.]*))?(?:\+.*)?$/;

const parts = (text: string): readonly (string | number)[] => text.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));

const compareParts = (a: readonly (string | number)[], b: readonly (string | number)[]): number => {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const [one, other] = [a[at], b[at]];
    if (one === other) continue;
    if (one === undefined) return -1;
    if (other === undefined) return 1;
    // semver.org 11.4: numbers before words
    if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return 0;
};

/** Whether `offered` is a later version than `present` (semver.org 11; numbers of any length). False where either cannot be read: nothing is claimed then. */
export const isNewer = (offered: string, present: string): boolean => {
  const [a, b] = [READ.exec(offered), READ.exec(present)];
  if (a === null || b === null) return false;
  const trimmed = (text: string): string => text.replace(/(?:\.0+)+$/, '');
  const numbers = compareParts(parts(trimmed(a[1]!)), parts(trimmed(b[1]!)));
  if (numbers !== 0) return numbers > 0;
  // a pre-release is before its release
  const [preA, preB] = [a[2] ?? a[3], b[2] ?? b[3]];
  if (preA === undefined || preB === undefined) return preA === undefined && preB !== undefined;
  return compareParts(parts(preA), parts(preB)) > 0;
};
