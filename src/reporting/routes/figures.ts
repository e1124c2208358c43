import type * as contract from '../contract/figure.ts';
import { readFigures } from '../store/read/figures.ts';
import { faultAt } from '#access/routes/session-answers.ts';
import { readOrganization } from '#organizations/store/read/organizations.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';

export const figureHandlers: HandlersFor<typeof contract> = {
  getFigures: async ({ tenant, query: { from, until, by, highest, currency, converted, limit, ...filters } }) => {
    const convertTo = converted === 'true' ? (await readOrganization(tenant)).reportingCurrency : undefined;
    if (convertTo === null) return NO_CURRENCY;
    return answer(200, await readFigures(tenant, { from, until, by, highest, currency, convertTo, limit, filters }));
  },
};

const NO_CURRENCY = faultAt(
  '/converted',
  'not-applicable',
  'The organization has no reporting currency. Set one with PATCH /v1/organization.',
);
