export interface StartOptions {
  readonly dataDir: string | undefined;
  readonly port: number;
  readonly language: 'en' | 'zh' | 'system' | undefined;
  readonly approvals: 'window' | 'script';
  readonly open: boolean;
  readonly shell: 'auto' | 'electron' | 'loopback';
  readonly help: boolean;
}
export type ParsedStart = { readonly ok: true; readonly options: StartOptions } | { readonly ok: false; readonly message: string };
export const START_HELP: string;
export const parseStartOptions: (argv: readonly string[], env: Readonly<Record<string, string | undefined>>) => ParsedStart;
