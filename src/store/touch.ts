/**
 * What visit or signal `v` added to engagement `g`, by the configuration that its event names: one row of points, or none
 * where the program was not active, had the trigger off, or the collaborator was not enrolled. To be joined where both
 * stand; a look-up by index for each visit. It says again what `touchesOf` (domain/visit.ts) decided when the visit came.
 */
export const TOUCH = `lateral (
  select (p.triggers ->> coalesce(v.trigger, 'site-visit'))::bigint as points
  from (
    select status, enrollment, triggers from program_versions
    where organization_id = g.organization_id and program_id = g.program_id and config_version <= v.config_version
    order by config_version desc limit 1
  ) p
  where p.status = 'active' and p.triggers ? coalesce(v.trigger, 'site-visit') and (p.enrollment = 'everyone' or exists (
    select from enrollments e
    where e.organization_id = g.organization_id and e.program_id = g.program_id
      and e.collaborator_id = g.collaborator_id and e.from_version <= v.config_version
      and (e.until_version is null or e.until_version > v.config_version)))
) touch`;
