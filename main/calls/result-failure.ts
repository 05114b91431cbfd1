import { isObject } from '../../shared/is-object.ts';
import { onlyText, smallJson } from './result-signs.ts';
import type { Block } from './result-shape.ts';

/** A failure word that heads a report, in the languages that servers are written in: followed by a colon, a status or nothing at all. */
const HEADS = [
  '(?:[A-Z][A-Za-z]*)?(?:Error|Exception)', 'error', 'fatal(?: error)?', 'exception', 'failed', 'failure', 'panic', 'access denied', 'permission denied', 'unauthori[sz]ed', 'forbidden',
  'Fehler', 'Fehlgeschlagen', 'Zugriff verweigert', 'Erreur', 'Échec', 'Accès refusé', 'Fallo', 'Acceso denegado', 'Erro', 'Falha', 'Acesso negado', 'Errore', 'Fout', 'Błąd', 'Hata',
  'Ошибка', 'Сбой', 'Помилка', 'エラー', '失敗', '오류', '에러', '실패', 'خطأ', 'त्रुटि', 'Lỗi',
  '错误', '錯誤', '失败', '异常', '異常', '出错了?', '(?:请求|操作|执行|调用|查询|连接|读取|写入|登录|认证|保存|创建|更新|删除|下载|上传)(?:失败|失敗|错误|异常|超时)', '权限不足', '没有权限', '拒绝访问', '未授权',
];
const MARK = '(?:[❌⚠🚫✖✗⛔🔴❗\\ufe0f*#\\[\\]>\\s]{0,8})';
const CODE = '(?:\\d{1,6}|0x[0-9a-f]+|\\w+_\\w+|\\([\\w.-]{1,60}\\)|\\[[\\w.-]{1,60}\\])';
const NOTHING = '(?!\\s*\\d+\\s*(?:of|out of|/)\\s*\\d)(?!\\s*(?:0|none|null|nil|no|n/a|无|無|没有|沒有|なし|없음|keine?|aucune?|ninguno)\\s*(?:[.,;。，]|\n|$))';
const HEADED = new RegExp(`^${MARK}(?!terror)(?:${HEADS.join('|')})(?![\\p{L}\\p{N}_])(?:\\](?=\\s)|[\\]*]{0,3}\\s*(?:${CODE}\\s*)?(?:(?:[:：!！]|[\\-–—](?=\\s))${NOTHING}|[.。]?$))`, 'iu');

/** Sentences that say nothing but that it failed. */
const SAID = [
  /^(?:an? |internal server |unexpected |unknown )?error (?:has )?occurred\b/i, /^traceback \(most recent call last\)/i, /^HTTP(?:\/[\d.]+)? (?:error )?[45]\d\d\b(?!\s+(?:is|are|means?|was|codes?)\b)/i, /^(?:4\d\d|5\d\d) (?:bad request|unauthorized|forbidden|not found|method not allowed|conflict|too many requests|internal server error|bad gateway|service unavailable|gateway timeout)\b/i,
  /^(?:failed|unable|could not|couldn't|cannot|can't) (?:to )?(?:connect|fetch|load|open|read|write|get|retrieve|execute|run|create|update|delete|parse|authenticate|resolve|reach|process|access|send|save|start)\b/i,
  /^(?:request|connection|operation|query|command|call|tool|execution|authentication|login|upload|download) (?:has )?(?:failed|timed out|was refused|was denied|was rejected)\b/i,
  /^(?:rate limit exceeded|too many requests|quota exceeded|invalid api key|api key (?:is )?(?:missing|invalid|not set)|not authenticated)\b/i,
  /^(?:(?:connect|read|write|getaddrinfo|spawn|open) )?E(?:CONN(?:REFUSED|RESET|ABORTED)|TIMEDOUT|NOTFOUND|HOSTUNREACH|NOENT|ACCES|PERM)\b(?!\s+(?:is|are|means?)\b)/, /^(?:(?:the )?(?:request|operation|connection) )?timed out(?: after \d+ ?(?:ms|s|sec|seconds|minutes?))?[.!]?$/i, /^[❌⚠⛔🔴\ufe0f\s]*(?:oops[!,.]* )?something went wrong\b/iu,
  /^(?:请求|操作|执行|调用|查询)未成功/, /^(?:无法|未能)(?:连接|访问|获取|读取|打开|执行|创建|更新|删除|解析)/, /^(?:接続|取得|読み込み|認証)に失敗/, /^(?:impossible|impossibile|no se pudo|não foi possível|konnte nicht|не удалось)(?![\p{L}])/iu,
];

