import { BUILT_IN_AGENT } from '../../shared/principal.ts';
import type { Approval } from '../../shared/approval.ts';
import type { Tier } from '../../shared/tier.ts';
import type { EvidenceEvent } from '../../shared/run.ts';
import { ScriptedModel, type ModelScript } from '../fixtures/model/scripted-model.ts';
import { CasePlay, type Scenario } from './case-play.ts';
import { until } from './census.ts';

export interface Served {
  readonly name: string;
  readonly arguments: unknown;
}

/** A case with an agent: its servers reviewed and allowed, a scripted model, one question; a script approves whatever asks. */
export class AgentPlay extends CasePlay {
  #models: ScriptedModel[] = [];

  override async start(): Promise<void> {
    await super.start({ GANTRY_PASSPHRASE: 'a long passphrase for tests' });
  }

  /** Starts a server of the case, reviews all of its tools and lets the agent use them. */
  async serve(serverId: string, scenario: string | Scenario, server = 'srv', tier: Tier = 'read_only'): Promise<void> {
    await this.add(serverId, scenario, { server });
    await this.ask('servers:connect', { serverId });
    for (const { id, kind, schemaState } of (await this.ask('capabilities:list', { serverId })).capabilities) if (kind === 'tool' && schemaState !== 'excluded') await this.ask('capabilities:review', { capabilityId: id, tier, admit: true });
    await this.ask('access:set', { principal: BUILT_IN_AGENT, serverId, allowed: true });
  }

  async model(script: ModelScript, provider: string, name = 'scripted-1'): Promise<ScriptedModel> {
    const model = new ScriptedModel(script);
    this.#models.push(model);
    await this.ask('models:set', { provider, baseUrl: await model.start(), model: name, key: 'sk-key-of-the-model' });
    return model;
  }

  /** One question to its end; what waits for a person is decided as `decide` says. The run's evidence. */
  async question(prompt = 'one question', decide: (approval: Approval) => 'approve' | 'deny' = () => 'approve'): Promise<{ readonly runId: string; readonly state: string; readonly events: readonly EvidenceEvent[] }> {
    const { runId } = await this.ask('agent:run', { prompt });
    await until('the run ends', async () => {
      for (const approval of (await this.ask('approvals:list', { state: 'pending' })).approvals) await this.ask('approvals:decide', { approvalId: approval.id, decision: decide(approval) });
      return ['completed', 'failed'].includes((await this.ask('runs:get', { runId })).run.state);
    }, 60_000);
    const { run, events } = await this.ask('runs:get', { runId });
    return { runId, state: run.state, events };
  }

  /** Calls as the server received them. */
  served(serverId: string): Served[] {
    return this.records(serverId).flatMap((event) => {
      const msg = event.msg as { method?: string; params?: { name: string; arguments: unknown } } | undefined;
      return msg?.method === 'tools/call' ? [{ name: msg.params!.name, arguments: msg.params!.arguments }] : [];
    });
  }

  override async end(): Promise<void> {
    await Promise.all(this.#models.map((model) => model.close()));
    await super.end();
  }
}

/** What a case's rules are called as a provider, when a person sets up a model. */
export const PROVIDER_OF: Readonly<Record<string, string>> = { 'anthropic-basic': 'anthropic', 'openai-basic': 'openai', 'openai-responses-basic': 'openai-responses', 'openai-strict-if-set': 'openai', 'gemini-subset': 'gemini', moonshot: 'moonshot' };
