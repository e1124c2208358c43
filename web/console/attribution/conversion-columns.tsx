import type { Conversion } from '@whence/sdk';
import { useMemo } from 'react';
import { useCollaboratorChoices, useProgramChoices, partnerFilter, programFilter } from '../choices.ts';
import { useCurrencyFilter } from '../currency-filter.ts';
import { CollaboratorName, OrderName, ProgramName } from '../names.tsx';
import { conversions as texts } from './conversions-texts.ts';
import { Badge, StatusBadge } from '#web/ui/controls/badge.tsx';
import type { Column } from '#web/ui/table/data-table.tsx';
import type { Filter } from '#web/ui/table/filters.ts';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { choiceFilter, choiceField, optionalField, PLACE_FIELDS, optionalFields } from '#web/ui/shell/list-state.ts';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { ConversionStatus } from './conversion-status.tsx';
import type { ReviewAction } from './undoable-reviews.ts';

const STATUSES = ['pending', 'approved', 'rejected'] as const;
const REVIEWS = ['held', 'resolved', 'none'] as const;
const TYPES = ['sale', 'lead', 'renewal', 'manual'] as const;

/** The fields that the conversion lists keep in the URL. */
export const listFields = {
  search: optionalField(),
  status: choiceField(STATUSES),
  review: choiceField(REVIEWS),
  type: choiceField(TYPES),
  ...optionalFields('programId', 'collaboratorId', 'currency', 'createdFrom', 'createdUntil'),
  ...PLACE_FIELDS,
};

type FilterOptions = { readonly withStatus: boolean; readonly withReview: boolean };

/** Returns the filters of a conversion list. The filters by status and by review are optional. */
export function useFilters({ withStatus, withReview }: FilterOptions): readonly Filter[] {
  const programs = useProgramChoices();
  const collaborators = useCollaboratorChoices();
  const currency = useCurrencyFilter(texts.filters.currency);
  return useMemo(
    () => [
      ...(withStatus ? [choiceFilter('status', texts.filters.status, texts.statuses, STATUSES)] : []),
      ...(withReview ? [choiceFilter('review', texts.filters.review, texts.reviews, REVIEWS)] : []),
      programFilter(texts.filters.program, programs),
      partnerFilter(texts.filters.collaborator, collaborators),
      choiceFilter('type', texts.filters.type, texts.types, TYPES),
      currency,
      { id: 'earned', label: texts.filters.earned, kind: 'period', from: 'createdFrom', until: 'createdUntil' },
    ],
    [withStatus, withReview, programs, collaborators, currency],
  );
}

type ConversionColumn = Column<Conversion>;

export const COLLABORATOR: ConversionColumn = {
  id: 'collaborator',
  header: texts.columns.collaborator,
  cell: ({ collaboratorId }) => <CollaboratorName id={collaboratorId} link={false} />,
};

export const ORDER: ConversionColumn = {
  id: 'order',
  header: texts.columns.order,
  cell: ({ transactionId, type, review, holdReasons }) => (
    <>
      <OrderName id={transactionId} />
      {type !== 'sale' && (
        <>
          {' '}
          <Badge>{texts.types[type]}</Badge>
        </>
      )}
      {review === 'held' && (
        <>
          {' '}
          <StatusBadge status="flagged" label={heldWords(holdReasons)} />
        </>
      )}
    </>
  ),
};

/** Returns a text such as `Held: Sold very soon`. */
export function heldWords(reasons: Conversion['holdReasons']): string {
  return `${texts.reviews['held']}: ${reasonWords(reasons)}`;
}

export function reasonWords(reasons: Conversion['holdReasons'] = []): string {
  return reasons.map((reason) => texts.holdReasons[reason] ?? reason).join(', ');
}

export const PROGRAM: ConversionColumn = {
  id: 'program',
  header: texts.columns.program,
  cell: ({ programId }) => <ProgramName id={programId} />,
  priority: 2,
};

export const AMOUNT: ConversionColumn = {
  id: 'amount',
  header: texts.columns.amount,
  align: 'end',
  cell: ({ amount, currency, status }) =>
    status === 'rejected' ? (
      <Text tone="faint">
        <s>
          <Money minor={amount} currency={currency} />
        </s>
      </Text>
    ) : (
      <Money minor={amount} currency={currency} />
    ),
};

export const EARNED: ConversionColumn = {
  id: 'earned',
  header: texts.columns.earned,
  sort: 'createdAt',
  cell: ({ createdAt }) => <Time at={createdAt} />,
  priority: 2,
};

/**
 * The column EARNED for lists of one partner, of pending conversions, or of conversions in review. It sorts by id
 * instead of time, because these lists have an index only by id. Ids are in time order.
 */
export const EARNED_BY_ID: ConversionColumn = { ...EARNED, sort: 'id' };

export const APPROVES: ConversionColumn = {
  id: 'approves',
  header: texts.columns.approves,
  cell: ({ approvesAt }) =>
    approvesAt === undefined ? <Text tone="faint">{NOTHING}</Text> : <Time at={approvesAt} as="date" />,
  priority: 3,
  onCard: false,
};

/** Returns the status column. `undoable` contains the reviews that can still be undone. */
export function statusColumn(undoable: ReadonlyMap<number, ReviewAction>): ConversionColumn {
  return {
    id: 'status',
    header: texts.columns.status,
    cell: (conversion) => {
      const action = undoable.get(conversion.id);
      return action === undefined ? (
        <ConversionStatus conversion={conversion} />
      ) : (
        <StatusBadge status="processing" label={texts.undoable[action]} />
      );
    },
  };
}
