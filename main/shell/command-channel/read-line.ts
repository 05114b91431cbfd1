import type { Socket } from 'node:net';

/** The first line of a socket as UTF-8, without its newline; null where the socket ends or the line exceeds `maxBytes` before one comes. */
export const readLine = (socket: Socket, maxBytes: number): Promise<string | null> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (line: string | null): void => {
      socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd);
      resolve(line);
    };
    const onData = (chunk: Buffer): void => {
      const end = chunk.indexOf(0x0a);
      chunks.push(end === -1 ? chunk : chunk.subarray(0, end));
      size += chunk.length;
      if (end !== -1) finish(Buffer.concat(chunks).toString('utf8'));
      else if (size > maxBytes) finish(null);
    };
    const onEnd = (): void => finish(null);
    socket.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd);
  });
