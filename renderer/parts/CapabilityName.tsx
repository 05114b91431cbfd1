import type { ReactElement } from 'react';
import { href } from '../routes.ts';
import { hasPage } from './has-page.ts';
import { UntrustedText } from './UntrustedText.tsx';

/** A capability by its id, leading to its page where it has one. */
export const CapabilityName = ({ id, maxLength }: { readonly id: string; readonly maxLength?: number }): ReactElement => {
  const name = <UntrustedText text={id} {...(maxLength === undefined ? {} : { maxLength })} />;
  return hasPage(id) ? <a href={href.capability(id)}>{name}</a> : name;
};
