import { Calendar, Check } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import { periodText } from '../formats/periods.ts';
import { addDays, type Period, utcDay } from '../formats/time.ts';
import styles from './period-picker.module.css';
import { Popover } from './popover.tsx';
import popup from './popup.module.css';
import { TextField } from '../form/text-field.tsx';
import { texts } from '../shell/texts.ts';

export type PeriodPickerProps = {
  /** The UTC days as reports use them, with `until` exclusive. */
  readonly value: Period;
  readonly onChange: (period: Period) => void;
  /** The longest period in days. Default: 400. */
  readonly maxDays?: number | undefined;
};

/** Selects the days of a report: a common or a custom period. */
export function PeriodPicker({ value, onChange, maxDays = 400 }: PeriodPickerProps) {
  const [today] = useState(() => utcDay(Date.now()));
  const presets = periodPresets(today);
  const label = presets.find(({ period }) => samePeriod(period, value))?.label ?? periodText(value);
  return (
    <Popover
      trigger={<Button icon={Calendar}>{label}</Button>}
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
                  icon={samePeriod(period, value) ? Check : undefined}
                  aria-pressed={samePeriod(period, value)}
                  onClick={() => choose(period)}
                >
                  {label}
                </Button>
              ))}
            </div>
            <Custom value={value} onChange={choose} maxDays={maxDays} />
          </div>
        );
      }}
    </Popover>
  );
}

type CustomProps = { readonly value: Period; readonly onChange: (period: Period) => void; readonly maxDays: number };

function Custom({ value, onChange, maxDays }: CustomProps) {
  const [from, setFrom] = useState(value.from);
  const [last, setLast] = useState(addDays(value.until, -1));
  const complete = from !== '' && last !== '';
  const backwards = complete && from > last;
  // Compare dates, because counting the days up to a mistyped year would take long.
  const tooLong = complete && !backwards && addDays(from, maxDays) <= last;
  return (
    <>
      <div className={styles.days}>
        <TextField label={texts.period.from} type="date" value={from} onChange={setFrom} />
        <TextField
          label={texts.period.to}
          type="date"
          value={last}
          onChange={setLast}
          error={backwards ? texts.period.backwards : tooLong ? texts.period.tooLong(maxDays) : undefined}
        />
      </div>
      <div className={styles.foot}>
        <span className={styles.hint}>{texts.period.utc}</span>
        <Button
          size="small"
          variant="primary"
          disabled={!complete || backwards || tooLong}
          onClick={() => onChange({ from, until: addDays(last, 1) })}
        >
          {texts.apply}
        </Button>
      </div>
    </>
  );
}

export type PeriodPreset = { readonly label: string; readonly period: Period };

/** Returns the common periods relative to a UTC day, with the default first. */
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
