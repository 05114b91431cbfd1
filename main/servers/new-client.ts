import { Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';

export const sdk = { SdkError, SdkErrorCode } as const;

export const newClient = (mode: 'legacy' | 'auto', probeTimeoutMs: number, version: string, capabilities: Readonly<Record<string, object>>): Client =>
  new Client({ name: 'gantry', title: 'Gantry', version }, { capabilities: { ...capabilities }, versionNegotiation: { mode, probe: { timeoutMs: probeTimeoutMs } } });
