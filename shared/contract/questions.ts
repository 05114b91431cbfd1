import { z } from 'zod';
import { QuestionSchema, QuestionStateSchema, SamplingModelChoiceSchema, SamplingReplySchema } from '../question.ts';
import { Empty, request } from './define.ts';

const Answered = z.object({ question: QuestionSchema });

export const questionsRequests = {
  /** What servers ask in the middle of a call. Those that wait (`waiting`, `review`) oldest first; without a state the newest 500 of all. */
  'questions:list': request('read', z.object({ state: QuestionStateSchema.optional() }), z.object({ questions: z.array(QuestionSchema) })),
  /** Error: not_found. */
  'questions:get': request('read', z.object({ questionId: z.string() }), Answered),
  /**
   * A person's answer. Form: `content` by field name, judged before it is sent; what is left out gets its default, null leaves a field empty. URL: accept is the consent to open it, which the window
   * does; with `thenContinue` a second accept says that what happens there is done. Sampling: accept with `modelId` asks that model and leads to `review`; accept in review sends its reply, or `editedReply` instead. A tool use of a reply cannot be
   * added by editing. Errors: not_found, conflict (it does not wait), invalid_input (field names the place), invalid_request, no_model.
   */
  'questions:answer': request(
    'decide',
    z.object({ questionId: z.string(), action: z.enum(['accept', 'decline', 'cancel']), content: z.record(z.string(), z.unknown()).optional(), modelId: z.string().max(300).optional(), editedReply: SamplingReplySchema.pick({ content: true }).optional() }),
    Answered,
  ),
  /** Declines this one, every other that waits, and all further ones of its server in its run (of a question without a run: while that server stays connected). Errors: not_found. */
  'questions:declineAll': request('decide', z.object({ questionId: z.string() }), z.object({ declined: z.number() })),
  /** The models a person may choose for sampling; none where no model is configured. */
  'questions:models': request('read', Empty, z.object({ models: z.array(SamplingModelChoiceSchema) })),
} as const;
