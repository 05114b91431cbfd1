import { ok } from '../../shared/result.ts';
import type { LearnedChoices } from '../agent/learned-choices.ts';
import type { HandlersOf } from './handlers.ts';

export const choicesRequests = (choices: Pick<LearnedChoices, 'counts' | 'clear'>): HandlersOf<'choices'> => ({
  'choices:get': () => ok(choices.counts()),
  'choices:clear': () => {
    choices.clear();
    return ok({});
  },
});
