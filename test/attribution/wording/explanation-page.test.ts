import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { explanationText } from '#attribution/wording/explanation-text.ts';
import type { ConversionId, ProgramGroupId, ProgramId, TransactionId } from '#core/ids.ts';
import {
  ANN,
  BO,
  CY,
  conversion,
  lost,
  m,
  program,
  sale,
  seconds,
  tiers,
  circumstancesWith,
  transaction,
  won,
} from '../../support/explained.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'explanations.md');

describe('docs/reference/explanations.md', () => {
  it('shows the explanation text that the code generates for its examples', () => {
    const shown = [...readFileSync(PAGE, 'utf8').matchAll(/^```text\n([\s\S]*?)\n```$/gm)].map(([, text]) => text);
    assert.deepEqual(shown, examples());
  });
});

/**
 * Returns three explanations as text. The first has a split with a tier, individual terms and caps. The second has a
 * program group, a credit and a refund. The third is of a renewal.
 */
function examples(): string[] {
  return [splitExample(), groupExample(), renewalExample()];
}

function splitExample(): string {
  const numbers = { base: m(20_000), quantity: 2, uncapped: m(3250), reward: m(3000) };
  const candidates = [
    won(ANN, {
      ...numbers,
      weight: 3,
      score: 3,
      terms: 'tier',
      tierFrom: 10n,
      earnedForTier: { sum: m(29_000), count: 12 },
      earnedForCap: m(29_000),
      reason: 'cap-reached',
      cut: m(1077),
      share: m(1000),
    }),
    won(BO, {
      ...numbers,
      terms: 'own',
      earnedForTier: { sum: m(0), count: 0 },
      earnedForCap: m(0),
      share: m(923),
    }),
  ];
  const friends = program({
    attribution: 'weighted',
    capPerOrder: m(3000),
    capPerPeriod: { period: 'month', amount: m(30_000) },
    tiers: tiers('count', 'month', [10n]),
    collaboratorRewards: [{ collaboratorId: BO, reward: { type: 'percent', ratePpm: 200_000 } }],
    lineFilter: { include: [{ by: 'name', pattern: '*mug*' }], exclude: [] },
  });
  return explanationText(
    { ...sale(candidates), base: m(22_500), transaction: transaction({ total: m(23_000) }) },
    circumstancesWith({ programs: [friends] }),
  );
}

function groupExample(): string {
  const groupId = 4 as ProgramGroupId;
  const partners = program({ programId: 6 as ProgramId, version: 1, name: 'Partners', groupId });
  const earlier = { firstAt: seconds('2026-11-18T19:20:00Z'), lastAt: seconds('2026-11-18T19:20:00Z') };
  const candidates = [
    won(ANN, { score: 2 }),
    lost(BO, 'lost-to-newer', { ...earlier, base: m(4999), quantity: 1, weight: 0, reward: m(500), share: m(0) }),
    lost(CY, 'lost-in-group', { ...earlier, programId: partners.programId, programVersion: 1 }),
  ];
  return explanationText(
    sale(candidates),
    circumstancesWith({
      programs: [program({ groupId }), partners],
      refunds: [{ at: seconds('2026-11-25T10:00:00Z'), kind: 'amount', amount: m(2000), refundId: 'r-1' }],
      conversions: [
        conversion({ amount: m(300), status: 'approved' }),
        conversion({
          id: 42 as ConversionId,
          type: 'manual',
          collaboratorId: CY,
          amount: m(300),
          awardedAt: seconds('2026-11-22T14:05:00Z'),
          author: 'key 3',
          note: 'Named on the phone',
        }),
      ],
    }),
  );
}

function renewalExample(): string {
  const numbers = { base: m(999), quantity: 1, reward: m(100) };
  const credited = (time: string) => ({ ...numbers, share: m(50), firstAt: seconds(time), lastAt: seconds(time) });
  return explanationText(
    {
      ...sale([won(ANN, credited('2026-11-21T09:30:01Z')), won(CY, credited('2026-11-22T14:05:00Z'))]),
      kind: 'renewal',
      transactionId: 77 as TransactionId,
      base: m(999),
      transaction: transaction({
        externalId: 'order-1001-1',
        occurredAt: seconds('2026-12-21T09:30:00Z'),
        total: m(999),
        renewal: { of: 31 as TransactionId, number: 1 },
      }),
    },
    circumstancesWith({
      conversions: [
        conversion({ id: 57 as ConversionId, type: 'renewal', awarded: m(50), amount: m(50) }),
        conversion({
          id: 58 as ConversionId,
          type: 'renewal',
          collaboratorId: CY,
          awarded: m(50),
          amount: m(50),
          status: 'rejected',
          reason: 'Left the program',
        }),
      ],
    }),
  );
}
