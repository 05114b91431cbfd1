/** Who asks. `user` is the try-out form: an implicit grant to every discovered capability. */
export type Principal = string;
/** The ways in that a call came by, known to the host of each connection: the window, the `gantry` command, or a script on a host with --approvals=script. */
export const VIAS = ['window', 'command', 'script'] as const;
export type Via = (typeof VIAS)[number];
export const BUILT_IN_AGENT: Principal = 'agent:default';
export const USER: Principal = 'user';
