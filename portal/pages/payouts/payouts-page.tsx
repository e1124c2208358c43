import { useQuery } from '@tanstack/react-query';
import { Landmark } from 'lucide-react';
import { accountQuery } from '#portal/pages/settings/account-query.ts';
import { PERIOD_FIELDS } from '#portal/period.ts';
import { useSession } from '#portal/session.ts';
import { payouts as texts } from '#portal/texts/payouts.ts';
import { LinkButton } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { choiceField, optionalField, useListState } from '#ui/shell/list-state.ts';
import { Stack } from '#ui/stack.tsx';
import { Balances } from './balances.tsx';
import { PayoutList, PAYOUT_STATUSES } from './payout-list.tsx';
import { StatementCard } from './statement-card.tsx';

const SCHEMA = {
  ...PERIOD_FIELDS,
  status: choiceField(PAYOUT_STATUSES),
  currency: optionalField(),
  sort: optionalField(),
  after: optionalField(),
  page: optionalField(),
};

/** What somebody has, what they got, and the books of it. */
export function PayoutsPage() {
  const [{ from, until, ...list }, change] = useListState(SCHEMA);
  return (
    <Page title={texts.title} description={texts.description}>
      <Stack gap={5}>
        <MissingDetails />
        <Balances />
        <PayoutList state={list} onChange={change} />
        <StatementCard state={{ from, until }} onChange={change} />
      </Stack>
    </Page>
  );
}

/** Money that nobody knows where to send helps nobody. */
function MissingDetails() {
  const { portal } = useSession();
  const { data } = useQuery(accountQuery(useApi()));
  if (data === undefined || data.payoutDetails !== null) return null;
  const give = (
    <LinkButton href="/settings" variant="primary" icon={Landmark}>
      {texts.details.give}
    </LinkButton>
  );
  return (
    <Notice tone="warn" title={texts.details.title} actions={give}>
      {texts.details.detail(portal.name)}
    </Notice>
  );
}
