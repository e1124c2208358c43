import type { Payout } from '@whence/sdk';
import { useMemo } from 'react';
import { useCollaboratorChoices, partnerFilter } from '../choices.ts';
import { CollaboratorName } from '../names.tsx';
import { useCurrencyFilter } from '../currency-filter.ts';
import { payouts as texts } from './payouts-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import type { Column } from '#web/ui/table/data-table.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import type { Option } from '#web/ui/form/select.tsx';
import { payoutWords } from '#web/ui/formats/payout-words.ts';
import { PayoutMethod } from './payout-method.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Time } from '#web/ui/controls/time.tsx';

type PayoutColumn = Column<Payout>;

export const NUMBER: PayoutColumn = {
  id: 'payout',
  header: texts.columns.payout,
  sort: 'id',
  priority: 2,
  cell: ({ id }) => texts.payout(id),
};

export const COLLABORATOR: PayoutColumn = {
  id: 'collaborator',
  header: texts.columns.collaborator,
  cell: ({ collaboratorId }) => <CollaboratorName id={collaboratorId} link={false} />,
};

export const STATUS: PayoutColumn = {
  id: 'status',
  header: texts.columns.status,
  cell: ({ status, review }) => (
    <Row gap={1}>
      <StatusBadge status={status} label={texts.payoutStatuses[status]} />
      {review.state === 'flagged' && <StatusBadge status="flagged" label={texts.reviewStates['flagged']} />}
    </Row>
  ),
};

export const AMOUNT: PayoutColumn = {
  id: 'amount',
  header: texts.columns.amount,
  align: 'end',
  // A void payout has no amount, because its commissions are ready to pay again.
  cell: ({ status, amount, currency }) => (status === 'void' ? NOTHING : <Money minor={amount} currency={currency} />),
};

export const METHOD: PayoutColumn = {
  id: 'method',
  header: texts.details.column,
  cell: ({ payoutMethod }) => <PayoutMethod method={payoutMethod} />,
};

export const RUN: PayoutColumn = {
  id: 'run',
  header: texts.columns.run,
  priority: 2,
  cell: ({ fulfillmentId }) => <Link href={`/payouts/runs/${fulfillmentId}`}>{texts.run(fulfillmentId)}</Link>,
};

export const MADE: PayoutColumn = {
  id: 'made',
  header: texts.columns.made,
  sort: 'createdAt',
  priority: 3,
  cell: ({ createdAt }) => <Time at={createdAt} />,
};

export const PAID_AT: PayoutColumn = {
  id: 'paidAt',
  header: texts.columns.paidAt,
  priority: 3,
  cell: ({ paidAt }) => (paidAt === null ? NOTHING : <Time at={paidAt} as="date" />),
};

export const STATUS_FILTER: Filter = {
  id: 'status',
  label: texts.filters.status,
  kind: 'choice',
  name: 'status',
  options: choicesOf(texts.payoutStatuses),
};

export const REVIEW_FILTER: Filter = {
  id: 'review',
  label: texts.filters.review,
  kind: 'choice',
  name: 'review',
  options: choicesOf(texts.reviewStates),
};

export const METHOD_FILTER: Filter = {
  id: 'method',
  label: texts.details.filter,
  kind: 'choice',
  name: 'payoutMethod',
  options: choicesOf(payoutWords.methods),
};

export const MADE_FILTER: Filter = {
  id: 'made',
  label: texts.filters.made,
  kind: 'period',
  from: 'createdFrom',
  until: 'createdUntil',
};

export const PAID_FILTER: Filter = {
  id: 'paid',
  label: texts.filters.paid,
  kind: 'period',
  from: 'paidFrom',
  until: 'paidUntil',
};

/**
 * Returns a partner filter, a currency filter and the given filters. A run has only one currency, so `ofRun` omits the
 * currency filter.
 */
export function useFilters(filters: readonly Filter[], { ofRun = false } = {}): readonly Filter[] {
  const collaborators = useCollaboratorChoices();
  const currency = useCurrencyFilter(texts.filters.currency);
  return useMemo(
    () => [partnerFilter(texts.filters.collaborator, collaborators), ...(ofRun ? [] : [currency]), ...filters],
    [filters, collaborators, currency, ofRun],
  );
}

export function choicesOf(words: Readonly<Record<string, string>>): Option[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** Returns the shown undecided flags of a payout, oldest first. Each flag has an amount that is no longer owed. */
export function openFlags({ review }: Payout): Payout['review']['reasons'] {
  return review.reasons.filter(({ resolution }) => resolution === undefined);
}
