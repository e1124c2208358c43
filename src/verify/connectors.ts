import { type Invariant, organizationFilter } from './invariant.ts';

/** Invariants of the events of connectors. */
export const CONNECTORS: readonly Invariant[] = [
  {
    name: 'every order reported by a connector’s event exists',
    query: `
      select format('organization %s: event %s of connector %s has reported %s %s / %s', e.organization_id, e.id,
        e.connector_id, o.verb, o.source, o."externalId") as detail
      from connector_events e
      cross join lateral jsonb_to_recordset(e.outcome) as o (verb text, source text, "externalId" text)
      left join transactions t on t.organization_id = e.organization_id and t.source = o.source
        and t.external_id = o."externalId"
      where ${organizationFilter('e')} and e.outcome <> '[]' and t.id is null`,
  },
  {
    name: 'no event of a deleted connector is pending or waiting',
    query: `
      select format('organization %s: event %s of connector %s is %s', e.organization_id, e.id, e.connector_id, e.state)
        as detail
      from connector_events e
      join connectors c on c.organization_id = e.organization_id and c.id = e.connector_id
      where ${organizationFilter('e')} and e.due_at is not null and c.deleted_at is not null`,
  },
];
