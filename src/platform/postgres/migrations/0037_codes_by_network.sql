-- Which network asked for a mailed code. Its wrong codes are counted apart, so that strangers can't void a code by guessing.
alter table entry_links
  add column asked_from bytea check (length(asked_from) = 32), -- HMAC of the network; null: an earlier version made the link
  add column own_wrong_codes integer not null default 0; -- wrong codes from that network; wrong_codes counts all others
