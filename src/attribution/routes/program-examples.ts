import type * as contract from '../contract/program-example.ts';
import type { Body } from '#core/contract/operation.ts';
import type { ExplainedCandidate } from '../domain/explanation.ts';
import { candidateWords, explanationText } from '../wording/explanation-text.ts';
import type { Minor } from '#core/money.ts';
import type { ImaginedSale, ProgramExample } from '../domain/program-example.ts';
import type { ProgramTerms } from '#programs/domain/program.ts';
import { invalidRequest } from '#core/contract/problem.ts';
import { exampleProgram, type NamedTouch } from '../commands/example-program.ts';
import { answer, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { fieldsOf } from '#programs/routes/programs.ts';

export const programExampleHandlers: HandlersFor<typeof contract> = {
  exampleProgram: async ({ tenant, body: { sale, touches, ...given } }) => {
    const fields = fieldsOf(given);
    const imagined = imaginedSale(fields, sale);
    return answerOutcome(await exampleProgram(tenant, fields, imagined, imaginedTouches(touches)), {
      calculated: (exampled) => answer(200, { words: exampled.words, explanation: showExample(exampled) }),
      faulty: ({ faults }) => invalidRequest(faults),
    });
  },
};

type Imagined = Body<typeof contract.exampleProgram>;

/** Returns the fictitious sale with defaults for absent fields. */
function imaginedSale({ pays, currency }: ProgramTerms, sale: Imagined['sale']): ImaginedSale {
  const renewalNumber = sale?.renewalNumber ?? 1;
  return {
    kind: sale?.kind ?? pays[0] ?? 'sale',
    total: sale?.total ?? null,
    currency: sale?.currency ?? currency,
    items: sale?.items ?? [],
    renewalNumber,
    monthsAfterSale: sale?.monthsAfterSale ?? renewalNumber,
  };
}

/** Returns the fictitious touches. By default, one collaborator has a touch on the day before the sale. */
function imaginedTouches(touches: Imagined['touches']): NamedTouch[] {
  return (touches ?? [DEFAULT_TOUCH]).map((touch) => ({
    collaborator: {
      id: touch.collaboratorId ?? null,
      name: touch.collaborator,
      isEnrolled: touch.enrolled,
      isBuyer: touch.buyer,
      earned: { sum: touch.earnedBefore, count: touch.conversionsBefore },
    },
    trigger: touch.trigger ?? null,
    daysBefore: touch.daysBefore,
  }));
}

const NOTHING = 0n as Minor;

const DEFAULT_TOUCH: NonNullable<Imagined['touches']>[number] = {
  collaborator: 'Ada',
  collaboratorId: undefined,
  trigger: undefined,
  daysBefore: 1,
  enrolled: true,
  buyer: false,
  earnedBefore: NOTHING,
  conversionsBefore: 0,
};

/** Returns the explanation without the ids and dates that only recorded decisions have. */
function showExample({ explanation, program, names }: ProgramExample): unknown {
  const { kind, transaction, base, currency, reason, candidates } = explanation;
  const circumstances = {
    programs: [program],
    collaborators: names,
    conversions: [],
    omittedConversions: 0,
    refunds: [],
    omittedRefunds: 0,
    corrections: [],
    isImagined: true,
  } as const;
  return {
    kind,
    ...(transaction.renewal === null ? {} : { renewalNumber: transaction.renewal.number }),
    total: transaction.total,
    base,
    currency,
    ...(reason === null ? {} : { reason }),
    candidates: candidates.map((candidate) => {
      const {
        collaboratorName: name,
        programName: _,
        ...words
      } = candidateWords(explanation, circumstances, candidate);
      return { name, ...withoutRecord(candidate), ...words };
    }),
    text: explanationText(explanation, circumstances),
  };
}

function withoutRecord({
  programId: _,
  programVersion: __,
  engagementId: ___,
  firstAt: ____,
  firstVisitId: _____,
  lastAt: ______,
  ...rest
}: ExplainedCandidate): Partial<ExplainedCandidate> {
  return rest;
}
