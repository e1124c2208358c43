import type * as contract from '../contract/figure.ts';
import { readFigures } from '../store/read/figures.ts';
import { readTargetCurrency } from './target-currency.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';

export const figureHandlers: HandlersFor<typeof contract> = {
  getFigures: async ({ tenant, query: { from, until, by, highest, currency, converted, limit, ...filters } }) => {
    const target = await readTargetCurrency(tenant, converted);
    if (target.kind === 'problem') return target;
    const { convertTo } = target;
    return answer(200, await readFigures(tenant, { from, until, by, highest, currency, convertTo, limit, filters }));
  },
};
