import { isObject } from '../../../shared/is-object.ts';
import type { QuestionVoidReason } from '../../../shared/question.ts';
import { err, type Result } from '../../../shared/result.ts';
import { AskPace, ASK_LIMITS } from './ask-pace.ts';
import { declared, type Asking } from './asking.ts';
import { Flight } from './flight.ts';
import { judgeQuestion } from './judge-question.ts';
import type { AskedContent, AskedOf, CallMark, Decision, QuestionNote } from './question-port.ts';
import { refusal, type Refusal } from './refusal.ts';
import { REJECTED, wireAnswer } from './wire-answer.ts';
import type { CallClock } from './call-clock.ts';

type Message = Readonly<Record<string, unknown>>;
type Reply = { readonly result: Message } | { readonly error: { readonly code: number; readonly message: string } };

const TOO_MANY = refusal('too_many', 'It asks more often than Gantry passes on.');
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const notFound = (method: string): Reply => ({ error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method.slice(0, 200)}` } });

/** What one session's server asks of us, in both eras, without the SDK's handlers: odd parameters never make a ping fail (C023), no question hangs (C032), and nothing is asked that was not offered (F16). */
export class SessionQuestions {
  era: 'legacy' | 'modern' | null = null;
  readonly offered: ReturnType<typeof declared>;
  readonly #asking: Asking;
  readonly #reply: (message: Message) => void;
  readonly #pace = new AskPace();
  readonly #flights = new Set<Flight>();
  /** questions that wait, by the id of their request */
  readonly #open = new Map<string | number, AbortController>();
  #rootsLogged = '';

  constructor(asking: Asking, reply: (message: Message) => void) {
    this.#asking = asking;
    this.#reply = reply;
    this.offered = declared(asking);
  }

  begin(mark: CallMark | null, clock: CallClock): Flight {
    const flight = new Flight(mark, clock);
    this.#flights.add(flight);
    return flight;
  }

  end(flight: Flight, reason: QuestionVoidReason): void {
    if (flight.tooMany > 1) this.note(this.#of(flight, 1), { type: 'question.refused', data: { ...TOO_MANY, times: flight.tooMany } });
    this.#flights.delete(flight);
    flight.end(reason);
  }

  /** The connection is over: what its server asked waits for nobody, also where no request of it is under way (between two rounds). */
  leave(): void {
    for (const flight of this.#flights) flight.end('server_gone');
  }

  /** The call whose request this is; null where it is none's. */
  flightOf(frozen: unknown): Flight | null {
    return (frozen !== null && [...this.#flights].find((flight) => flight.frozen === frozen)) || null;
  }

  /** A request of the server. `from`: the call on whose stream it came; null: on the stream of another request; undefined: on none of its own. */
  take(message: Message, from: Flight | null | undefined): void {
    const id = message['id'] as string | number;
    const method = String(message['method']);
    const answer = (reply: Reply): void => this.#reply({ jsonrpc: '2.0', id, ...reply });
    if (this.era === 'modern') return answer(notFound(method));
    if (method === 'ping') return answer({ result: {} });
    const flight = from === undefined ? this.#only() : from;
    if (method === 'roots/list') return answer({ result: this.#roots(flight === 'unclear' ? null : flight) });
    if ((method !== 'elicitation/create' && method !== 'sampling/createMessage') || !this.#offers(method)) return answer(notFound(method));
    const isSampling = method === 'sampling/createMessage';
    const notAsked = (): Reply => (isSampling ? { error: REJECTED } : { result: { action: 'cancel' } });
    if (flight === null) {
      this.#asking.log('The server asked something while no call of it was under way; nobody was asked.');
      return answer(notAsked());
    }
    const of = this.#of(flight, 1);
    const judged = this.judge(method, message['params'], of, flight === 'unclear' ? [...this.#flights] : [flight]);
    if (!judged.ok) {
      if (judged.error.code === 'too_many') return answer(notAsked());
      if (isSampling || judged.error.code === 'bad_params') return answer({ error: { code: INVALID_PARAMS, message: judged.error.message } });
      return answer({ result: { action: 'decline' } });
    }
    const taken = new AbortController();
    this.#open.set(id, taken);
    void this.ask(judged.value, of, flight === 'unclear' ? [...this.#flights] : [flight], taken.signal).then((decision) => {
      if (this.#open.get(id) === taken) this.#open.delete(id);
      // nobody waits for an answer to what was withdrawn
      if (taken.signal.aborted) return;
      const result = wireAnswer(judged.value, decision);
      answer(result === null ? { error: REJECTED } : { result });
    });
  }

  /** The server takes its question back (notifications/cancelled); false where none of that id waits. */
  withdrawn(id: unknown): boolean {
    const open = typeof id === 'string' || typeof id === 'number' ? this.#open.get(id) : undefined;
    open?.abort();
    return open !== undefined;
  }

  completed(params: unknown): void {
    const id = isObject(params) ? params['elicitationId'] : undefined;
    if (typeof id === 'string') this.#asking.port?.completed(this.#asking.serverId, id);
  }

  /** What may be asked, judged and counted; a refusal is on record. */
  judge(method: 'elicitation/create' | 'sampling/createMessage', params: unknown, of: AskedOf, flights: readonly Flight[]): Result<AskedContent, Refusal> {
    const tooMany = flights.some((flight) => flight.asked >= ASK_LIMITS.perCall) || !this.#pace.take();
    if (tooMany) return err(this.#tooMany(of, flights));
    const judged = judgeQuestion(method, params, this.#asking.isLocal);
    if (judged.ok) for (const flight of flights) flight.asked += 1;
    else this.refused(of, judged.error);
    return judged;
  }

  /** On record once when it begins, and with its number when the call ends: a flood of questions is no flood of evidence. */
  #tooMany(of: AskedOf, flights: readonly Flight[]): Refusal {
    if (flights.some((flight) => flight.tooMany === 0)) this.refused(of, TOO_MANY);
    for (const flight of flights) flight.tooMany += 1;
    return TOO_MANY;
  }

  refused(of: AskedOf, { code, message }: Refusal): void {
    this.#asking.log(`A question of the server was refused (${code}): ${message}`);
    this.note(of, { type: 'question.refused', data: { code, message } });
  }

  /** Asks the person; the time of the calls stands still meanwhile. Never rejects. */
  async ask(content: AskedContent, of: AskedOf, flights: readonly Flight[], taken?: AbortSignal): Promise<Decision> {
    const { port } = this.#asking;
    const over = new AbortController();
    taken?.addEventListener('abort', () => over.abort('withdrawn'), { once: true });
    const stop = (): void => {
      if (flights.every(({ signal }) => signal.aborted)) over.abort(flights[0]?.signal.reason ?? 'server_gone');
    };
    for (const { signal, clock } of flights) {
      signal.addEventListener('abort', stop);
      clock.waits();
    }
    stop();
    try {
      return (await port?.ask({ ...of, content, signal: over.signal })) ?? { action: 'cancel' };
    } catch (error) {
      this.#asking.log(`A question of the server could not be put to its person, and was cancelled: ${String(error)}`);
      return { action: 'cancel' };
    } finally {
      for (const { signal, clock } of flights) {
        signal.removeEventListener('abort', stop);
        clock.goesOn();
      }
    }
  }

  note(of: AskedOf, note: QuestionNote, durable = false): boolean {
    return this.#asking.port?.note(of, note, durable) ?? true;
  }

  of(flight: Flight, round: number): AskedOf {
    return this.#of(flight, round);
  }

  offers(method: string): method is 'elicitation/create' | 'sampling/createMessage' {
    return this.#offers(method);
  }

  /** The folders that the person named; that they were told is on the call's record, once. */
  rootsFor(flight: Flight | null, round = 1): Message {
    return this.#roots(flight, round);
  }

  /** The person named other folders. In the newer era they are told when they are asked for. */
  rootsChanged(): void {
    if (this.era === 'legacy') this.#reply({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
  }

  #offers(method: string): boolean {
    return (method === 'elicitation/create' && 'elicitation' in this.offered) || (method === 'sampling/createMessage' && 'sampling' in this.offered);
  }

  /** Over a connection that says nothing of where a question belongs: to the one call that is under way. */
  #only(): Flight | null | 'unclear' {
    const [first] = this.#flights;
    // a call and the questions about its task are one
    const isOne = [...this.#flights].every(({ mark }) => mark !== null && mark.invocationId === first?.mark?.invocationId);
    return this.#flights.size > 1 && !isOne ? 'unclear' : (first ?? null);
  }

  #of(flight: Flight | 'unclear', round: number): AskedOf {
    const inFlight = [...this.#flights].flatMap(({ mark }) => (mark === null ? [] : [mark]));
    return { serverId: this.#asking.serverId, call: flight === 'unclear' ? null : flight.mark, inFlight, round };
  }

  #roots(flight: Flight | null, round = 1): Message {
    const roots = this.#asking.roots();
    const data = { count: roots.length, roots: roots.map(({ uri }) => uri) };
    if (flight !== null && !flight.rootsTold) {
      flight.rootsTold = true;
      this.note(this.#of(flight, round), { type: 'question.roots', data });
    }
    const told = JSON.stringify(data.roots);
    if (roots.length > 0 && told !== this.#rootsLogged) this.#asking.log(`The server was told the folders it may use: ${data.roots.join(', ')}`);
    this.#rootsLogged = told;
    return { roots: roots.map(({ uri, name }) => ({ uri, name })) };
  }
}
