import { useQuery } from '@tanstack/react-query';
import type { Organization } from '@whence/sdk';
import { useState } from 'react';
import { CurrencyField } from '../currency-field.tsx';
import { organizationQuery, usePermission } from '../session.ts';
import { rates as texts } from './rates-texts.ts';
import { ImportRates } from './import-rates.tsx';
import { Loaded } from '#web/ui/feedback/loaded.tsx';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Day } from '#web/ui/controls/time.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { dayOf } from '#web/ui/formats/time.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Facts, Page } from '#web/ui/shell/page.tsx';

const NONE = '';
const RATES = ['exchangeRates'];

/** Shows and changes the reporting currency and the exchange rates. */
export function RatesPage() {
  const api = useApi();
  const query = useQuery(organizationQuery(api));
  const may = usePermission('resources:write');
  return (
    <Page
      title={texts.title}
      description={texts.description}
      breadcrumbs={[{ label: texts.settings, href: '/settings' }]}
      width="narrow"
    >
      <Stack gap={4}>
        <Card title={texts.currency}>
          <Loaded query={query} lines={2}>
            {(data) => <ReportingCurrency key={data.reportingCurrency} organization={data} />}
          </Loaded>
        </Card>
        <RatesCard />
        {may && <ImportRates />}
        {may && <EnterRate />}
      </Stack>
    </Page>
  );
}

function ReportingCurrency({ organization }: { readonly organization: Organization }) {
  const may = usePermission('keys:write');
  const before = organization.reportingCurrency ?? NONE;
  const [{ reportingCurrency: currency }, field] = useDraft({ reportingCurrency: before });
  const save = useCall((api) => api.organization.update({ reportingCurrency: currency === NONE ? null : currency }), {
    reloads: 'all',
    done: texts.saved,
  });
  return (
    <Form call={save}>
      <Select
        label={texts.currency}
        {...field('reportingCurrency')}
        description={texts.currencyHelp}
        disabled={!may}
        options={optionsWith(before)}
      />
      {may && <FormActions submitLabel={texts.save} disabled={currency === before} />}
    </Form>
  );
}

/** The currencies to choose from, in which most companies keep their books. The API also accepts other currencies. */
const USUAL =
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR';

function optionsWith(currency: string) {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' });
  const codes = new Set([...USUAL.split(' '), ...(currency === NONE ? [] : [currency])]);
  return [
    { value: NONE, label: texts.none },
    ...[...codes].toSorted().map((code) => ({ value: code, label: `${code} · ${names.of(code) ?? code}` })),
  ];
}

function RatesCard() {
  const query = useRead(RATES, (api, options) => api.exchangeRates.list({}, options));
  return (
    <Card title={texts.rates} description={texts.ratesHelp}>
      <Loaded query={query} lines={4}>
        {(data) =>
          data.length === 0 ? (
            <Text tone="muted">{texts.noRates}</Text>
          ) : (
            <Facts
              items={data.map(({ currency, day, rate }) => ({
                label: currency,
                value: (
                  <span>
                    {texts.rate(rate, currency)}{' '}
                    <Text tone="muted">
                      {texts.since} <Day day={day} />
                    </Text>
                  </span>
                ),
              }))}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

function EnterRate() {
  const [{ currency, rate }, field, changeDraft] = useDraft({ currency: 'USD', rate: '' });
  const [day, setDay] = useState(() => dayOf(Date.now()));
  const save = useCall(
    (api) => api.exchangeRates.save({ rates: [{ currency, day, rate: rate.trim().replace(',', '.') }] }),
    { reloads: 'all', done: texts.added, onAnswer: () => changeDraft({ rate: '' }) },
  );
  return (
    <Card title={texts.enter}>
      <Form call={save}>
        <CurrencyField label={texts.of} {...field('currency')} />
        <TextField label={texts.day} name="day" type="date" value={day} onChange={setDay} />
        <TextField label={texts.oneEuro} {...field('rate')} inputMode="decimal" suffix={currency} />
        <FormActions submitLabel={texts.add} disabled={rate.trim() === '' || day === ''} />
      </Form>
    </Card>
  );
}
