import { z } from 'zod';
import { ImportPickSchema, ImportPreviewSchema, ImportResultSchema } from '../import.ts';
import { Empty, request } from './define.ts';

/** A text: settings in any known shape, an install link, a command line, an address. Or the absolute path of a file. */
const Source = z.union([z.strictObject({ text: z.string().min(1), name: z.string().max(255).optional() }), z.strictObject({ path: z.string().min(1) }), z.strictObject({ scan: z.literal(true) })]);

export const importRequests = {
  /** Looks for the MCP settings of other programs on this computer. Reads only; nothing runs, nothing is stored. */
  'import:scan': request('read', Empty, ImportPreviewSchema),
  /** Reads one text or file. Faults: import_unreadable with line and column, import_no_servers, import_too_large, file_unreadable. */
  'import:read': request('read', z.object({ text: z.string().min(1).optional(), path: z.string().min(1).optional(), name: z.string().max(255).optional() }), ImportPreviewSchema),
  /**
   * Brings the picked servers in, switched off and without consent to run; npm apps are installed. Each has its own result. `previewId`, or for a script the
   * source itself, which is then read anew. A value that a preview masks is known to the host alone.
   */
  'import:apply': request('write', z.object({ previewId: z.string().optional(), source: Source.optional(), servers: z.array(ImportPickSchema).min(1).max(200) }), z.object({ results: z.array(ImportResultSchema) })),
  /** The host forgets what it read. */
  'import:forget': request('write', z.object({ previewId: z.string() }), Empty),
} as const;
