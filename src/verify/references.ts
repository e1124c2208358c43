import { TEXT_USERS_BELOW } from '#core/user.ts';
import { type Invariant, organizationFilter } from './invariant.ts';

/** SQL condition for users with text ids. Only these users have a row in `text_users`. */
const IS_TEXT_USER = `child.user_id < ${TEXT_USERS_BELOW}`;

/**
 * Invariants for tables without foreign keys (docs/decisions/0007). They check the constraints that foreign keys would
 * enforce.
 */
export const REFERENCES: readonly Invariant[] = [
  orphans('visits', 'opportunity_id', 'opportunities', 'id'),
  orphans('visits', 'collaborator_id', 'collaborators', 'id'),
  orphans('visits', 'alias_id', 'aliases', 'id'),
  orphans('opportunities', 'user_id', 'text_users', 'user_id', IS_TEXT_USER),
  orphans('visits', 'user_id', 'text_users', 'user_id', IS_TEXT_USER),
  orphans('collaborator_versions', 'user_id', 'text_users', 'user_id', IS_TEXT_USER),
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
  // Columns with foreign keys are also checked, because a copy of a database can lack its foreign keys.
  orphans('collaborators', 'user_id', 'text_users', 'user_id', IS_TEXT_USER),
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

/** Returns the invariant that every row of `child` has its parent. A row with null in the column needs no parent. */
function orphans(child: string, column: string, parent: string, key: string, where = 'true'): Invariant {
  return {
    name: `every ${column} of ${child} refers to a row of ${parent} in the same organization`,
    query: `
      select format('organization %s: ${child} names %s %s, which does not exist', child.organization_id,
        '${column}', child.${column}) as detail
      from ${child} child
      left join ${parent} parent on parent.organization_id = child.organization_id and parent.${key} = child.${column}
      where ${organizationFilter('child')} and child.${column} is not null and parent.${key} is null and ${where}`,
  };
}
