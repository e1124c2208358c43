-- An address is unique within its organization only. It was unique in the whole installation, so an organization could take
-- an address that belongs to the people of another one.
lock table people_addresses;

create table addresses_by_organization (
  organization_id bigint not null,
  address text not null,
  person_id bigint not null,
  primary key (organization_id, address)
);
insert into addresses_by_organization select organization_id, address, person_id from people_addresses;
drop table people_addresses;
alter table addresses_by_organization rename to people_addresses;
alter index addresses_by_organization_pkey rename to people_addresses_pkey;
-- A login gives no organization.
create index people_addresses_address on people_addresses (address);
