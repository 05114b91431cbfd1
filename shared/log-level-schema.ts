import { z } from 'zod';
import { SERVER_LOG_LEVELS } from './log-level.ts';

export const ServerLogLevelSchema = z.enum(SERVER_LOG_LEVELS);
