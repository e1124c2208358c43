import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agreementFault } from '#portal/domain/partner-agreement.ts';

describe('an application', () => {
  const cases = [
    ['needs no acceptance without an agreement', undefined, undefined, undefined],
    ['can name a version that was withdrawn in the meantime', undefined, 1, undefined],
    ['is not refused with the version in force', 2, 2, undefined],
    ['is refused without an acceptance', 2, undefined, 'not-accepted'],
    ['is refused with an older version', 2, 1, 'outdated'],
    ['is refused with a version that doesn’t exist yet', 2, 3, 'outdated'],
  ] as const;
  for (const [name, current, accepted, fault] of cases) {
    it(name, () => assert.equal(agreementFault(current, accepted), fault));
  }
});
