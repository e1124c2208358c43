import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Transaction } from '@whence/sdk';
import { HandCoins, Route, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { PaidNotes } from '../attribution/paid-notes.tsx';
import { Author } from '../author.tsx';
import { OrderName } from '../names.tsx';
import { usePermission } from '../session.ts';
import { sales as texts } from './sales-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Explanation } from '#web/ui/explanation/explanation.tsx';
import { NO_CURRENCY } from '#web/ui/formats/money.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { Facts, Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { besideField, choiceField, useListState } from '#web/ui/shell/list-state.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { CreditDialog } from './credit-dialog.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { SaleConversions } from './sale-conversions.tsx';
import { explanationQuery, isUndecided, saleKey, useUndecidedReports } from './sale-query.ts';
import { SaleCorrections, SaleLines, SaleRefunds, SaleRenewals } from './sale-parts.tsx';
import styles from './sales.module.css';

const BREADCRUMBS = [{ label: texts.title, href: '/sales' }];

const SCHEMA = { new: besideField(choiceField(['refund', 'credit'])) };

export function SalePage() {
  const { id } = useParams({ strict: false });
  const { data, error, refetch } = useRead(saleKey(id), (api, options) => api.transactions.get(id ?? '', options));
  if (data !== undefined) return <Loaded sale={data} />;
  return (
    <Page title={texts.oneTitle} breadcrumbs={BREADCRUMBS}>
      {error === null ? <Skeleton lines={6} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function Loaded({ sale }: { readonly sale: Transaction }) {
  const { type, externalId, status, opportunityId } = sale;
  const may = usePermission('resources:write');
  const mayReport = usePermission('events:write');
  const [{ new: opened }, change] = useListState(SCHEMA);
  const close = (): void => change({ new: undefined }, { replace: true });
  const canRefund = mayReport && type !== 'lead' && status === 'complete';
  const canCredit = may && status === 'complete';
  const isUpdating = useUndecidedReports(sale.id);
  return (
    <Page
      title={type === 'sale' ? externalId : texts.one.named(texts.one.title[type] ?? type, externalId)}
      badge={<StatusBadge status={status} label={texts.statuses[status]} />}
      breadcrumbs={BREADCRUMBS}
      actions={
        <>
          {opportunityId !== null && (
            <LinkButton href={`/opportunities/${opportunityId}`} icon={Route}>
              {texts.one.journey}
            </LinkButton>
          )}
          {canRefund && (
            <Button icon={Undo2} onClick={() => change({ new: 'refund' })}>
              {texts.one.refund}
            </Button>
          )}
          {canCredit && (
            <Button icon={HandCoins} onClick={() => change({ new: 'credit' })}>
              {texts.one.credit}
            </Button>
          )}
        </>
      }
    >
      <SaleFacts sale={sale} />
      <div className={styles.parts}>
        <Stack gap={4}>
          <Card title={texts.one.why}>
            <Why transactionId={sale.id} />
          </Card>
        </Stack>
        <Stack gap={4}>
          <SaleConversions transactionId={sale.id} isUpdating={isUpdating} />
          {type !== 'lead' && <SaleLines sale={sale} />}
          <SaleCorrections sale={sale} />
          <SaleRefunds sale={sale} />
          {type === 'sale' && <SaleRenewals transactionId={sale.id} />}
        </Stack>
      </div>
      {mayReport && <RefundDialog sale={sale} open={canRefund && opened === 'refund'} onClose={close} />}
      {may && <CreditDialog sale={sale} open={canCredit && opened === 'credit'} onClose={close} />}
    </Page>
  );
}

function SaleFacts({ sale }: { readonly sale: Transaction }) {
  const { total, refundedAmount, currency, source, occurredAt, renewsTransactionId, renewalNumber } = sale;
  const priced = currency !== NO_CURRENCY;
  const back = priced && refundedAmount > 0;
  return (
    <Facts
      beside
      items={[
        { label: texts.one.total, value: priced && <Money minor={total} currency={currency} /> },
        { label: texts.one.refunded, value: back && <Money minor={refundedAmount} currency={currency} /> },
        { label: texts.one.left, value: back && <Money minor={total - refundedAmount} currency={currency} /> },
        { label: texts.one.source, value: source },
        { label: texts.one.occurred, value: <Time at={occurredAt} as="datetime" /> },
        {
          label: texts.one.renews,
          value: renewsTransactionId !== undefined && (
            <>
              <OrderName id={renewsTransactionId} />
              {renewalNumber !== undefined && ` (${texts.one.renewal(renewalNumber)})`}
            </>
          ),
        },
      ]}
    />
  );
}

const LINKS = {
  collaborator: (id: number) => `/collaborators/${id}`,
  program: (id: number) => `/programs/${id}`,
  author: (author: string) => <Author author={author} />,
  rejected: (conversionId: number, otherwise: ReactNode) => (
    <PaidNotes conversionId={conversionId} otherwise={otherwise} isSentence />
  ),
};

function Why({ transactionId }: { readonly transactionId: number }) {
  const { data, error, refetch } = useQuery(explanationQuery(useApi(), transactionId));
  if (data !== undefined) return <Explanation explanation={data} links={LINKS} />;
  if (isUndecided(error)) return <Text tone="muted">{texts.one.undecided}</Text>;
  return error === null ? <Skeleton lines={8} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />;
}
