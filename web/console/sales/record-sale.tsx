import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCollaboratorChoices } from '../choices.ts';
import { CurrencyField } from '../currency-field.tsx';
import { sales as texts } from './sales-texts.ts';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { majorText } from '#web/ui/formats/money.ts';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { toast } from '#web/ui/feedback/toast.tsx';

const words = texts.record;

const LONGEST_ORDER = 255;
/**
 * The time from a click to its hand-recorded sale, in milliseconds. The click is dated back, so that the sale follows
 * it.
 */
const CLICK_BEFORE_MS = 3_600_000;

/** The source of hand-recorded sales. It keeps their order numbers separate from the order numbers of a shop. */
const SOURCE = 'manual';

export type RecordSaleProps = { readonly open: boolean; readonly onClose: () => void };

/**
 * Records a sale that no shop reports, such as an order by phone. With a partner, also records a click on a link of the
 * partner.
 */
export function RecordSaleDialog({ open, onClose }: RecordSaleProps) {
  return (
    <Dialog open={open} onClose={onClose} title={words.title} description={words.description}>
      {open && <RecordSaleForm onClose={onClose} />}
    </Dialog>
  );
}

function RecordSaleForm({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const client = useQueryClient();
  const { navigate } = useLinks();
  const collaborators = useCollaboratorChoices();
  const [order, setOrder] = useState('');
  const [chosenCurrency, setCurrency] = useState<string>();
  const { data: newestCurrency } = useQuery({
    queryKey: ['transactions', 'newest-currency'],
    queryFn: async ({ signal }) =>
      (await api.transactions.list({ type: 'sale', perPage: 1 }, { signal }).page()).data[0]?.currency ?? null,
  });
  const currency = chosenCurrency ?? newestCurrency ?? 'USD';
  const [total, setTotal] = useState<number | null>(null);
  const [partner, setPartner] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  // Each attempt has the same key and time, so that repeated attempts record only one click.
  const [click] = useState(() => ({
    key: `console-${crypto.randomUUID()}`,
    occurredAt: new Date(Date.now() - CLICK_BEFORE_MS).toISOString(),
  }));
  const record = useMutation({
    mutationFn: async (sale: { readonly externalId: string; readonly total: string }) => {
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
    onSuccess: async (id) => {
      const changed = ['conversions', 'transactions', 'opportunities', 'owed', 'balances'];
      await Promise.all(changed.map((noun) => client.invalidateQueries({ queryKey: [noun] })));
      toast.success(words.done);
      if (id === undefined) onClose();
      else navigate(`/sales/${id}`);
    },
  });
  const externalId = order.trim();
  const submit = (): void => {
    setTried(true);
    if (externalId !== '' && total !== null) record.mutate({ externalId, total: majorText(total) });
  };
  return (
    <Form onSubmit={submit} error={record.error}>
      <TextField
        label={words.order}
        name="externalId"
        description={words.orderHelp}
        maxLength={LONGEST_ORDER}
        value={order}
        onChange={setOrder}
        error={tried && externalId === '' ? words.orderMissing : undefined}
      />
      <CurrencyField label={words.currency} name="currency" value={currency} onChange={setCurrency} />
      <MoneyField
        label={words.total}
        name="total"
        description={words.totalHelp}
        currency={currency}
        value={total}
        onChange={setTotal}
        error={tried && total === null ? words.totalMissing : undefined}
      />
      <Combobox
        label={words.partner}
        name="collaboratorId"
        optional
        description={words.partnerHelp}
        {...collaborators}
        value={partner}
        onChange={setPartner}
      />
      <FormActions submitLabel={words.submit} busy={record.isPending} onCancel={onClose} />
    </Form>
  );
}
