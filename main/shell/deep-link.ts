import { MAX_LINK_LENGTH, type Place } from '../../shared/shell.ts';

export const LINK_SCHEME = 'gantry';
const IS_LINK = new RegExp(`^\\s*${LINK_SCHEME}:`, 'i');

/** The link among the arguments that the system started Gantry with: the first that begins with its scheme. Nothing else of them is looked at. */
export const linkIn = (argv: readonly string[]): string | null => argv.find((argument) => IS_LINK.test(argument)) ?? null;

/** A link is a place that shows it, whole; one that is too long is told by its length. Nothing in it is acted on. */
export const placeOfLink = (link: string): Place => ({ kind: 'link', text: link.length <= MAX_LINK_LENGTH ? link.toWellFormed() : null, length: link.length });

/**
 * Gantry's own start options: what stands after `--`, and nothing where a link is among the arguments. Whoever writes a link may try to bring
 * arguments with it (a quotation mark in a handler's command line), and `--approvals=script` is one.
 */
export const ownOptions = (argv: readonly string[]): readonly string[] => {
  const at = argv.indexOf('--');
  return at < 0 || linkIn(argv) !== null ? [] : argv.slice(at + 1);
};
