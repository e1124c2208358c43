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
    case 'unknown':
      return invalidRequest(crediting.unknown.map((noun) => UNKNOWN[noun]));
    case 'not-decided':
      return problem('not-decided', 'The sale waits to be decided: ask again in a moment.');
    case 'already-credited':
      return problem('already-credited');
    case 'forbidden':
      return problem('invalid-transition', `The sale is ${crediting.status}: nothing can be earned by it.`);
    case 'refused': {
      const detail = `Nothing would be earned: ${REASON_SENTENCES[crediting.reason]}.`;
      return invalidRequest([{ pointer: '/programId', code: crediting.reason, detail }]);
    }
    default:
      return crediting satisfies never;
  }
}

const UNKNOWN = {
  collaborator: { pointer: '/collaboratorId', code: 'unknown-collaborator', detail: 'No collaborator has this id.' },
  program: { pointer: '/programId', code: 'unknown-program', detail: 'No program has this id.' },
} as const;
