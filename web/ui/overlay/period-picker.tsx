import { Calendar, Check } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { periodText } from '../formats/periods.ts';
import { addDays, dayOf, type Period } from '../formats/time.ts';
import styles from './period-picker.module.css';
import { Popover } from './popover.tsx';
import popup from './popup.module.css';
import { texts } from '../shell/texts.ts';

/**
 * The fields for a custom period. Their code loads when the picker first opens, because it is large compared with a
 * page.
 */
const CustomPeriod = lazy(async () => {
  const module = await import('./custom-period.tsx');
  return { default: module.CustomPeriod };
});

/** The longest period of reports, in days. */
const MAX_DAYS = 400;

export type PeriodPickerProps = {
  /** The selected days. `until` is exclusive, as in reports. */
  readonly value: Period;
  readonly onChange: (period: Period) => void;
  /** The longest period to accept, in days. It defaults to the limit of reports. */
  readonly maxDays?: number | undefined;
};

/** Selects the days of a report: a common or a custom period. */
export function PeriodPicker({ value, onChange, maxDays = MAX_DAYS }: PeriodPickerProps) {
  const [today] = useState(() => dayOf(Date.now()));
  const presets = periodPresets(today);
  const [preferred, setPreferred] = useState<string>();
  // On some days, such as the 30th, two presets have the same days. Mark only one of them.
  const same = presets.filter(({ period }) => samePeriod(period, value));
  const current = same.find(({ label }) => label === preferred) ?? same[0];
  return (
    <Popover
      trigger={<Button icon={Calendar}>{current?.label ?? periodText(value)}</Button>}
      label={texts.period.label}
      align="end"
      className={popup.panel}
    >
      {(close) => {
        const choose = (period: Period) => {
          close();
          onChange(period);
        };
        return (
          <div className={styles.panel}>
            <div className={styles.presets}>
              {presets.map(({ label, period }) => (
                <Button
                  key={label}
                  size="small"
                  variant="ghost"
                  icon={label === current?.label ? Check : undefined}
                  aria-pressed={label === current?.label}
                  onClick={() => {
                    setPreferred(label);
                    choose(period);
                  }}
                >
                  {label}
                </Button>
              ))}
            </div>
            <Suspense>
              <CustomPeriod value={value} onChange={choose} maxDays={maxDays} />
            </Suspense>
          </div>
        );
      }}
    </Popover>
  );
}

export type PeriodPreset = { readonly label: string; readonly period: Period };

/** Returns the common periods relative to a day, with the default first. */
export function periodPresets(today: string): PeriodPreset[] {
  const until = addDays(today, 1);
  const month = `${today.slice(0, 7)}-01`;
  const lastMonth = `${addDays(month, -1).slice(0, 7)}-01`;
  return [
    { label: texts.period.last30, period: { from: addDays(until, -30), until } },
    { label: texts.period.last7, period: { from: addDays(until, -7), until } },
    { label: texts.period.last90, period: { from: addDays(until, -90), until } },
    { label: texts.period.thisMonth, period: { from: month, until } },
    { label: texts.period.lastMonth, period: { from: lastMonth, until: month } },
    { label: texts.period.thisYear, period: { from: `${today.slice(0, 4)}-01-01`, until } },
  ];
}

/** Returns whether two periods have the same days. */
export function samePeriod(one: Period, other: Period): boolean {
  return one.from === other.from && one.until === other.until;
}
