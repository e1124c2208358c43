-- The materials that merchants share with their partners (decision 78): files, texts and links to pages.
create table materials (
  organization_id bigint not null references organizations,
  id bigint generated always as identity,
  kind text not null check (kind in ('file', 'text', 'link')),
  title text not null check (length(title) between 1 and 150),
  program_id bigint, -- null: for the partners of all programs
  license_note text check (length(license_note) between 1 and 500),
  page_url text, -- the page that the partner's link opens; null: the landing page
  text text check (length(text) between 1 and 5000),
  status text not null default 'active' check (status in ('active', 'archived')),
  file_key text check (length(file_key) = 22), -- the random part of the file's address
  file_name text check (length(file_name) between 1 and 255),
  file_type text,
  file_hash bytea check (length(file_hash) = 32), -- SHA-256 of the content, for its ETag
  file bytea check (length(file) between 1 and 2097152),
  width integer check (width > 0),
  height integer check (height > 0),
  author text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, program_id) references programs,
  check ((kind = 'file') = (file is not null)),
  check (num_nulls(file_key, file_name, file_type, file_hash, file) in (0, 5)),
  check ((kind = 'text') = (text is not null)),
  check (kind <> 'link' or page_url is not null)
);
create index materials_file on materials (file_key) where file_key is not null;
-- Images are compressed already. Uncompressed storage lets their length be read without their content.
alter table materials alter column file set storage external;
