import { z } from 'zod';

/** MCP 2025-11-25, `Icon`: what a server names as its pictures. Untrusted. */
const IconSchema = z.object({ src: z.string().min(1).max(128 * 1024), mimeType: z.string().optional(), sizes: z.array(z.string()).optional(), theme: z.string().optional() });

export const ICON_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/jpg'];
const WANTED_PIXELS = 64;
const MAX_TRIED = 3;
const MAX_READ = 32;

const pixelsOf = (sizes: readonly string[] | undefined): number => Math.max(0, ...(sizes ?? []).map((size) => Number(/^(\d{1,5})x\d{1,5}$/.exec(size)?.[1] ?? 0)));

/** The smallest that need not be enlarged first, then the largest of the rest; what says no size comes in between. */
const rank = (pixels: number): number => (pixels >= WANTED_PIXELS ? pixels : pixels === 0 ? 10_000 : 20_000 - pixels);

/** The few addresses worth trying, best first. Entries that say they are something else than PNG or JPEG, or are malformed, are left out. */
export const iconSources = (icons: unknown): readonly string[] => {
  if (!Array.isArray(icons)) return [];
  const fit = icons
    .slice(0, MAX_READ)
    .flatMap((icon) => {
      const parsed = IconSchema.safeParse(icon);
      return parsed.success && (parsed.data.mimeType === undefined || ICON_TYPES.includes(parsed.data.mimeType.toLowerCase())) ? [parsed.data] : [];
    })
    .map((icon) => ({ src: icon.src, rank: rank(pixelsOf(icon.sizes)), dark: icon.theme === 'dark' }));
  return [...new Set(fit.sort((a, b) => Number(a.dark) - Number(b.dark) || a.rank - b.rank).map((icon) => icon.src))].slice(0, MAX_TRIED);
};
