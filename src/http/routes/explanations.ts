import { type Problem, problem } from '#contract/problem.ts';
import { type Candidate, type Explanation, explanationText } from '#domain/explanation.ts';
import { formatInstant } from '#domain/instant.ts';
import type { OrganizationId, TransactionId } from '#domain/ids.ts';
import type { ProgramVersion } from '#domain/program.ts';
import type { Database } from '#store/database.ts';
import { findTransactionOf, readExplanation } from '#store/read/explanations.ts';
import { type Answer, answer, type HandlersFor } from '../handler.ts';

export function explanationHandlers(database: Database): HandlersFor<'explainTransaction' | 'explainConversion'> {
  return {
    explainTransaction: ({ auth, params: { id } }) => explain(database, auth.organizationId, id),

    explainConversion: async ({ auth, params: { id } }) => {
      const transactionId = await findTransactionOf(database, auth.organizationId, id);
      return transactionId === undefined ? problem('not-found') : explain(database, auth.organizationId, transactionId);
    },
  };
}

async function explain(
  database: Database,
  organizationId: OrganizationId,
  id: TransactionId,
): Promise<Answer | Problem> {
  const found = await readExplanation(database, organizationId, id);
  switch (found.kind) {
    case 'found':
      return answer(200, show(found.explanation, found.programs));
    case 'not-decided':
      return problem('not-decided', 'The sale waits to be decided: ask again in a moment.');
    case 'no-transaction':
      return problem('not-found');
    default:
      return found satisfies never;
  }
}

function show(explanation: Explanation, programs: readonly ProgramVersion[]): unknown {
  const { decidedAt, reason, candidates, ...rest } = explanation;
  return {
    ...rest,
    decidedAt: formatInstant(decidedAt),
    ...(reason === null ? {} : { reason }),
    candidates: candidates.map(showCandidate),
    text: explanationText(explanation, programs),
  };
}

function showCandidate({ firstAt, lastAt, ...rest }: Candidate): unknown {
  return {
    ...rest,
    ...(firstAt === undefined ? {} : { firstAt: formatInstant(firstAt) }),
    ...(lastAt === undefined ? {} : { lastAt: formatInstant(lastAt) }),
  };
}
