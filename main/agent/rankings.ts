import type { Bus } from '../bus.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Outbound } from '../network/outbound.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/database.ts';
import { EmbeddingSlot } from './embeddings/embedding-slot.ts';
import { namedTools, ownIndex } from './embeddings/known-tools.ts';
import { FoundCapabilities } from './find-capabilities.ts';
import { LearnedChoices } from './learned-choices.ts';
import { SelectionPipeline } from './selection/pipeline.ts';
import { ToolSelector } from './selection/tool-selector.ts';

export interface RankingsDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  readonly mask: (text: string) => string;
  readonly quiet: () => Promise<void>;
  readonly registry: CapabilityRegistry;
  /** of the words and weights that ship with Gantry */
  readonly selectionDir: string;
  readonly serverName: (serverId: string) => string;
}

/** All that ranks tools. */
export interface Rankings {
  readonly choices: LearnedChoices;
  readonly embeddings: EmbeddingSlot;
  /** of models */
  readonly pipeline: SelectionPipeline;
  /** of the guided planner: an index each, for this one holds every tool, not only what an agent may use */
  readonly plannerPipeline: SelectionPipeline;
  readonly found: FoundCapabilities;
}

export const createRankings = ({ store, bus, clock, log, secrets, outbound, mask, quiet, registry, selectionDir, serverName }: RankingsDeps): Rankings => {
  const choices = new LearnedChoices({ store, bus, clock, log });
  const embeddings = new EmbeddingSlot({ store, bus, clock, log, secrets, outbound, mask, quiet, tools: () => namedTools(registry, store), rankIn: () => ownIndex(selectionDir) });
  const pipelineOf = (): SelectionPipeline => new SelectionPipeline({ selector: new ToolSelector(selectionDir), choices, semantic: embeddings.match, log });
  const pipeline = pipelineOf();
  return { choices, embeddings, pipeline, plannerPipeline: pipelineOf(), found: new FoundCapabilities({ registry, pipeline, serverName }) };
};
