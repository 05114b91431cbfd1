import { events, type EventName } from './events.ts';

export const eventNames = Object.keys(events) as EventName[];
