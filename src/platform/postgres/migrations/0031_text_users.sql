-- Users whose ids are text. Everywhere else a user is a number: an integer id is itself, and a text id has a number of its own
-- below -2^52. Between that and 0 are the numbers that erasures leave behind (erased_selves).
create sequence text_user_numbers maxvalue 4503599627370495; -- 2^52 - 1: user_id stays above -2^53

create table text_users (
  organization_id bigint not null references organizations,
  user_id bigint not null check (user_id < -4503599627370496),
  text text collate "C" not null check (length(text) between 1 and 255), -- compared byte for byte
  primary key (organization_id, user_id),
  unique (organization_id, text)
);

alter table collaborators drop constraint collaborators_user_id_check;
alter table collaborators add constraint collaborators_user_id_check
  check (user_id > 0 or user_id < -4503599627370496);
