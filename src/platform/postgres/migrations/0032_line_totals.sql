-- A line may give what all its units cost together: 3 for 10.00 have no unit price in hundredths. Null is amount × quantity.
-- Not validated: every row that exists has null, and looking at all of them would lock the table for that long.
alter table transaction_lines
  add column total minor,
  add constraint transaction_lines_total check (2 * abs(total - amount * quantity) <= quantity) not valid;
