import { ROUTES, TEXT_ONLY } from './profiles.ts';
import type { RouteProfile } from './route-profile.ts';
import { protocolOf } from './route-of.ts';
import type { RouteId } from '../../../shared/rendering.ts';

/** What tool results may carry for a model: its route's, where the protocol that is spoken carries it; a model behind another protocol gets what this one carries. `refusesPictures`: as it was heard to say. */
export const takenResults = ({ provider, routeId }: { readonly provider: string; readonly routeId: RouteId }, refusesPictures = false): RouteProfile['toolResults'] => {
  if (refusesPictures) return TEXT_ONLY;
  const protocol = protocolOf(provider);
  return protocol === 'anthropic-messages' ? ROUTES[routeId].toolResults : ROUTES[protocol].toolResults;
};
