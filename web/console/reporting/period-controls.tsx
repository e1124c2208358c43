import { GitCompareArrows } from 'lucide-react';
import { CurrencyChoice } from './currency-view.tsx';
import { overview as texts } from './overview-texts.ts';
import type { PeriodState, PeriodView } from './period-view.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { PeriodPicker } from '#web/ui/overlay/period-picker.tsx';

type PeriodControlsProps = {
  readonly shown: PeriodView;
  readonly compare: PeriodState['compare'];
  readonly onChange: (patch: Partial<PeriodState>, options?: { readonly replace?: boolean }) => void;
};

const COMPARISONS = (['previous', 'year', 'none'] as const).map((value) => ({
  value,
  label: texts.comparisons[value],
}));

/** Shows the choice of the currency, the period and the period to compare with. */
export function PeriodControls({ shown: { period, known, currencies }, compare, onChange }: PeriodControlsProps) {
  return (
    <Row>
      <CurrencyChoice
        currencies={currencies}
        view={known}
        onChange={(currency) => onChange({ currency }, { replace: true })}
      />
      <PeriodPicker value={period} onChange={onChange} />
      <Menu
        trigger={<Button icon={GitCompareArrows}>{texts.comparisons[compare]}</Button>}
        items={[
          { heading: texts.compareWith },
          ...COMPARISONS.map(({ value, label }) => ({
            label,
            checked: value === compare,
            onSelect: () => onChange({ compare: value }, { replace: true }),
          })),
        ]}
      />
    </Row>
  );
}
