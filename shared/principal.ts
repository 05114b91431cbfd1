import { z } from 'zod';
/** Who asks. `user` is the try-out form: an implicit grant to every discovered capability. */
export const PrincipalSchema = z.string().regex(/^(user|agent:[a-z0-9-]{1,40}|flow:[a-z0-9-]{1,40}|outside:[a-z0-9-]{1,40}|app:[a-z0-9-]{1,40})$/);
export type Principal = z.infer<typeof PrincipalSchema>;
export const BUILT_IN_AGENT: Principal = 'agent:default';
export const USER: Principal = 'user';
