import { MAX_CREDITS } from '../domain/credit.ts';
import type * as contract from '../contract/credit.ts';
import { faultAt, invalidRequest, type Problem, problem, PROBLEMS } from '#core/contract/problem.ts';
import { REASON_SENTENCES } from '../wording/reason-sentences.ts';
import { formatMajor } from '#core/money.ts';
import { type CreditOutcome, creditTransaction } from '../commands/credit-transaction.ts';
import { type Answer, answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
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
  return answerOutcome(crediting, {
    credited: ({ conversion }) => answer(201, showNumber(auth, conversion)),
    'unknown-transaction': problem('not-found'),
    unknown: ({ unknown }) => invalidRequest(unknown.map((noun) => UNKNOWN[noun])),
    'not-decided': problem('not-decided', 'The transaction is not decided yet. Retry in a moment.'),
    backlog: problem(
      'not-decided',
      'Earlier reports, which can change the amount of this credit, are not decided yet. Retry in a few seconds, or send an amount.',
    ),
    'already-credited': problem('already-credited', `${PROBLEMS['already-credited'].title}. Choose another program.`),
    forbidden: ({ status }) =>
      problem(
        'invalid-transition',
        `The transaction is ${status}, so no one can earn anything on it. Credit another transaction.`,
      ),
    'too-many': problem(
      'invalid-transition',
      `The transaction has ${MAX_CREDITS} manual credits, which is the maximum. Credit another transaction.`,
    ),
    'not-payable': (crediting) => {
      const detail = `${crediting.currency} has no decimals. Send a multiple of 100. An amount of 100 is 1 ${crediting.currency}.`;
      return faultAt('/amount', 'not-payable', detail);
    },
    'exceeds-total': (crediting) => {
      const left = `${formatMajor(crediting.left)} ${crediting.currency}`;
      const detail = `The manual credits on this transaction would exceed its total. At most ${left} can still be credited. To credit more, set aboveTotal.`;
      return faultAt('/amount', 'exceeds-total', detail);
    },
    refused: (crediting) => {
      const detail = `Nothing would be earned: ${REASON_SENTENCES[crediting.reason]}. Choose another program or collaborator.`;
      return faultAt('/programId', crediting.reason, detail);
    },
  });
}

const UNKNOWN = {
  collaborator: {
    pointer: '/collaboratorId',
    code: 'unknown-collaborator',
    detail: 'No collaborator has this id. Check the id.',
  },
  program: { pointer: '/programId', code: 'unknown-program', detail: 'No program has this id. Check the id.' },
} as const;
