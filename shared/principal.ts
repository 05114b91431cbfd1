import { z } from 'zod';
/** Who asks. `user` is the try-out form: an implicit grant to every discovered capability. */
export const PrincipalSchema = z.string().regex(/^(user|agent:[a-z0-9-]{1,40}|flow:[a-z0-9-]{1,40}|outside:[a-z0-9-]{1,40}|app:[a-z0-9-]{1,40})$/);
export type Principal = z.infer<typeof PrincipalSchema>;
/** The way in that a call came by, known to the host of each connection: the window, the `gantry` command, or a script on a host with --approvals=script. */
export const ViaSchema = z.enum(['window', 'command', 'script']);
export type Via = z.infer<typeof ViaSchema>;
export const BUILT_IN_AGENT: Principal = 'agent:default';
export const USER: Principal = 'user';
