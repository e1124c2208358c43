-- Amounts that are awarded, and what refunds leave of them, are whole units where the currency has no decimals. False for
-- everything that an earlier release awarded or decided: it rounded to hundredths in every currency.
alter table conversions add column in_payable_units boolean not null default false;
alter table explanations add column in_payable_units boolean not null default false;
