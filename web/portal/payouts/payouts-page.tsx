import { useQuery } from '@tanstack/react-query';
import { FileText, Landmark } from 'lucide-react';
import { accountQuery } from '../settings/account-query.ts';
import { taxQuery } from '../settings/tax-query.ts';
import { PERIOD_FIELDS } from '../period.ts';
import { useSession } from '../session.ts';
import { payouts as texts } from './payouts-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { choiceField, optionalField, useListState, PLACE_FIELDS } from '#web/ui/shell/list-state.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Balances } from './balances.tsx';
import { PayoutList, PAYOUT_STATUSES } from './payout-list.tsx';
import { StatementCard } from './statement-card.tsx';

const SCHEMA = {
  ...PERIOD_FIELDS,
  status: choiceField(PAYOUT_STATUSES),
  currency: optionalField(),
  ...PLACE_FIELDS,
};

export function PayoutsPage() {
  const [{ from, until, ...list }, change] = useListState(SCHEMA);
  return (
    <Page title={texts.title} description={texts.description}>
      <Stack gap={5}>
        <MissingDetails />
        <MissingTaxDetails />
        <Balances />
        <PayoutList state={list} onChange={change} />
        <StatementCard state={{ from, until }} onChange={change} />
      </Stack>
    </Page>
  );
}

/** Asks for payout details if they are missing, because the merchant needs them to pay the partner. */
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

/** Asks for tax details if the merchant can't pay the partner without them. */
function MissingTaxDetails() {
  const { portal } = useSession();
  const { data } = useQuery(taxQuery(useApi()));
  if (data === undefined || data.taxDetails !== null || data.setting !== 'required') return null;
  const give = (
    <LinkButton href="/settings" variant="primary" icon={FileText}>
      {texts.tax.give}
    </LinkButton>
  );
  return (
    <Notice tone="warn" title={texts.tax.title} actions={give}>
      {texts.tax.detail(portal.name)}
    </Notice>
  );
}
