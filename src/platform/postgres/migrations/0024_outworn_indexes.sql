-- The four before this have others in their place.

drop index engagements_collaborator;
drop index conversions_collaborator;
drop index conversions_program;
drop index obligations_collaborator;
drop index transactions_refunds;
