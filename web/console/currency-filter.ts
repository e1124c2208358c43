import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';
import { useMemo } from 'react';
import { currencyLabel } from './currency-field.tsx';
import { owedQuery } from './payouts/owed-query.ts';
import { currenciesOf, figuresQuery } from './reporting/period-figures.ts';
import { addDays, dayOf } from '#web/ui/formats/time.ts';
import { Chooser } from '#web/ui/form/combobox.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import type { Filter } from '#web/ui/table/filters.ts';

/** The age in days up to which a sale's currency is offered. It is the longest period of the API's figures. */
const SALES_DAYS = 400;

/** Returns a filter by one of the currencies of the organization's commissions and recent sales. */
export function useCurrencyFilter(label: string): Filter {
  const api = useApi();
  const client = useQueryClient();
  return useMemo(
    () => ({
      id: 'currency',
      label,
      kind: 'lookup',
      chooser: Chooser,
      name: 'currency',
      load: async (text) => {
        const options = (await existingCurrencies(api, client)).map(toOption);
        return options.filter((option) => option.label.toLowerCase().includes(text.toLowerCase()));
      },
      find: (code) => Promise.resolve(toOption(code)),
    }),
    [api, client, label],
  );
}

async function existingCurrencies(api: Whence, client: QueryClient): Promise<string[]> {
  const until = addDays(dayOf(Date.now()), 1);
  const [owed, sold] = await Promise.all([
    client.fetchQuery(owedQuery(api)),
    client.fetchQuery(figuresQuery(api, 'total', { from: addDays(until, -SALES_DAYS), until })),
  ]);
  return [...new Set([...owed.map(({ currency }) => currency), ...currenciesOf(sold.rows[0])])].toSorted();
}

function toOption(code: string) {
  return { value: code, label: currencyLabel(code) };
}
