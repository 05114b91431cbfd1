import { z } from 'zod';
import { VIAS } from './principal.ts';

export const PrincipalSchema = z.string().regex(/^(user|agent:[a-z0-9-]{1,40}|flow:[a-z0-9-]{1,40}|outside:[a-z0-9-]{1,40}|app:[a-z0-9-]{1,40})$/);
export const ViaSchema = z.enum(VIAS);
