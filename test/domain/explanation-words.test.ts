import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { candidateWords, conversionWords } from '#domain/explanation-text.ts';
import type { ProgramId } from '#domain/ids.ts';
import { ANN, BO, conversion, lost, m, program, sale, told, won } from '#test/support/explained.ts';

const wordsOf = (candidate: ReturnType<typeof won>, others: readonly ReturnType<typeof won>[] = []) =>
  candidateWords(sale([candidate, ...others]), told(), candidate);

describe('the words of a candidate', () => {
  it('are its names and its arithmetic, a step each', () => {
    const candidate = won(ANN, { uncapped: m(500), reward: m(300), share: m(300) });
    assert.deepEqual(wordsOf(candidate), {
      collaboratorName: 'Ann',
      programName: 'Friends',
      steps: ['10% of 49.99 USD = 5.00 USD', '5.00 cut to the cap per order of 3.00 USD'],
    });
  });

  it('say why it lost, with the numbers or names of this case', () => {
    assert.deepEqual(wordsOf(lost(BO, 'lost-to-newer'), [won(ANN)]), {
      collaboratorName: 'Bo',
      programName: 'Friends',
      why: 'a newer touch gets the credit: that of Ann (collaborator 7)',
    });
  });

  it('say of a winner that a cap has cut it; how much is in the steps', () => {
    const numbers = {
      reward: m(500),
      cut: m(180),
      share: m(320),
      earnedForCap: m(9680),
      reason: 'cap-reached',
    } as const;
    const capped = won(ANN, numbers);
    const programs = [program({ capPerPeriod: { period: 'month', amount: m(10_000) } })];
    const { steps, why } = candidateWords(sale([capped]), told({ programs }), capped);
    assert.equal(why, 'the program’s cap per collaborator and period was reached');
    assert.equal(steps?.[1], '5.00 cut to 3.20: 96.80 of 100.00 USD a month were awarded before');
  });

  it('are none of who is unknown and never engaged', () => {
    assert.deepEqual(wordsOf({ collaboratorId: BO, outcome: 'lost' }), { collaboratorName: 'Bo' });
    const nobody = lost(BO, 'self-referral', { programId: 6 as ProgramId });
    assert.deepEqual(candidateWords(sale([nobody]), told({ collaborators: new Map() }), nobody), {
      why: 'the collaborator is the buyer',
    });
    assert.equal(
      wordsOf({ collaboratorId: BO, outcome: 'lost', reason: 'not-enrolled' }).why,
      'the collaborator took part in no program that listened to the touch',
    );
  });
});

describe('the words of an award', () => {
  it('are names alone, since its candidate has the steps', () => {
    assert.deepEqual(conversionWords(sale([won(ANN)]), told(), conversion()), {
      collaboratorName: 'Ann',
      programName: 'Friends',
    });
  });

  it('are steps too where it was credited by hand and worked out', () => {
    const award = conversion({ type: 'manual', author: 'key 3', collaboratorId: BO, explained: won(BO) });
    assert.deepEqual(conversionWords(sale([won(ANN)]), told(), award), {
      collaboratorName: 'Bo',
      programName: 'Friends',
      steps: ['10% of 49.99 USD = 5.00 USD'],
    });
  });
});
