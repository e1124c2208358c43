-- Of an organization whose data are made up: pages say so. Set by `npm run demo` alone.
alter table organizations add column demo boolean not null default false;
