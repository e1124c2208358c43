import { overview as texts } from './overview-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Count } from '#web/ui/controls/count.tsx';
import { periodText } from '#web/ui/formats/periods.ts';
import { Money, MoneyList } from '#web/ui/controls/money.tsx';
import { Percent } from '#web/ui/controls/percent.tsx';
import { Stat } from '#web/ui/chart/stat.tsx';
import { rates } from './rates-texts.ts';
import { ALL, conversionRate, type Scope, shownIn } from './period-figures.ts';
import type { PeriodView } from './period-view.ts';
import { clicksHref, conversionsHref, salesHref } from './figure-links.ts';
import styles from './overview.module.css';

/**
 * Compares the figures of a period with an earlier period. For all partners and programs together, also shows the
 * amount owed now.
 */
export function FigureStats({ shown, scope = ALL }: { readonly shown: PeriodView; readonly scope?: Scope }) {
  const { now, before, comparedPeriod, period, view, currencies } = shown;
  const { currency, converted } = view;
  const isMixed = currencies.length > 1;
  const isOfAll = Object.keys(scope).length === 0;
  const against = comparedPeriod && texts.before(periodText(comparedPeriod));
  const amounts = now && shownIn(now, view);
  const amountsBefore = before && shownIn(before, view);
  const listed = { ...scope, period, ...(converted ? {} : { currency }) };
  return (
    <div className={styles.around}>
      <div className={isOfAll ? styles.stats : styles.ownStats} role="group" aria-label={texts.figures}>
        <Stat
          label={texts.visits}
          value={now && <Count value={now.visits ?? 0} />}
          now={now?.visits ?? 0}
          before={before?.visits ?? undefined}
          against={against}
          href={scope.programId === undefined ? clicksHref({ ...scope, period }) : undefined}
        />
        <Stat
          label={texts.sales}
          value={amounts && <Count value={amounts.sales} />}
          now={amounts?.sales}
          before={amountsBefore?.sales}
          against={against}
          hint={isMixed && !converted ? currency : undefined}
          href={salesHref({ ...listed, type: 'sale' })}
        />
        <Stat
          label={texts.rate}
          value={now && <Percent ratio={conversionRate(now)} />}
          now={now && finite(conversionRate(now))}
          before={before && finite(conversionRate(before))}
          change="points"
          against={against}
          hint={isMixed ? rates.allCurrencies : undefined}
        />
        <Stat
          label={texts.revenue}
          value={amounts && <Money minor={amounts.revenue} currency={currency} approximate={converted} />}
          now={amounts?.revenue}
          before={amountsBefore?.revenue}
          against={against}
          href={salesHref(listed)}
        />
        <Stat
          label={texts.earned}
          value={amounts && <Money minor={amounts.earned} currency={currency} approximate={converted} />}
          now={amounts?.earned}
          before={amountsBefore?.earned}
          against={against}
          good="none"
          href={conversionsHref(listed)}
        />
        {isOfAll && (converted ? <OwedStats /> : <OwedStat currency={currency} />)}
      </div>
    </div>
  );
}

function OwedStat({ currency }: { readonly currency: string }) {
  const { data } = useRead(['owed'], (api, options) => api.owed.get(options));
  const owed = data?.find((amounts) => amounts.currency === currency);
  return (
    <Stat
      label={texts.owed}
      value={data && <Money minor={(owed?.pending ?? 0) + (owed?.inPayout ?? 0)} currency={currency} />}
      hint={texts.owedHint}
      href={`/payouts?currency=${currency}`}
    />
  );
}

/** Shows the amount owed in each currency. Owed amounts are never converted. */
function OwedStats() {
  const { data } = useRead(['owed'], (api, options) => api.owed.get(options));
  const owed = data?.map(({ currency, pending, inPayout }) => ({ currency, minor: pending + inPayout }));
  return (
    <Stat
      label={texts.owed}
      value={owed && <MoneyList below amounts={owed.filter(({ minor }) => minor !== 0)} />}
      hint={texts.owedHint}
      href="/payouts"
    />
  );
}

function finite(ratio: number): number | undefined {
  return Number.isFinite(ratio) ? ratio : undefined;
}
