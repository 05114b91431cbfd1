import { Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';

export const sdk = { SdkError, SdkErrorCode } as const;

export const newClient = (mode: 'legacy' | 'auto', probeTimeoutMs: number, version: string): Client =>
  new Client({ name: 'gantry', title: 'Gantry', version }, { capabilities: { roots: {} }, versionNegotiation: { mode, probe: { timeoutMs: probeTimeoutMs } } });
