import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BUILT_IN_REPORTS, isReservedSlug } from '#programs/domain/custom-event.ts';

describe('the slug of a custom event', () => {
  it('is reserved if it names a built-in report or a trigger of every organization', () => {
    const reserved = [...BUILT_IN_REPORTS, 'site-visit', 'coupon-applied'];
    assert.deepEqual(
      reserved.filter((slug) => !isReservedSlug(slug)),
      [],
    );
  });

  it('is not reserved if it only begins like a built-in report', () => {
    assert.deepEqual(['newsletter-signup', 'sales', 'refund-asked'].filter(isReservedSlug), []);
  });
});
