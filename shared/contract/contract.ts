import type { z } from 'zod';
import { agentRequests } from './agent.ts';
import { appRequests } from './app.ts';
import { callsRequests } from './calls.ts';
import { capabilitiesRequests } from './capabilities.ts';
import { backupRequests } from './backup.ts';
import { choicesRequests } from './choices.ts';
import { dataRequests } from './data.ts';
import { embeddingsRequests } from './embeddings.ts';
import { historyRequests } from './history.ts';
import { importRequests } from './import.ts';
import { marketRequests } from './market.ts';
import { networkRequests } from './network.ts';
import { plannerRequests } from './planner.ts';
import { questionsRequests } from './questions.ts';
import { resourcesRequests } from './resources.ts';
import { runsRequests } from './runs.ts';
import { searchRequests } from './search.ts';
import { serversRequests } from './servers.ts';
import { shellRequests } from './shell.ts';
import { windowRequests } from './window.ts';

/** The one contract: preload, bridge, IPC, WebSocket and command derive from this map. */
export const contract = { ...marketRequests, ...serversRequests, ...capabilitiesRequests, ...resourcesRequests, ...callsRequests, ...questionsRequests, ...runsRequests, ...plannerRequests, ...searchRequests, ...importRequests, ...appRequests, ...agentRequests, ...choicesRequests, ...embeddingsRequests, ...shellRequests, ...dataRequests, ...historyRequests, ...networkRequests, ...windowRequests, ...backupRequests } as const;

export type Contract = typeof contract;
export type RequestName = keyof Contract;
export type InputOf<N extends RequestName> = z.input<Contract[N]['input']>;
export type ParsedInputOf<N extends RequestName> = z.output<Contract[N]['input']>;
export type OutputOf<N extends RequestName> = z.output<Contract[N]['output']>;
export const requestNames = Object.keys(contract) as RequestName[];
