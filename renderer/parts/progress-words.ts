import type { CallProgress } from '../../shared/call.ts';

export type ProgressWords =
  | { readonly key: 'of'; readonly done: string; readonly total: string; /** 0 to 1 */ readonly share: number }
  | { readonly key: 'at'; readonly done: string }
  | { readonly key: 'none' };

/** A server's numbers have no unit, and may be odd: a share is only told where the amount lies between nothing and a total. */
export const progressWords = ({ progress, total }: Pick<CallProgress, 'progress' | 'total'>, language: string): ProgressWords => {
  if (progress === undefined) return { key: 'none' };
  const shown = (value: number): string => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);
  return total !== undefined && total > 0 && progress >= 0 && progress <= total ? { key: 'of', done: shown(progress), total: shown(total), share: progress / total } : { key: 'at', done: shown(progress) };
};
