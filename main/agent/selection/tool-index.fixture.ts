import { fileURLToPath } from 'node:url';
import { readSelectionWords } from './assets.ts';
import type { ToolText } from './tool-fields.ts';
import { ToolIndex } from './tool-index.ts';

/** Where what ranking knows of words lies. */
export const SELECTION_ASSETS = fileURLToPath(new URL('../../../assets/selection', import.meta.url));
export const words = await readSelectionWords(SELECTION_ASSETS);

export const toolText = (serverId: string, name: string, description: string): ToolText => ({ id: `${serverId}/${name}`, serverId, serverTitle: serverId, definition: { name, description } });

export const indexOf = (tools: readonly ToolText[]): ToolIndex => {
  const index = new ToolIndex(words);
  for (const one of tools) index.add(one);
  return index;
};
