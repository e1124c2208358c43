import { MAX_CREDITS } from '../domain/credit.ts';
import type * as contract from '../contract/credit.ts';
import { invalidRequest, type Problem, problem, PROBLEMS } from '#core/contract/problem.ts';
import { REASON_SENTENCES } from '../wording/reason-sentences.ts';
import { formatMajor } from '#core/money.ts';
import { type CreditOutcome, creditTransaction } from '../commands/credit-transaction.ts';
import { type Answer, answer, type HandlersFor } from '#platform/http/handler.ts';
import { showNumber } from '#tracking/routes/opportunity-numbers.ts';
import type { Auth } from '#core/auth.ts';

export const creditHandlers: HandlersFor<typeof contract> = {
  creditTransaction: async ({ auth, tenant, params: { id }, body: { amount, note, aboveTotal, ...of } }) =>
    answerCredit(
      auth,
      await creditTransaction(tenant, {
        ...of,
        transactionId: id,
        amount: amount ?? null,
        note: note ?? null,
        aboveTotal,
        author: auth.author,
      }),
    ),
};

function answerCredit(auth: Auth, crediting: CreditOutcome): Answer | Problem {
  switch (crediting.kind) {
    case 'credited':
      return answer(201, showNumber(auth, crediting.conversion));
    case 'unknown-transaction':
      return problem('not-found');
    case 'unknown':
      return invalidRequest(crediting.unknown.map((noun) => UNKNOWN[noun]));
    case 'not-decided':
      return problem('not-decided', 'The transaction is not decided yet. Retry in a moment.');
    case 'backlog':
      return problem(
        'not-decided',
        'Earlier reports, which can change the amount of this credit, are not decided yet. Retry in a few seconds, or send an amount.',
      );
    case 'already-credited':
      return problem('already-credited', `${PROBLEMS['already-credited'].title}. Choose another program.`);
    case 'forbidden':
      return problem(
        'invalid-transition',
        `The transaction is ${crediting.status}, so no one can earn anything on it. Credit another transaction.`,
      );
    case 'too-many':
      return problem(
        'invalid-transition',
        `The transaction has ${MAX_CREDITS} manual credits, which is the maximum. Credit another transaction.`,
      );
    case 'not-payable': {
      const detail = `${crediting.currency} has no decimals. Send a multiple of 100. An amount of 100 is 1 ${crediting.currency}.`;
      return invalidRequest([{ pointer: '/amount', code: 'not-payable', detail }]);
    }
    case 'exceeds-total': {
      const left = `${formatMajor(crediting.left)} ${crediting.currency}`;
      const detail = `The manual credits on this transaction would exceed its total. At most ${left} can still be credited. To credit more, set aboveTotal.`;
      return invalidRequest([{ pointer: '/amount', code: 'exceeds-total', detail }]);
    }
    case 'refused': {
      const detail = `Nothing would be earned: ${REASON_SENTENCES[crediting.reason]}. Choose another program or collaborator.`;
      return invalidRequest([{ pointer: '/programId', code: crediting.reason, detail }]);
    }
    default:
      return crediting satisfies never;
  }
}

const UNKNOWN = {
  collaborator: {
    pointer: '/collaboratorId',
    code: 'unknown-collaborator',
    detail: 'No collaborator has this id. Check the id.',
  },
  program: { pointer: '/programId', code: 'unknown-program', detail: 'No program has this id. Check the id.' },
} as const;
