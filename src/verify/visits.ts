import { KEPT_FROM } from '#platform/postgres/partitions.ts';
import { TOUCH } from '#tracking/store/touch.ts';
import { type Invariant, organizationFilter } from './invariant.ts';

/** Invariants of engagements and merges. */
export const VISITS: readonly Invariant[] = [
  {
    // If retention has dropped the first visits of an engagement, only the remaining visits are checked.
    name: 'an engagement is the sum of its visits',
    query: `
      with counted as (
        select g.organization_id, g.id, g.score, g.first_visit_id, g.last_visit_id,
          coalesce(sum(touch.points), 0) as points,
          min(v.id) filter (where touch.points is not null) as first,
          max(v.id) filter (where touch.points is not null) as last
        from engagements g
        left join visits v on v.organization_id = g.organization_id and v.opportunity_id = g.opportunity_id
          and v.collaborator_id = g.collaborator_id and v.id between g.first_visit_id and g.last_visit_id
          and v.reason is null and exists (
            select from engagements x
            where x.organization_id = g.organization_id and x.id = any (g.id || coalesce(g.lineage, '{}'))
              and v.id >= coalesce(x.own_since, x.first_visit_id) and (x.closed_by is null or v.id < x.closed_by))
        left join ${TOUCH} on true
        where ${organizationFilter('g')} and g.status <> 'invalid'
        group by g.organization_id, g.id
      )
      select format('organization %s: engagement %s has score %s from visits %s to %s; its visits make %s from %s to %s',
        organization_id, id, score, first_visit_id, last_visit_id, points, first, last) as detail
      from counted
      where case when first_visit_id >= ${KEPT_FROM} then score <> points or first <> first_visit_id or last <> last_visit_id
        else score < points or last_visit_id >= ${KEPT_FROM} and last is distinct from last_visit_id end`,
  },
  {
    name: 'a merged opportunity refers to an opportunity of its own organization',
    query: `
      select format('organization %s: opportunity %s is merged into %s, which does not exist', o.organization_id, o.id,
        o.merged_into) as detail
      from opportunities o
      left join opportunities s on s.organization_id = o.organization_id and s.id = o.merged_into
      where ${organizationFilter('o')} and o.merged_into is not null and s.id is null`,
  },
];
