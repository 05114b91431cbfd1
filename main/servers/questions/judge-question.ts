import { isObject } from '../../../shared/is-object.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { isLoopbackHost } from '../../network/proxy-route.ts';
import { formFields } from './form-schema.ts';
import type { AskedContent } from './question-port.ts';
import { refusal, type Refusal } from './refusal.ts';
import { samplingRequest } from './sampling-request.ts';

const LONGEST_MESSAGE = 8_000;
const LONGEST_URL = 8_000;
const LONGEST_ID = 500;

const words = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value.slice(0, LONGEST_MESSAGE).toWellFormed() : null);

/** An address that a person may be asked to open: https, or of this computer where the server runs on it, too (`loopback`); written out as a browser would go to it, so that what is shown is where it leads. */
const judgeUrl = (params: Readonly<Record<string, unknown>>, loopback: boolean): Result<AskedContent, Refusal> => {
  const message = words(params['message']);
  const { url, elicitationId } = params;
  if (message === null) return err(refusal('bad_params', 'It asks to open a page and does not say why.'));
  if (typeof url !== 'string' || url.length > LONGEST_URL || !URL.canParse(url)) return err(refusal('bad_url', 'It asks to open what is no address.'));
  const target = new URL(url);
  const isWeb = target.protocol === 'https:' || (target.protocol === 'http:' && loopback && isLoopbackHost(target.hostname));
  if (!isWeb) return err(refusal('bad_url', `It asks to open an address of the kind ${target.protocol.slice(0, 40)} Only https is opened.`));
  if (target.username !== '' || target.password !== '') return err(refusal('bad_url', 'It asks to open an address that holds a name or password.'));
  return ok({ kind: 'url', message, url: { url: target.href, host: target.host, elicitationId: typeof elicitationId === 'string' ? elicitationId.slice(0, LONGEST_ID).toWellFormed() : null, thenContinue: false } });
};

const judgeForm = (params: Readonly<Record<string, unknown>>): Result<AskedContent, Refusal> => {
  const message = words(params['message']);
  if (message === null) return err(refusal('bad_params', 'It asks to fill in a form and does not say why.'));
  const fields = formFields(params['requestedSchema']);
  return fields.ok ? ok({ kind: 'form', message, form: { requestedSchema: params['requestedSchema'] as Record<string, unknown>, fields: fields.value } }) : fields;
};

/** What a server asks of a person, by the method and parameters of its request. */
export const judgeQuestion = (method: 'elicitation/create' | 'sampling/createMessage', params: unknown, loopback: boolean): Result<AskedContent, Refusal> => {
  if (!isObject(params)) return err(refusal('bad_params', 'It asks without saying what.'));
  if (method === 'sampling/createMessage') {
    const asked = samplingRequest(params);
    return asked.ok ? ok({ kind: 'sampling', message: '', sampling: asked.value }) : asked;
  }
  const mode = params['mode'] ?? 'form';
  if (mode === 'form') return judgeForm(params);
  return mode === 'url' ? judgeUrl(params, loopback) : err(refusal('bad_params', `It asks in a way that is not known (${JSON.stringify(mode).slice(0, 60)}).`));
};
