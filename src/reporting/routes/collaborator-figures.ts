import type * as contract from '../contract/collaborator-figures.ts';
import {
  type CollaboratorFigures,
  type CollaboratorFiguresRow,
  withCollaboratorFigures,
} from '../store/read/collaborator-figures.ts';
import { conversionOf } from './conversion.ts';
import type { HandlersFor } from '#platform/http/handler.ts';
import { answerReadings } from '#platform/http/pages.ts';

export const collaboratorFigureHandlers: HandlersFor<typeof contract> = {
  listFiguresByCollaborator: async (request) => {
    const { from, until, currency, converted, tag, ...filters } = request.query.filters;
    const conversion = await conversionOf(request.tenant, converted);
    if (conversion.kind === 'problem') return conversion;
    const asked = {
      from,
      until,
      ...conversion,
      currency: conversion.convertTo === undefined ? currency : undefined,
      tag: tag?.trim().toLowerCase(),
      isWhole: filters.status !== undefined,
    };
    return answerReadings<CollaboratorFiguresRow, CollaboratorFigures>(
      (work) => withCollaboratorFigures(request.tenant, asked, work),
      { ...request, query: { ...request.query, filters } },
    );
  },
};
