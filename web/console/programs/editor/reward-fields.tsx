import { programEditor as texts } from './program-editor-texts.ts';
import { fieldsOf } from '#web/ui/form/form.tsx';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import type { RewardDraft, RewardType } from './draft.ts';
import styles from './editor.module.css';

const words = texts.basics;
const TYPES: readonly RewardType[] = ['percent', 'per-sale', 'per-product', 'per-lead'];
const OPTIONS = TYPES.map((value) => ({ value, label: words.rewardTypes[value] }));

export type RewardFieldsProps = {
  readonly value: RewardDraft;
  readonly onChange: (reward: RewardDraft) => void;
  readonly currency: string;
  /** The path of the reward in the request body, such as `reward` or `tiers.steps.0.reward`. */
  readonly name: string;
  readonly label?: string | undefined;
};

export function RewardFields({ value, onChange, currency, name, label = words.reward }: RewardFieldsProps) {
  const field = fieldsOf(value, (patch) => onChange({ ...value, ...patch }), `${name}.`);
  return (
    <div className={styles.reward}>
      <Select label={label} options={OPTIONS} value={value.type} onChange={(type) => onChange({ ...value, type })} />
      {value.type === 'percent' ? (
        <NumberField label={words.percent} {...field('percent')} suffix="%" decimals={4} />
      ) : (
        <MoneyField
          label={words.amount}
          {...field('amount')}
          currency={currency}
          suffix={words.amountEach[value.type]}
        />
      )}
    </div>
  );
}
