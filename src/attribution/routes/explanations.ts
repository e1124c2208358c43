import type * as contract from '../contract/explanation.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import type {
  ExplainedCandidate,
  Circumstances,
  ExplainedConversion,
  ExplainedRefund,
  Explanation,
} from '../domain/explanation.ts';
import { REASON_SENTENCES } from '../wording/reason-sentences.ts';
import { candidateWords, conversionWords, explanationText } from '../wording/explanation-text.ts';
import { formatInstant } from '#core/instant.ts';
import type { TransactionId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findTransactionOf, readExplanation } from '../store/read/explanations.ts';
import { type Answer, answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';

export const explanationHandlers: HandlersFor<typeof contract> = {
  explainTransaction: ({ tenant, params: { id } }) => explain(tenant, id),

  explainConversion: async ({ tenant, params: { id } }) => {
    const transactionId = await findTransactionOf(tenant, id);
    return transactionId === undefined ? problem('not-found') : explain(tenant, transactionId);
  },
};

async function explain(tenant: Tenant<Database>, id: TransactionId): Promise<Answer | Problem> {
  const found = await readExplanation(tenant, id);
  return answerOutcome(found, {
    found: ({ explanation, circumstances }) => answer(200, showExplanation(explanation, circumstances)),
    'not-decided': problem('not-decided', 'The transaction is not decided yet. Retry in a moment.'),
    'no-transaction': problem('not-found'),
  });
}

export function showExplanation(explanation: Explanation, circumstances: Circumstances): unknown {
  const { decidedAt, reason, transaction, candidates, ...rest } = explanation;
  const { renewal } = transaction;
  return {
    ...rest,
    decidedAt: formatInstant(decidedAt),
    ...(reason === null ? {} : { reason, why: REASON_SENTENCES[reason] }),
    ...(renewal === null ? {} : { renewsTransactionId: renewal.of, renewalNumber: renewal.number }),
    candidates: candidates.map((candidate) => ({
      ...showCandidate(candidate),
      ...candidateWords(explanation, circumstances, candidate),
    })),
    conversions: circumstances.conversions.map((conversion) => ({
      ...showConversion(conversion),
      ...conversionWords(explanation, circumstances, conversion),
    })),
    refunds: circumstances.refunds.map(showRefund),
    corrections: circumstances.corrections.map(({ at, ...correction }) => ({ at: formatInstant(at), ...correction })),
    text: explanationText(explanation, circumstances),
  };
}

function showCandidate({ firstAt, firstVisitId: _, lastAt, ...rest }: ExplainedCandidate): object {
  return {
    ...rest,
    ...(firstAt === undefined ? {} : { firstAt: formatInstant(firstAt) }),
    ...(lastAt === undefined ? {} : { lastAt: formatInstant(lastAt) }),
  };
}

function showConversion({ awardedAt, explained, ...rest }: ExplainedConversion): object {
  return {
    ...rest,
    ...(explained === undefined ? {} : { candidate: showCandidate(explained) }),
    awardedAt: formatInstant(awardedAt),
  };
}

function showRefund({ at, reversedAt, ...rest }: ExplainedRefund): unknown {
  return {
    at: formatInstant(at),
    ...rest,
    ...(reversedAt === undefined ? {} : { reversedAt: formatInstant(reversedAt) }),
  };
}
