import { parseRoute, type Route } from '../routes.ts';

/** Pages one comes back to. Not those that show a text from outside, begin something, or open the dialog of an approval or a question. */
const KEPT: ReadonlySet<Route['page']> = new Set(['market', 'servers', 'server', 'configure', 'capabilities', 'capability', 'agent', 'planner', 'approvals', 'questions', 'runs', 'run', 'settings', 'guide']);
const LONGEST = 4_000;

/** The place of an address as it is kept for the next start, without what narrows a list (each list keeps that); null for one that is not kept. */
export const keptPlace = (hash: string): string | null => {
  const place = hash.split('?', 1)[0]!;
  if (place === '' || place.length > LONGEST) return null;
  const route = parseRoute(place);
  return KEPT.has(route.page) && !(route.page === 'approvals' && route.approvalId !== null) && !(route.page === 'questions' && route.questionId !== null) ? place : null;
};