const LONGEST_REPORT = 2_048;
/** Of a traceback there may be more. */
const LINES_OF_A_REPORT = 12;
const LOG_LINE = /^\s*(?:\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|\[?(?:info|warn(?:ing)?|debug|trace|error|fatal)\]?\b)/i;

/** A list of such lines is a log or a table that was asked for; one report is a failure. */
const isLog = (text: string): boolean => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 2 && lines.filter((line) => LOG_LINE.test(line) || HEADED.test(line.trim())).length >= lines.length / 2;
};

/** Whether a text as a whole is one short report of a failure. */
export const textReadsAsError = (text: string): boolean => {
  const said = text.trim();
  if (said === '' || said.length > LONGEST_REPORT) return false;
  const isTrace = /^traceback/i.test(said);
  if (isLog(said) || (!isTrace && said.split('\n').length > LINES_OF_A_REPORT)) return false;
  return HEADED.test(said) || SAID.some((pattern) => pattern.test(said));
};

/** Members that an answer which only reports a failure is made of (RFC 9457, JSON:API, GraphQL, what REST servers add). */
const ERROR_MEMBERS = new Set([
  'error', 'errors', 'message', 'msg', 'code', 'status', 'statuscode', 'status_code', 'success', 'ok', 'detail', 'details', 'type', 'title', 'instance', 'reason', 'requestid', 'request_id', 'traceid', 'trace_id',
  'timestamp', 'path', 'errorcode', 'error_code', 'errcode', 'errmsg', 'errormessage', 'error_message', 'error_description', 'documentation_url', 'hint', 'traceback', 'stack', 'name', 'retryable', 'retry_after', 'iserror', 'is_error',
]);
/** Members that would hold the data, and hold none. */
const NO_DATA = new Set(['data', 'result', 'results', 'output', 'content', 'value']);
const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const httpFailure = (value: unknown): boolean => /^[45]\d\d$/.test(String(value));
const FAILED_STATUS = new Set(['error', 'failed', 'failure', 'fail']);

const objectReadsAsError = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const entries = Object.entries(value).map(([name, member]) => [name.toLowerCase(), member] as const);
  if (entries.length === 0 || entries.some(([name, member]) => !ERROR_MEMBERS.has(name) && !(NO_DATA.has(name) && isNothing(member)))) return false;
  const get = (...names: readonly string[]): unknown => entries.find(([name, member]) => names.includes(name) && !isNothing(member))?.[1];
  const error = get('error', 'errors', 'error_message', 'errormessage', 'errmsg', 'error_description', 'traceback');
  const said = typeof error === 'string' ? !/^(?:ok|none|null|no error|success)$/i.test(error.trim()) : Array.isArray(error) || error === true || isObject(error);
  if (said) return true;
  if (get('iserror', 'is_error') === true || entries.some(([name, member]) => (name === 'success' || name === 'ok') && member === false)) return true;
  const status = get('status');
  const words = get('message', 'msg', 'detail', 'details', 'reason', 'hint');
  // a build, a job or a ticket that is asked about and failed: its name is said, and no reason
  const isRecord = words === undefined && get('name', 'title', 'type', 'path') !== undefined;
  if (typeof status === 'string' && FAILED_STATUS.has(status.toLowerCase()) && !isRecord) return true;
  return [status, get('statuscode', 'status_code', 'code')].some(httpFailure) && typeof (words ?? get('title')) === 'string';
};

/** Frameworks that wrap whatever a function returns put a text under this one name. */
const wrappedText = (value: unknown): string | null => (isObject(value) && Object.keys(value).length === 1 && typeof value['result'] === 'string' ? value['result'] : null);

const valueReadsAsError = (value: unknown): boolean => objectReadsAsError(value) || (isObject(value) && Object.keys(value).length === 1 && objectReadsAsError(value['result']));

/** isError is false but the content reads as a failure. Conservative: the whole result has to be one short failure report. */
export const readsAsError = (content: readonly Block[], structured: { readonly value: unknown } | null): boolean => {
  if (structured) {
    const text = wrappedText(structured.value);
    return text === null ? valueReadsAsError(structured.value) : textReadsAsError(text);
  }
  const text = onlyText(content);
  if (text === null || text === '') return false;
  const value = smallJson(text);
  if (value === undefined) return textReadsAsError(text);
  const wrapped = wrappedText(value);
  return wrapped === null ? valueReadsAsError(value) : textReadsAsError(wrapped);
};
