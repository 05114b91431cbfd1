import { parentPort } from 'node:worker_threads';

/** A worker that ends in the middle of its first question. */
parentPort!.on('message', () => process.exit(3));
