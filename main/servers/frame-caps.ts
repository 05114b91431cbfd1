/**
 * The sizes of one message, in bytes (docs/decisions.md). Both budgets of design section 5 fit into one frame: 16 MiB of text and structured data beside
 * 20 MiB of binary data in base64, and what JSON puts around them.
 */
export const FRAME_CAP_BYTES = 16 * 1024 * 1024 + Math.ceil((20 * 1024 * 1024 * 4) / 3) + 1024 * 1024;

/**
 * Bytes of one message outside its texts. A heap that runs full inside a parser ends the whole process, in whatever thread: what is parsed is bounded before.
 * The budget for text and structured data is the same, so that nothing is refused here that would be stored.
 */
export const STRUCTURE_CAP_BYTES = 16 * 1024 * 1024;

/** A message over the cap that begins as one is read past without being kept, up to this; its call ends as too_large and the connection stays. */
export const PASSED_CAP_BYTES = 256 * 1024 * 1024;

/** A line that begins as no message is not waited for so long (F05). */
export const JUNK_CAP_BYTES = 16 * 1024 * 1024;

/** What is kept of the beginning and of the end of a message that is read past: where servers write its id. */
export const KEPT_END_BYTES = 128;
