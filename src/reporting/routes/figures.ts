import type * as contract from '../contract/figure.ts';
import { readFigures } from '../store/read/figures.ts';
import { conversionOf } from './conversion.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';

export const figureHandlers: HandlersFor<typeof contract> = {
  getFigures: async ({ tenant, query: { from, until, by, highest, currency, converted, limit, ...filters } }) => {
    const conversion = await conversionOf(tenant, converted);
    if (conversion.kind === 'problem') return conversion;
    const { convertTo } = conversion;
    return answer(200, await readFigures(tenant, { from, until, by, highest, currency, convertTo, limit, filters }));
  },
};
