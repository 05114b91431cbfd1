/** Why a question of a server is not shown to anybody. The code is on record; the words go to the server's log. */
const REFUSAL_CODES = ['not_offered', 'no_call', 'bad_params', 'bad_schema', 'bad_url', 'too_many', 'not_recorded', 'no_model'] as const;
export interface Refusal {
  readonly code: (typeof REFUSAL_CODES)[number];
  readonly message: string;
}

export const refusal = (code: Refusal['code'], message: string): Refusal => ({ code, message });
