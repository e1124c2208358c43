import type { Body } from '#contract/operation.ts';
import type { Operations } from '#contract/operations.ts';
import type { ExplainedCandidate } from '#domain/explanation.ts';
import { candidateWords, explanationText } from '#domain/explanation-text.ts';
import type { Minor } from '#domain/money.ts';
import type { ImaginedSale, ProgramExample } from '#domain/program-example.ts';
import type { ProgramTerms } from '#domain/program.ts';
import type { NamedTouch } from '#operations/example-program.ts';

type Imagined = Body<Operations['exampleProgram']>;

/** What is imagined of a sale, with what goes without saying. */
export function imaginedSale({ pays, currency }: ProgramTerms, sale: Imagined['sale']): ImaginedSale {
  const renewalNumber = sale?.renewalNumber ?? 1;
  return {
    kind: sale?.kind ?? pays[0] ?? 'sale',
    total: sale?.total ?? null,
    currency: sale?.currency ?? currency,
    items: (sale?.items ?? []).map(({ externalId, ...item }) => ({ ...item, externalId: externalId ?? null })),
    renewalNumber,
    monthsAfterSale: sale?.monthsAfterSale ?? renewalNumber,
  };
}

/** What is imagined of touches: where nothing is said, one collaborator came on the day before. */
export function imaginedTouches(touches: Imagined['touches']): NamedTouch[] {
  return (touches ?? [SOMEBODY]).map((touch) => ({
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

const SOMEBODY: NonNullable<Imagined['touches']>[number] = {
  collaborator: 'Ada',
  collaboratorId: undefined,
  trigger: undefined,
  daysBefore: 1,
  enrolled: true,
  buyer: false,
  earnedBefore: NOTHING,
  conversionsBefore: 0,
};

/** The explanation without what only records have: numbers and dates. */
export function showExample({ explanation, program, names }: ProgramExample): unknown {
  const { kind, transaction, base, currency, reason, candidates } = explanation;
  const circumstances = {
    programs: [program],
    collaborators: names,
    conversions: [],
    omittedConversions: 0,
    refunds: [],
    omittedRefunds: 0,
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
  lastAt: _____,
  ...rest
}: ExplainedCandidate): Partial<ExplainedCandidate> {
  return rest;
}
