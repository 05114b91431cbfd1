import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const PATH = '/callback';
/** Answers of others before the waiting ends: whoever sends more tries to guess. */
export const MOST_STRANGERS = 20;
const PAGE_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'content-security-policy': "default-src 'none'", 'x-content-type-options': 'nosniff', connection: 'close' } as const;

const WORDS = {
  done: ['Signed in. You can close this page and go back to Gantry.', '已登录。你可以关闭此页面，回到 Gantry。'],
  failed: ['You are not signed in. Gantry says why; you can close this page.', '未能登录。原因显示在 Gantry 中；你可以关闭此页面。'],
  stranger: ['This answer does not belong to the sign-in that was begun; it was not used. Use the page that Gantry opened.', '此答复不属于已开始的登录，未被使用。请使用 Gantry 打开的页面。'],
  over: ['This sign-in is over. Begin again in Gantry.', '这次登录已结束。请在 Gantry 中重新开始。'],
} as const;

const page = (words: readonly [string, string]): string => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gantry</title><p>${words[0]}</p><p lang="zh">${words[1]}</p>`;

/** The address that a registration has to name; without a port for clients whose login server leaves it open (RFC 8252, 7.3). */
export const redirectAddress = (port: number | null): string => `http://127.0.0.1${port === null ? '' : `:${port}`}${PATH}`;

/** A place for one answer of a login server, on this computer alone. */
export class LoopbackCallback {
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /**
   * Listens on 127.0.0.1, at a random port or the given one. `take` gets the query of the first answer that `belongs` here, whatever else it holds, and says whether it led
   * to a sign-in; the page waits for that, and the place is closed behind it. Any page on this computer can come by: one that does not belong here is refused and
   * counted, and is taken for the answer only after MOST_STRANGERS. Null where the port is taken.
   */
  static async open(port: number | null, take: (query: URLSearchParams) => Promise<boolean>, belongs: (query: URLSearchParams) => boolean = () => true): Promise<LoopbackCallback | null> {
    let used = false;
    let strangers = 0;
    const server = createServer((request, response) => {
      const { port: own } = server.address() as AddressInfo;
      const url = URL.parse(request.url ?? '', redirectAddress(own));
      // a name that leads here would be another origin's page (DNS rebinding)
      if (request.headers.host !== `127.0.0.1:${own}` || url?.pathname !== PATH) return void response.writeHead(404, PAGE_HEADERS).end();
      if (request.method !== 'GET') return void response.writeHead(405, PAGE_HEADERS).end();
      if (used) return void response.writeHead(410, PAGE_HEADERS).end(page(WORDS.over));
      if (!belongs(url.searchParams) && (strangers += 1) <= MOST_STRANGERS) return void response.writeHead(403, PAGE_HEADERS).end(page(WORDS.stranger));
      used = true;
      void take(url.searchParams)
        .catch(() => false)
        .then((done) => {
          response.writeHead(done ? 200 : 400, PAGE_HEADERS).end(page(done ? WORDS.done : WORDS.failed));
          server.close();
        });
    });
    server.headersTimeout = 10_000;
    server.maxConnections = 16;
    const listening = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen({ host: '127.0.0.1', port: port ?? 0, exclusive: true }, () => done(true));
    });
    return listening ? new LoopbackCallback(server) : null;
  }

  /** What was begun is over: nothing is taken any more. A page that is being answered gets its answer. */
  close(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }
}
