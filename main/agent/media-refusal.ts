import type { Fault } from '../../shared/fault.ts';

const ABOUT_MEDIA = /image|picture|media|document|pdf|base64|file|too large|payload/i;

/** Whether a provider's refusal may be about the pictures and files of a request: by its status, and its words where those are about what was sent. */
export const refusesMedia = ({ details }: Fault): boolean => {
  const status = details?.['status'];
  return status === 413 || ((status === 400 || status === 422) && ABOUT_MEDIA.test(String(details?.['providerSays'] ?? '')));
};
