import type { Attachment } from '../../../shared/attachment.ts';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';

/** As the contract lets it through, in bytes before base64. */
const MOST_BYTES = 10_000_000;
const STEP = 0x8000;

/** A file of the person's choice, whole. Errors: too_large, file_unreadable. */
export const readAttachment = async (file: File): Promise<Result<Extract<Attachment, { readonly kind: 'file' }> & { readonly sizeBytes: number }, Fault>> => {
  if (file.size > MOST_BYTES) return err(fault('too_large', `${file.name} has ${file.size} bytes; a file may have ${MOST_BYTES}.`, { details: { sizeBytes: file.size, limitBytes: MOST_BYTES } }));
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let binary = '';
    for (let at = 0; at < bytes.length; at += STEP) binary += String.fromCharCode(...bytes.subarray(at, at + STEP));
    return ok({ kind: 'file', name: file.name.slice(0, 300).toWellFormed() || 'file', mediaType: file.type.slice(0, 200) || 'application/octet-stream', base64: btoa(binary), sizeBytes: file.size });
  } catch (error) {
    return err(fault('file_unreadable', `${file.name} could not be read: ${String(error).slice(0, 200)}`));
  }
};
