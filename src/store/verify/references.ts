import { type Invariant, mine } from './invariant.ts';

/** Where tables have no foreign keys (docs/decisions/0007): what those would say is proved here. */
export const REFERENCES: readonly Invariant[] = [
  orphans('visits', 'opportunity_id', 'opportunities', 'id'),
  orphans('visits', 'collaborator_id', 'collaborators', 'id'),
  orphans('visits', 'alias_id', 'aliases', 'id'),
  orphans('engagements', 'opportunity_id', 'opportunities', 'id'),
  orphans('engagements', 'program_id', 'programs', 'id'),
  orphans('engagements', 'collaborator_id', 'collaborators', 'id'),
  orphans('engagements', 'copy_of', 'engagements', 'id'),
  orphans('transactions', 'event_id', 'events', 'id'),
  orphans('transactions', 'opportunity_id', 'opportunities', 'id', `child.opportunity_state <> 'removed'`),
  orphans('transaction_lines', 'transaction_id', 'transactions', 'id'),
  orphans('events', 'transaction_id', 'transactions', 'id'),
  orphans('refunds', 'transaction_id', 'transactions', 'id'),
  orphans('jobs', 'event_id', 'events', 'id'),
  orphans('explanations', 'transaction_id', 'transactions', 'id'),
  orphans('explanations', 'event_id', 'events', 'id'),
  orphans('conversions', 'engagement_id', 'engagements', 'id'),
  orphans('conversions', 'transaction_id', 'transactions', 'id'),
  orphans('obligations', 'conversion_id', 'conversions', 'id'),
  orphans('award_counters', 'program_id', 'programs', 'id'),
  orphans('award_counters', 'collaborator_id', 'collaborators', 'id'),
  // And where they have them: a copy that was made without its keys is found out.
  orphans('conversions', 'collaborator_id', 'collaborators', 'id'),
  orphans('obligations', 'payout_id', 'payouts', 'id'),
  orphans('payouts', 'fulfillment_id', 'fulfillments', 'id'),
  orphans('payouts', 'collaborator_id', 'collaborators', 'id'),
  orphans('payout_flags', 'payout_id', 'payouts', 'id'),
  orphans('payout_flags', 'obligation_id', 'obligations', 'id'),
  orphans('ledger_entries', 'obligation_id', 'obligations', 'id'),
  orphans('ledger_entries', 'payout_id', 'payouts', 'id'),
  orphans('ledger_entries', 'collaborator_id', 'collaborators', 'id'),
];

/** A column that is null names nothing. */
function orphans(child: string, column: string, parent: string, key: string, where = 'true'): Invariant {
  return {
    name: `every row of ${child} has its row of ${parent} by ${column} in the same organization`,
    query: `
      select format('organization %s: ${child} names %s %s, which is not there', child.organization_id,
        '${column}', child.${column}) as detail
      from ${child} child
      left join ${parent} parent on parent.organization_id = child.organization_id and parent.${key} = child.${column}
      where ${mine('child')} and child.${column} is not null and parent.${key} is null and ${where}`,
  };
}
