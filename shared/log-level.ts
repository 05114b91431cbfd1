/** Severities of a server's log (RFC 5424), least first; a server told one of them sends that and what is more severe. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** As it is set for a server: `default` asks for nothing and takes what the server sends by itself. */
export const SERVER_LOG_LEVELS = ['default', ...LOG_LEVELS] as const;
export type ServerLogLevel = (typeof SERVER_LOG_LEVELS)[number];
