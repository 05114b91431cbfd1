// Every icon from packaging/icon.svg. `node packaging/icons.ts` writes them; a test compares what is committed with what this makes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import png2icons from 'png2icons';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A square PNG of `size` pixels a side. */
const png = (svg: string, size: number): Buffer => Buffer.from(new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng());

/** The crane alone, in one colour, on nothing: for the tray. `dot` says that something waits. */
const trayGlyph = (source: string, colour: string, dot: string | null): string => {
  const crane = /<g id="crane"[^>]*>([\s\S]*?)<\/g>/.exec(source)?.[1];
  if (!crane) throw new Error('packaging/icon.svg has no group "crane".');
  const waiting = dot ? `<circle cx="16" cy="15.5" r="4" fill="${dot}"/>` : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><g fill="none" stroke="${colour}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${crane}</g>${waiting}</svg>`;
};

const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
const TRAY = [
  // light and dark name the ground that they lie on; a template has one colour and the system's own
  ['tray-light', '#17202b', '#c2410c'],
  ['tray-dark', '#e6ebf0', '#ff9a57'],
  ['tray', '#000000', '#000000'],
] as const;

/** Path from the root and bytes of each icon. Throws where the source cannot be drawn. */
export const makeIcons = (source: string): ReadonlyMap<string, Buffer> => {
  const icons = new Map<string, Buffer>();
  for (const size of LINUX_SIZES) icons.set(`packaging/icons/${size}x${size}.png`, png(source, size));
  const large = png(source, 1024);
  const icns = png2icons.createICNS(large, png2icons.BICUBIC, 0);
  const ico = png2icons.createICO(large, png2icons.BICUBIC, 0, false, true);
  if (!icns || !ico) throw new Error('The icon of macOS or of Windows could not be made.');
  icons.set('packaging/icons/icon.icns', icns);
  icons.set('packaging/icons/icon.ico', ico);
  icons.set('assets/icons/icon.png', png(source, 256));
  for (const [name, colour, dot] of TRAY) {
    for (const waiting of [false, true]) {
      const file = `${name}${waiting ? '-waiting' : ''}${name === 'tray' ? 'Template' : ''}`;
      const svg = trayGlyph(source, colour, waiting ? dot : null);
      icons.set(`assets/icons/${file}.png`, png(svg, 16));
      icons.set(`assets/icons/${file}@2x.png`, png(svg, 32));
    }
  }
  return icons;
};

export const iconSource = (): string => readFileSync(join(root, 'packaging/icon.svg'), 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, bytes] of makeIcons(iconSource())) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
    process.stdout.write(`${path} ${bytes.length}\n`);
  }
}
