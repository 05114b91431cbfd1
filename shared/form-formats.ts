const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?([zZ]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
const LOCAL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

const isDate = (text: string): boolean => {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.getUTCMonth() + 1 === Number(month) && at.getUTCDate() === Number(day);
};

const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  return at > 0 && text.length <= 320 && LOCAL.test(text.slice(0, at)) && text.slice(at + 1).split('.').every((label) => LABEL.test(label));
};

/** The four formats that a form may ask for: email, and those of RFC 3339 and RFC 3986. */
export const fitsFormat = (format: 'email' | 'uri' | 'date' | 'date-time', text: string): boolean => {
  if (format === 'email') return isEmail(text);
  if (format === 'uri') return /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(text) && URL.canParse(text);
  if (format === 'date') return isDate(text);
  const at = text.search(/[tT]/);
  return at > 0 && isDate(text.slice(0, at)) && TIME.test(text.slice(at + 1));
};
