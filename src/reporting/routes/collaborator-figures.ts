import type * as contract from '../contract/collaborator-figures.ts';
import {
  type CollaboratorFigures,
  type CollaboratorFiguresRow,
  withCollaboratorFigures,
} from '../store/read/collaborator-figures.ts';
import { readTargetCurrency } from './target-currency.ts';
import type { HandlersFor } from '#platform/http/handler.ts';
import { answerReadings } from '#platform/http/pages.ts';

export const collaboratorFigureHandlers: HandlersFor<typeof contract> = {
  listFiguresByCollaborator: async (request) => {
    const { from, until, currency, converted, tag, ...filters } = request.query.filters;
    const target = await readTargetCurrency(request.tenant, converted);
    if (target.kind === 'problem') return target;
    const { convertTo } = target;
    const asked = {
      from,
      until,
      convertTo,
      currency: convertTo === undefined ? currency : undefined,
      tag: tag?.trim().toLowerCase(),
      isWhole: filters.status !== undefined,
      sort: request.query.sort,
    };
    return answerReadings<CollaboratorFiguresRow, CollaboratorFigures>(
      (work) => withCollaboratorFigures(request.tenant, asked, work),
      { ...request, query: { ...request.query, filters } },
    );
  },
};
