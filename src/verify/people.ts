import { type Invariant, organizationFilter } from './invariant.ts';

/** Invariants of the people who log in. */
export const PEOPLE: readonly Invariant[] = [
  {
    // `people_addresses` has no foreign key to `people`, so its rows are checked here.
    name: 'every active person has a row with their address in people_addresses, and no other person has a row',
    query: `
      select format('organization %s: person %s (%s) has the address %s', coalesce(p.organization_id, a.organization_id),
        coalesce(p.id, a.person_id), coalesce(p.status, 'unknown'), coalesce(a.address, 'none')) as detail
      from (select * from people p where ${organizationFilter('p')}) p
      full join (select * from people_addresses a where ${organizationFilter('a')}) a
        on a.organization_id = p.organization_id and a.person_id = p.id
      where case p.status when 'active' then a.address is distinct from p.email else a.address is not null end`,
  },
];
