import { pino } from 'pino';

export interface Log {
  debug(message: string, data?: object): void;
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
  error(message: string, data?: object): void;
}

/**
 * Lines of JSON to a file or stream. `mask` removes known secret values from the finished line, so that no field can carry one (A25).
 */
export const createLog = (options: { readonly destination: { write(line: string): void }; readonly mask: (text: string) => string; readonly level?: string }): Log => {
  const logger = pino({ level: options.level ?? 'info', base: null }, { write: (line: string) => options.destination.write(options.mask(line)) });
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, data?: object) => logger[level](data ?? {}, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
};

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
