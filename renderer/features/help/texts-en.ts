import { textsFrom } from './texts-from.ts';

export const texts = textsFrom(import.meta.glob<string>('../../../docs/guide/en/*.md', { eager: true, query: '?raw', import: 'default' }));
