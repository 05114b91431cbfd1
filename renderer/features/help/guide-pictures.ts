/** Addresses of the guide's pictures in the built window, by `<language>/images/<name>`. */
const FILES = import.meta.glob<string>('../../../docs/guide/*/images/*.webp', { eager: true, query: '?url', import: 'default' });

const BY_PLACE = new Map(Object.entries(FILES).map(([path, url]) => [path.split('/').slice(-3).join('/'), url]));

/** The picture that a page in `language` names by `source` (`images/name.webp`); undefined where there is none. */
export const pictureAt = (language: string, source: string): string | undefined => BY_PLACE.get(`${language}/${source.replace(/^\.\//, '')}`);
