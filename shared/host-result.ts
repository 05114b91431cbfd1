/** The one argument that is for the host and not for the tool (design section 3). */
export const HOST_RESULT = '__hostResult';

/** How much of an answer a caller wants; none of it reaches the server or the frozen input. */
export interface HostResult {
  /** JSON Pointer (RFC 6901) into the structured content: only that part is given */
  readonly select?: string;
  /** not what was answered before, where an earlier answer would be given again */
  readonly refresh?: boolean;
  /** UTF-8 bytes of text at most; narrows the context's own budget, never widens it */
  readonly byteBudget?: number;
}
