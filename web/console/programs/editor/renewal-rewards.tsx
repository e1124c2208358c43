import { Plus, X } from 'lucide-react';
import { fieldsOf } from '#web/ui/form/form.tsx';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import type { TermsProps } from './basics.tsx';
import { newKey, type RenewalRewardDraft } from './draft.ts';
import styles from './editor.module.css';
import { programEditor as texts } from './program-editor-texts.ts';
import { RewardFields } from './reward-fields.tsx';

const words = texts.pays.aged;

/** Edits the rewards of renewals. Each reward applies from a number of months after the sale. */
export function RenewalRewards({ draft, onChange }: TermsProps) {
  const { renewalRewards } = draft;
  const set = (now: readonly RenewalRewardDraft[]) => onChange({ renewalRewards: now });
  const change = (key: number, patch: Partial<RenewalRewardDraft>) =>
    set(renewalRewards.map((each) => (each.key === key ? { ...each, ...patch } : each)));
  const field = (each: RenewalRewardDraft, at: number) =>
    fieldsOf(each, (patch) => change(each.key, patch), `renewalRewards.${at}.`);
  return (
    <Stack gap={2}>
      <span className={styles.partTitle}>{words.title}</span>
      <span className={styles.hint}>{words.help}</span>
      {renewalRewards.map((each, at) => (
        <fieldset key={each.key} className={`${styles.row} ${styles.boxed}`} aria-label={words.row(at + 1)}>
          <div className={styles.rows}>
            <div className={styles.short}>
              <NumberField
                label={words.from}
                {...field(each, at)('afterMonths')}
                suffix={texts.pays.monthsUnit}
                min={0}
              />
            </div>
            <RewardFields {...field(each, at)('reward')} currency={draft.currency} />
          </div>
          <IconButton
            icon={X}
            label={words.remove(at + 1)}
            onClick={() => set(renewalRewards.filter(({ key }) => key !== each.key))}
          />
        </fieldset>
      ))}
      <Row>
        <Button
          size="small"
          icon={Plus}
          onClick={() =>
            set([
              ...renewalRewards,
              { key: newKey(), afterMonths: renewalRewards.length === 0 ? 12 : null, reward: draft.reward },
            ])
          }
        >
          {words.add}
        </Button>
      </Row>
    </Stack>
  );
}
