import type { Choosable } from '../../main/agent/selection/tool-selector.ts';

const VERBS = ['list', 'create', 'delete', 'export'] as const;
const THINGS = [
  ['invoice', 'customers', 'bills with due date and currency'], ['meeting', 'the calendar', 'appointments with guests and rooms'], ['ticket', 'the help desk', 'complaints with priority and owner'],
  ['picture', 'the album', 'photographs with size and camera'], ['song', 'the library', 'music with artist and length'], ['route', 'the map', 'roads with distance and duration'],
  ['recipe', 'the cookbook', 'dishes with ingredients and oven heat'], ['sensor', 'the greenhouse', 'temperature with humidity and battery'], ['branch', 'the repository', 'commits with author and checks'],
  ['booking', 'the hotel', 'nights with guests and breakfast'], ['shipment', 'the warehouse', 'parcels with weight and carrier'], ['patient', 'the clinic', 'visits with doctor and diagnosis'],
  ['lecture', 'the university', 'courses with teacher and credits'], ['contract', 'the archive', 'agreements with parties and signatures'], ['engine', 'the test bench', 'motors with torque and fuel'],
] as const;

/** 60 tools of 15 servers, described in two sentences; the second names the thing by its own word for every other tool only, so that words find about half by it. */
export const madeTools = (): Choosable[] =>
  THINGS.flatMap(([thing, place, facts], at) =>
    VERBS.map((verb, i) => {
      const id = `mcp:${thing}s:tool:${verb}_${thing}`;
      const rest = (at + i) % 2 === 0 ? `To ${verb} a ${thing}, give its number and the reason for case ${at * 4 + i}.` : `What comes back are ${facts}, ordered as step ${at * 4 + i} wants it.`;
      return { id, serverId: `${thing}s`, serverTitle: `${thing} service`, definitionFingerprint: `of ${id}`, definition: { name: `${verb}_${thing}`, description: `This will ${verb} one ${thing} or several of ${place}. ${rest}`, inputSchema: { type: 'object', properties: { [`${thing}_id`]: { type: 'string' } } } } };
    }),
  );
