import { invalidRequest, type Problem, problem } from '#contract/problem.ts';
import { REASON_SENTENCES } from '#domain/explanation.ts';
import { type Crediting, creditTransaction } from '#operations/credit-transaction.ts';
import type { Database } from '#store/database.ts';
import type { Auth } from '../authentication.ts';
import { type Answer, answer, type HandlersFor } from '../handler.ts';
import { showNumber } from '../opportunity-numbers.ts';

export function creditHandlers(database: Database): HandlersFor<'creditTransaction'> {
  return {
    creditTransaction: async ({ auth, params: { id }, body: { amount, note, ...of } }) =>
      answerCredit(
        auth,
        await creditTransaction(database, auth.organizationId, {
          ...of,
          transactionId: id,
          amount: amount ?? null,
          note: note ?? null,
          author: auth.author,
        }),
      ),
  };
}

function answerCredit(auth: Auth, crediting: Crediting): Answer | Problem {
  switch (crediting.kind) {
    case 'credited':
      return answer(201, showNumber(auth, crediting.conversion));
    case 'unknown-transaction':
      return problem('not-found');
    case 'unknown-collaborator':
      return fault('/collaboratorId', 'unknown-collaborator', 'No collaborator has this id.');
    case 'unknown-program':
      return fault('/programId', 'unknown-program', 'No program has this id.');
    case 'not-decided':
      return problem('not-decided', 'The sale waits to be decided: ask again in a moment.');
    case 'already-credited':
      return problem('already-credited');
    case 'forbidden':
      return problem('invalid-transition', `The sale is ${crediting.status}: nothing can be earned by it.`);
    case 'refused':
      return fault('/programId', crediting.reason, `Nothing would be earned: ${REASON_SENTENCES[crediting.reason]}.`);
    default:
      return crediting satisfies never;
  }
}

function fault(pointer: string, code: string, detail: string): Problem {
  return invalidRequest([{ pointer, code, detail }]);
}
