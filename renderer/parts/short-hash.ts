const groups = (value: string): string => value.match(/.{1,4}/g)?.join(' ') ?? value;

/** How a hash or long id is shortened, wherever one is: its first eight and last four characters; the name of the algorithm stays whole. */
export const shortHash = (value: string): string => {
  const [, algorithm = '', digits = ''] = /^(?:(sha\d+)-)?(.*)$/s.exec(value) ?? [];
  return value.length <= 16 ? value : `${algorithm === '' ? '' : `${algorithm} `}${groups(digits.slice(0, 8))} … ${digits.slice(-4)}`;
};
