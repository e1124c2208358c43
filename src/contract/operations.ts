import { createAlias, listAliases, retireAlias } from './alias.ts';
import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from './api-key.ts';
import {
  changeCollaborator,
  createCollaborator,
  deleteCollaborator,
  getCollaborator,
  listCollaborators,
} from './collaborator.ts';
import { approveConversion, getConversion, listConversions, rejectConversion } from './conversion.ts';
import { getEngagement, listEngagements } from './engagement.ts';
import { enrollCollaborator, listEnrollments, removeCollaborator } from './enrollment.ts';
import { getEvent, listEvents, retryEvent } from './event.ts';
import { explainConversion, explainTransaction } from './explanation.ts';
import { getObligation, listObligations } from './obligation.ts';
import { getJourney, getOpportunity, listOpportunities } from './opportunity.ts';
import { changeOrganization, getOrganization } from './organization.ts';
import {
  changeProgram,
  createProgram,
  deleteProgram,
  getProgram,
  listPrograms,
  listProgramVersions,
} from './program.ts';
import { reportRefund } from './refund-report.ts';
import { reportSale } from './sale-report.ts';
import { getTransaction, listTransactions } from './transaction.ts';
import { reportVisit } from './visit-report.ts';

/** Every call of the interface, by its id: the routes, the handlers' types and openapi.json come from this table. */
export const operations = {
  reportVisit,
  reportSale,
  reportRefund,
  getOrganization,
  changeOrganization,
  listApiKeys,
  createApiKey,
  getApiKey,
  revokeApiKey,
  listCollaborators,
  createCollaborator,
  getCollaborator,
  changeCollaborator,
  deleteCollaborator,
  listAliases,
  createAlias,
  retireAlias,
  listPrograms,
  createProgram,
  getProgram,
  changeProgram,
  deleteProgram,
  listProgramVersions,
  listEnrollments,
  enrollCollaborator,
  removeCollaborator,
  listOpportunities,
  getOpportunity,
  getJourney,
  listEngagements,
  getEngagement,
  listTransactions,
  getTransaction,
  explainTransaction,
  listConversions,
  getConversion,
  approveConversion,
  rejectConversion,
  explainConversion,
  listObligations,
  getObligation,
  listEvents,
  getEvent,
  retryEvent,
};

export type Operations = typeof operations;
