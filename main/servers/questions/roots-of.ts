import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerRow } from '../../store/servers.ts';
import type { Root } from './asking.ts';

/** The folders that a person named for a server, as it is told them. */
export const rootsOf = (row: Pick<ServerRow, 'roots'> | null): readonly Root[] => (row?.roots ?? []).map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) || folder }));
