import * as z from 'zod';

/** One broken field: where, which rule (stable code), and a sentence in the caller's language. */
export const fieldErrorSchema = z.object({
  path: z.string(),
  code: z.string(),
  message: z.string(),
  /** What the rule allows and what was found, for rules with a bound. */
  limit: z.string().optional(),
  actual: z.string().optional(),
});

/** RFC 9457 problem document with our two additions, `code` and `errors`. */
export const problemSchema = z.object({
  type: z.string().default('about:blank'),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  code: z.string(),
  errors: z.array(fieldErrorSchema).optional(),
  /** Seconds to wait before another try makes sense. */
  retryAfter: z.number().optional(),
  /** Of calls that answer a success flag with a message: the flag, and the detail as the message. */
  success: z.literal(false).optional(),
  message: z.string().optional(),
});
export type Problem = z.infer<typeof problemSchema>;
