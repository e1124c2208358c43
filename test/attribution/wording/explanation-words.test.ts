import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { candidateWords, conversionWords } from '#attribution/wording/explanation-text.ts';
import type { ProgramId } from '#core/ids.ts';
import { ANN, BO, conversion, lost, m, program, sale, circumstancesWith, won } from '../../support/explained.ts';

const wordsOf = (candidate: ReturnType<typeof won>, others: readonly ReturnType<typeof won>[] = []) =>
  candidateWords(sale([candidate, ...others]), circumstancesWith(), candidate);

describe('the text of a candidate', () => {
  it('has the names and one step for each part of the arithmetic', () => {
    const candidate = won(ANN, { uncapped: m(500), reward: m(300), share: m(300) });
    assert.deepEqual(wordsOf(candidate), {
      collaboratorName: 'Ann',
      programName: 'Friends',
      steps: ['10% of 49.99 USD = 5.00 USD', 'The cap per order reduces this to 3.00 USD'],
    });
  });

  it('names the hosts, the shared details and the deny list entries of its fraud signals', () => {
    const hold = {
      reasons: ['ad-referrer', 'buyer-details', 'deny-list'],
      referrers: ['www.google.com'],
      buyerDetails: ['email', 'card'],
      deniedBy: [{ kind: 'network', value: '203.0.113.0/24' }],
    } as const;
    assert.deepEqual(wordsOf(won(ANN, { hold })).holds, [
      'a visit came from a host that the program treats as advertising: www.google.com',
      'the buyer shares details with the collaborator: email, card',
      'the buyer or a visit is on the deny list: 203.0.113.0/24',
    ]);
  });

  it('gives the reason for the loss, and names the winner', () => {
    assert.deepEqual(wordsOf(lost(BO, 'lost-to-newer'), [won(ANN)]), {
      collaboratorName: 'Bo',
      programName: 'Friends',
      why: 'a newer touch gets the credit: Ann (collaborator 7)',
    });
  });

  it('says that a cap reduced a winner’s share, and gives the amounts in the steps', () => {
    const numbers = {
      reward: m(500),
      cut: m(180),
      share: m(320),
      earnedForCap: m(9680),
      reason: 'cap-reached',
    } as const;
    const capped = won(ANN, numbers);
    const programs = [program({ capPerPeriod: { period: 'month', amount: m(10_000) } })];
    const { steps, why } = candidateWords(sale([capped]), circumstancesWith({ programs }), capped);
    assert.equal(why, 'the program’s cap per collaborator and period was reached');
    assert.equal(steps?.[1], 'The cap of 100.00 USD a month, with 96.80 USD awarded before, reduces this to 3.20 USD');
  });

  it('omits unknown names, and omits the program if there is no engagement', () => {
    assert.deepEqual(wordsOf({ collaboratorId: BO, outcome: 'lost' }), { collaboratorName: 'Bo' });
    const nobody = lost(BO, 'self-referral', { programId: 6 as ProgramId });
    assert.deepEqual(candidateWords(sale([nobody]), circumstancesWith({ collaborators: new Map() }), nobody), {
      why: 'the collaborator is the buyer',
    });
    assert.equal(
      wordsOf({ collaboratorId: BO, outcome: 'lost', reason: 'not-enrolled' }).why,
      'the collaborator isn’t in a program that tracks this touch',
    );
  });
});

describe('the text of an award', () => {
  it('shows only names, because the text of its candidate shows the steps', () => {
    assert.deepEqual(conversionWords(sale([won(ANN)]), circumstancesWith(), conversion()), {
      collaboratorName: 'Ann',
      programName: 'Friends',
    });
  });

  it('includes the steps for a computed manual credit', () => {
    const award = conversion({ type: 'manual', author: 'key 3', collaboratorId: BO, explained: won(BO) });
    assert.deepEqual(conversionWords(sale([won(ANN)]), circumstancesWith(), award), {
      collaboratorName: 'Bo',
      programName: 'Friends',
      steps: ['10% of 49.99 USD = 5.00 USD'],
    });
  });
});
