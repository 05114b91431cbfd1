import type { RouteProfile } from '../capabilities/routes/route-profile.ts';
import type { MediaPart } from '../calls/result-media.ts';

/** A picture or file that goes along with a result's text. */
export interface AttachedMedium {
  readonly mediaType: string;
  /** base64 */
  readonly data: string;
}

/** What became of one medium of a result: attached, or why not, in words for the model. `medium` counts from 1, as the text does. */
export interface MediumWord {
  readonly medium: number;
  readonly mediaType: string;
  readonly attached: boolean;
  readonly why?: string;
}

export interface MediaTerms {
  readonly takes: RouteProfile['toolResults'];
  /** base64 bytes that the request may still carry */
  readonly leftBytes: number;
  readonly isError: boolean;
}

/** Of those that do not go along; `untold` counts the others. */
const MOST_WORDS = 20;

/** Which of a result's media the route carries; each of the others gets a word. Bytes count, not the server's media type. */
export const toldMedia = (media: readonly MediaPart[], { takes, leftBytes, isError }: MediaTerms): { readonly words: readonly MediumWord[]; readonly untold: number; readonly attached: readonly AttachedMedium[] } => {
  const attached: AttachedMedium[] = [];
  let left = leftBytes;
  const whyNot = ({ mediaType, data, sizeBytes, pixels, declared }: MediaPart): string | null => {
    if (mediaType === null) return sizeBytes === 0 ? 'it holds no data' : `its bytes are of no known kind; the server says ${JSON.stringify(declared.slice(0, 80).toWellFormed())}`;
    if (takes.media.size === 0) return 'this model gets text only in tool results';
    if (!takes.media.has(mediaType)) return `this model takes no ${mediaType} in tool results`;
    if (isError && !takes.mediaWithErrors) return 'an error carries words only for this model';
    if (data === null || data.length > takes.maxBase64Bytes) return `it is larger than the ${Math.floor((takes.maxBase64Bytes * 3) / 4)} bytes that this model takes`;
    if (pixels !== null && pixels > takes.maxPixels) return `it is larger than the ${takes.maxPixels} pixels that this model takes`;
    if (attached.length >= takes.maxMedia) return `no more than ${takes.maxMedia} go along with one result`;
    return data.length > left ? 'this conversation carries no more pictures' : null;
  };
  const words = media.map((one, i): MediumWord => {
    const why = whyNot(one);
    const { mediaType, data } = one;
    if (why !== null || mediaType === null || data === null) return { medium: i + 1, mediaType: mediaType ?? 'unknown', attached: false, why: why ?? 'it cannot be carried' };
    attached.push({ mediaType, data });
    left -= data.length;
    return { medium: i + 1, mediaType, attached: true };
  });
  let without = 0;
  const listed = words.filter((word) => word.attached || ++without <= MOST_WORDS);
  return { words: listed, untold: words.length - listed.length, attached };
};
