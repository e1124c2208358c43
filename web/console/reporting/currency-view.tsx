import { useSession } from '../session.ts';
import { overview as texts } from './overview-texts.ts';
import { ALL_CURRENCIES, type Counts, currenciesOf, USUAL_CURRENCY, type View } from './period-figures.ts';
import { rates } from './rates-texts.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';

/**
 * Returns the reporting currency if figures are converted into it. They are converted if the organization has a
 * reporting currency, and `chosen`, the currency in the URL, is not a single currency.
 */
export function useTargetCurrency(chosen: string | undefined): string | undefined {
  const { reportingCurrency } = useSession().organization;
  const isConverting = reportingCurrency !== null && (chosen ?? ALL_CURRENCIES) === ALL_CURRENCIES;
  return isConverting ? reportingCurrency : undefined;
}

/**
 * Returns the view of figures: converted into `convertTo`, in the `chosen` currency, or in the currency of `row` with
 * the highest revenue. Returns undefined while the currency is unknown, because `row` loads.
 */
export function viewOf(
  chosen: string | undefined,
  convertTo: string | undefined,
  row: Pick<Counts, 'amounts'> | undefined,
): View | undefined {
  if (convertTo !== undefined) return { currency: convertTo, converted: true };
  if (chosen !== undefined && chosen !== ALL_CURRENCIES) return { currency: chosen, converted: false };
  return row && { currency: currenciesOf(row)[0] ?? USUAL_CURRENCY, converted: false };
}

type CurrencyChoiceProps = {
  /** The currencies of the figures. */
  readonly currencies: readonly string[];
  readonly view: View | undefined;
  onChange(this: void, currency: string): void;
};

/**
 * Chooses the currency of figures, or all currencies in the reporting currency. Shows nothing if there is nothing to
 * choose.
 */
export function CurrencyChoice({ currencies, view, onChange }: CurrencyChoiceProps) {
  const { reportingCurrency } = useSession().organization;
  const codes = currencies.toSorted().map((code) => ({ value: code, label: code }));
  const options =
    reportingCurrency === null
      ? codes
      : [{ value: ALL_CURRENCIES, label: rates.converted(reportingCurrency) }, ...codes];
  if (options.length < 2 || view === undefined) return null;
  return (
    <Segmented
      label={texts.currency}
      options={options}
      value={view.converted ? ALL_CURRENCIES : view.currency}
      onChange={onChange}
    />
  );
}

type ViewNoteProps = {
  readonly view: View | undefined;
  /** The figures of the period, or undefined while they load. */
  readonly row: Counts | undefined;
  /** The shown figures that always count all currencies, as the subject of a sentence. */
  readonly others?: string | undefined;
};

/**
 * Shows which currencies the figures count. For converted figures, it names the currencies without a rate. For figures
 * in one currency, shows nothing if no other currency has figures.
 */
export function ViewNote({ view, row, others = rates.others }: ViewNoteProps) {
  if (view === undefined || row === undefined) return null;
  const { converted, currency } = view;
  const withoutRate = (converted && row.converted?.withoutRate) || [];
  if (withoutRate.length > 0) {
    return (
      <Notice tone="warn" title={rates.withoutRate(withoutRate.join(', '))}>
        <Link href="/settings/currency">{rates.rates}</Link>
      </Notice>
    );
  }
  if (!converted && currenciesOf(row).every((code) => code === currency)) return null;
  return (
    <Text tone="muted" size="small">
      {converted ? rates.convertedNote(currency) : rates.oneCurrencyNote(currency, others)}
    </Text>
  );
}
