import type { Bridge } from '../../shared/contract/bridge.ts';
import type { Place } from '../../shared/shell.ts';
import { href } from '../routes.ts';

const addressOf = (place: Place): string => {
  switch (place.kind) {
    case 'approval':
      return href.approval(place.approvalId);
    case 'approvals':
      return href.approvals();
    case 'question':
      return href.question(place.questionId);
    case 'questions':
      return href.questions();
    case 'servers':
      return href.servers();
    case 'settings':
      return href.settings();
    case 'link':
      return href.link(place.text);
  }
};

/** Goes where the window is asked to go from outside it (tray, notification, link): what was asked before it opened, and what is asked while it is open. */
export const followPlaces = (bridge: Bridge): (() => void) => {
  const take = async (): Promise<void> => {
    const taken = await bridge.request('shell:takePlace', {});
    if (taken.ok && taken.value.place !== null) location.hash = addressOf(taken.value.place);
  };
  void take();
  return bridge.on('shell:place', () => void take());
};
