// Plain JavaScript without packages: part of the set-up.
import { spawn } from 'node:child_process';

const KEPT_CHARS = 64 * 1024;

/**
 * Runs a program; what it says is kept (its last 64 Ki characters) and, unless `quiet`, shown on stderr. Never rejects: a program that
 * could not be started has code null and says why.
 * @param {string} command @param {readonly string[]} args
 * @param {{root: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, quiet?: boolean}} options
 * @returns {Promise<{code: number | null, signal: string | null, said: string}>}
 */
export const runProgram = (command, args, { root, env = process.env, timeoutMs, quiet = false }) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], ...(timeoutMs ? { timeout: timeoutMs, killSignal: 'SIGKILL' } : {}) });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (/** @type {Buffer} */ piece) => {
        said = (said + piece.toString('utf8')).slice(-KEPT_CHARS);
        if (!quiet) process.stderr.write(piece);
      });
    }
    const stop = () => child.kill('SIGTERM');
    process.once('SIGTERM', stop);
    child.once('error', (error) => resolve({ code: null, signal: null, said: `${said}${error.message}` }));
    child.once('close', (code, signal) => {
      process.off('SIGTERM', stop);
      resolve({ code, signal, said });
    });
  });

const NETWORK = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENETDOWN|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|UND_ERR_CONNECT_TIMEOUT|CERT_HAS_EXPIRED|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)\b/;

/** The system's word for a network that is not there, in what a program said; null when it failed by something else. @param {string} said @returns {string | null} */
export const networkCause = (said) => NETWORK.exec(said)?.[1] ?? null;
