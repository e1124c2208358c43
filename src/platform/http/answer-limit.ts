import { Overloaded } from '#core/failures.ts';

/** The time limit for answering a read, and for looking up a key, a session or a merchant's domain, in milliseconds. */
export const MAX_ANSWER_MS = 2_500;

/**
 * Returns the result of `work`, or rejects with `Overloaded` after `MAX_ANSWER_MS`. Even then, `work` continues, so its
 * outcome is unknown.
 */
export function withinAnswerLimit<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Overloaded('the answer took too long')), MAX_ANSWER_MS);
    void work()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
