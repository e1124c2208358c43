// Made by `npm run sdk` from openapi.json. Don’t edit it.

import type { Client } from '../client.ts';
import { ReportResource } from './report.ts';
import { OrganizationResource } from './organization.ts';
import { ApiKeysResource } from './api-keys.ts';
import { CollaboratorsResource } from './collaborators.ts';
import { ProgramsResource } from './programs.ts';
import { ProgramGroupsResource } from './program-groups.ts';
import { CustomEventsResource } from './custom-events.ts';
import { OpportunitiesResource } from './opportunities.ts';
import { EngagementsResource } from './engagements.ts';
import { TransactionsResource } from './transactions.ts';
import { ConversionsResource } from './conversions.ts';
import { ObligationsResource } from './obligations.ts';
import { FulfillmentsResource } from './fulfillments.ts';
import { PayoutsResource } from './payouts.ts';
import { LedgerEntriesResource } from './ledger-entries.ts';
import { LedgerResource } from './ledger.ts';
import { EventsResource } from './events.ts';
import { WebhooksResource } from './webhooks.ts';
import { AuditEntriesResource } from './audit-entries.ts';

/** Every resource of the API. */
export abstract class Resources {
  readonly report: ReportResource;
  readonly organization: OrganizationResource;
  readonly apiKeys: ApiKeysResource;
  readonly collaborators: CollaboratorsResource;
  readonly programs: ProgramsResource;
  readonly programGroups: ProgramGroupsResource;
  readonly customEvents: CustomEventsResource;
  readonly opportunities: OpportunitiesResource;
  readonly engagements: EngagementsResource;
  readonly transactions: TransactionsResource;
  readonly conversions: ConversionsResource;
  readonly obligations: ObligationsResource;
  readonly fulfillments: FulfillmentsResource;
  readonly payouts: PayoutsResource;
  readonly ledgerEntries: LedgerEntriesResource;
  readonly ledger: LedgerResource;
  readonly events: EventsResource;
  readonly webhooks: WebhooksResource;
  readonly auditEntries: AuditEntriesResource;

  constructor(client: Client) {
    this.report = new ReportResource(client);
    this.organization = new OrganizationResource(client);
    this.apiKeys = new ApiKeysResource(client);
    this.collaborators = new CollaboratorsResource(client);
    this.programs = new ProgramsResource(client);
    this.programGroups = new ProgramGroupsResource(client);
    this.customEvents = new CustomEventsResource(client);
    this.opportunities = new OpportunitiesResource(client);
    this.engagements = new EngagementsResource(client);
    this.transactions = new TransactionsResource(client);
    this.conversions = new ConversionsResource(client);
    this.obligations = new ObligationsResource(client);
    this.fulfillments = new FulfillmentsResource(client);
    this.payouts = new PayoutsResource(client);
    this.ledgerEntries = new LedgerEntriesResource(client);
    this.ledger = new LedgerResource(client);
    this.events = new EventsResource(client);
    this.webhooks = new WebhooksResource(client);
    this.auditEntries = new AuditEntriesResource(client);
  }
}
