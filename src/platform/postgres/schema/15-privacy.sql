-- Erasures of personal data (decision 38).

-- One row for each erasure, with the id of an erased collaborator. An erased visitor can't be identified.
create table erasures (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  collaborator_id bigint, -- null for a visitor
  author text not null,
  erased_at timestamptz not null default now(),
  xid xid8 not null default pg_current_xact_id(), -- the only transaction that may erase values from the audit log
  primary key (organization_id, id),
  foreign key (organization_id, collaborator_id) references collaborators
);
create index erasures_collaborator on erasures (organization_id, collaborator_id) where collaborator_id is not null;

-- Versions of collaborators whose user was an erased visitor. The visitor's opportunities store the negative id of the
-- erasure in place of the user id. So later decisions about self-referrals stay the same, and the user can't be
-- identified.
create table self_referral_tombstones (
  organization_id bigint not null,
  erasure_id bigint not null,
  collaborator_id bigint not null,
  config_version bigint not null, -- the version in collaborator_versions
  primary key (organization_id, erasure_id, collaborator_id, config_version),
  foreign key (organization_id, erasure_id) references erasures,
  foreign key (organization_id, collaborator_id, config_version) references collaborator_versions
);

-- Returns a body without personal data. Keeps the ids of the resource, its collaborator and its program, its status, type
-- and times, and nulls. Replaces all other values, such as user ids, with "(erased)". Returns null if the body is empty,
-- isn't an object, or can't be parsed.
create function without_personal_values(body json) returns json language plpgsql immutable as $$
begin
  return (
    select json_object_agg(key, case
      when key = any ('{id,collaboratorId,programId,status,type,createdAt,updatedAt,retiredAt}')
        and json_typeof(value) not in ('object', 'array') then value
      when json_typeof(value) = 'null' then value
      else '"(erased)"'::json end)
    from json_each(case json_typeof(body) when 'object' then body else '{}' end));
exception when data_exception then
  return null;
end $$;

-- Refuses all updates of the audit log except one: the transaction of an erasure may remove values from bodies.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  if (new.organization_id, new.id, new.at, new.author, new.operation, new.path)
      is distinct from (old.organization_id, old.id, old.at, old.author, old.operation, old.path)
    or (new.request::text, new.before::text, new.after::text) is distinct from
      (without_personal_values(old.request)::text, without_personal_values(old.before)::text, without_personal_values(old.after)::text)
    or not exists (select from erasures e where e.organization_id = old.organization_id and e.xid = pg_current_xact_id())
  then
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger audit_entries_not_rewritten before update on audit_entries
  for each row execute function refuse_rewriting();
