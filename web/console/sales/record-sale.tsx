import { useState } from 'react';
import { useCollaboratorChoices } from '../choices.ts';
import { CurrencyField } from '../currency-field.tsx';
import { sales as texts } from './sales-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { majorText } from '#web/ui/formats/money.ts';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { useLinks } from '#web/ui/controls/links.ts';

const words = texts.record;

const LONGEST_ORDER = 255;
/**
 * The time from a click to its hand-recorded sale, in milliseconds. The click is dated back, so that the sale follows
 * it.
 */
const CLICK_BEFORE_MS = 3_600_000;

/** The source of hand-recorded sales. It keeps their order numbers separate from the order numbers of a shop. */
const SOURCE = 'manual';

/**
 * Records a sale that no shop reports, such as an order by phone. With a partner, also records a click on a link of the
 * partner.
 */
export function RecordSaleDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={words.title} description={words.description}>
      {open && <RecordSaleForm onClose={onClose} />}
    </Dialog>
  );
}

function RecordSaleForm({ onClose }: { readonly onClose: () => void }) {
  const { navigate } = useLinks();
  const collaborators = useCollaboratorChoices();
  const [{ externalId: order, total, collaboratorId: partner }, field] = useDraft({
    externalId: '',
    total: null as number | null,
    collaboratorId: null as string | null,
  });
  const [chosenCurrency, setCurrency] = useState<string>();
  const { data: newestCurrency } = useRead(
    ['transactions', 'newest-currency'],
    async (api, options) =>
      (await api.transactions.list({ type: 'sale', perPage: 1 }, options).page()).data[0]?.currency ?? null,
  );
  const currency = chosenCurrency ?? newestCurrency ?? 'USD';
  const [tried, setTried] = useState(false);
  // Each attempt has the same key and time, so that repeated attempts record only one click.
  const [click] = useState(() => ({
    key: `console-${crypto.randomUUID()}`,
    occurredAt: new Date(Date.now() - CLICK_BEFORE_MS).toISOString(),
  }));
  const record = useCall(
    async (api, sale: { readonly externalId: string; readonly total: string }) => {
      const trackingId =
        partner === null
          ? null
          : await api.report.visit(
              { collaboratorId: Number(partner), occurredAt: click.occurredAt },
              { idempotencyKey: `${click.key}-${partner}` },
            );
      await api.report.sale({ source: SOURCE, ...sale, currency, trackingId });
      const { data } = await api.transactions
        .list({ source: SOURCE, externalId: sale.externalId, type: 'sale', perPage: 1 })
        .page();
      return data[0]?.id;
    },
    {
      reloads: ['conversions', 'transactions', 'opportunities', 'owed', 'balances'],
      done: words.done,
      onDone: (id) => {
        if (id === undefined) onClose();
        else navigate(`/sales/${id}`);
      },
    },
  );
  const externalId = order.trim();
  const submit = (): void => {
    setTried(true);
    if (externalId !== '' && total !== null) record.mutate({ externalId, total: majorText(total) });
  };
  return (
    <Form onSubmit={submit} error={record.error}>
      <TextField
        label={words.order}
        {...field('externalId')}
        description={words.orderHelp}
        maxLength={LONGEST_ORDER}
        error={tried && externalId === '' ? words.orderMissing : undefined}
      />
      <CurrencyField label={words.currency} name="currency" value={currency} onChange={setCurrency} />
      <MoneyField
        label={words.total}
        {...field('total')}
        description={words.totalHelp}
        currency={currency}
        error={tried && total === null ? words.totalMissing : undefined}
      />
      <Combobox
        label={words.partner}
        {...field('collaboratorId')}
        optional
        description={words.partnerHelp}
        {...collaborators}
      />
      <FormActions submitLabel={words.submit} busy={record.isPending} onCancel={onClose} />
    </Form>
  );
}
