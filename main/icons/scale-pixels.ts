/** 8-bit RGBA, rows from the top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Fits the picture into a square of `side`, never larger than it was; each new pixel is the mean of those it covers, weighted by their opacity. */
export const fitInto = (side: number, source: Pixels): Pixels => {
  const scale = Math.min(1, side / source.width, side / source.height);
  const width = Math.max(1, Math.round(source.width * scale));
  const height = Math.max(1, Math.round(source.height * scale));
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = span(y, height, source.height);
    for (let x = 0; x < width; x += 1) {
      const [left, right] = span(x, width, source.width);
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let sy = top; sy < bottom; sy += 1) {
        for (let sx = left; sx < right; sx += 1) {
          const at = (sy * source.width + sx) * 4;
          const weight = source.data[at + 3]!;
          red += source.data[at]! * weight;
          green += source.data[at + 1]! * weight;
          blue += source.data[at + 2]! * weight;
          alpha += weight;
        }
      }
      const to = (y * width + x) * 4;
      if (alpha > 0) data.set([red / alpha, green / alpha, blue / alpha, alpha / ((bottom - top) * (right - left))].map(Math.round), to);
    }
  }
  return { width, height, data };
};

const span = (at: number, of: number, length: number): readonly [number, number] => {
  const from = Math.floor((at * length) / of);
  return [from, Math.max(from + 1, Math.floor(((at + 1) * length) / of))];
};
