import type { Fault } from '../../shared/fault.ts';

const ABOUT_MEDIA = /image|picture|media|document|pdf|base64|file|too large|payload/i;
/** Endpoints that take texts alone say so in many ways, and by statuses that mean other things, too. */
const NO_PICTURES = /(?:does(?: not|n't)|do(?: not|n't)|not|cannot|can't|no(?: endpoints? found that)?) (?:support|accept|handle|take|process|allow)(?:s|ed)?\b.{0,60}(?:image|picture|vision|multi-?modal)|(?:image|vision|multi-?modal)[\w ]{0,30} (?:is|are) not (?:supported|enabled|allowed|available)|mmproj|unknown variant [`'"]?image_url|image_url.{0,60}(?:expected|unsupported|not supported)|text[- ]only|不支持.{0,20}(?:图|视觉|多模态)/is;
/** Templates of some models take no user message after a tool's. */
const NO_TURN = /(?:unexpected|after) role|roles? must alternate/i;

const wordsOf = ({ details }: Fault): string => String(details?.['providerSays'] ?? '');

/** Whether the words of a provider say that its model is given no pictures at all, whatever they are. */
export const takesNoPictures = (words: string): boolean => NO_PICTURES.test(words) || NO_TURN.test(words);

/** Whether a provider's refusal may be about the pictures and files of a request: by its status, and its words where those are about what was sent. */
export const refusesMedia = (refused: Fault): boolean => {
  const status = refused.details?.['status'];
  if (status === 413 || status === 415) return true;
  return typeof status === 'number' && status >= 400 && (takesNoPictures(wordsOf(refused)) || ((status === 400 || status === 422) && ABOUT_MEDIA.test(wordsOf(refused))));
};

type Named = { readonly provider: string; readonly baseUrl: string; readonly model: string };
const keyOf = ({ provider, baseUrl, model }: Named): string => JSON.stringify([provider, baseUrl, model]);

/** Models of which a refusal said that they take no pictures: their later results are told in words at once, until Gantry is started again. */
export class PictureRefusals {
  readonly #models = new Set<string>();

  heard(model: Named): void {
    this.#models.add(keyOf(model));
  }

  has(model: Named): boolean {
    return this.#models.has(keyOf(model));
  }
}
