import { CurrencyField } from '../../currency-field.tsx';
import { programEditor as texts } from './program-editor-texts.ts';
import { fieldsOf } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { type ChangeDraft, type Draft, withReward } from './draft.ts';
import styles from './editor.module.css';
import { RewardFields } from './reward-fields.tsx';

const words = texts.basics;

export type TermsProps = { readonly draft: Draft; readonly onChange: ChangeDraft };

/** Edits the basic terms, such as the name, the reward, the attribution and the approval. */
export function Basics({ draft, onChange }: TermsProps) {
  const field = fieldsOf(draft, onChange);
  return (
    <Card title={words.title}>
      <Stack gap={4}>
        <div className={styles.pair}>
          <TextField label={words.name} {...field('name')} maxLength={255} />
          <TextField
            label={words.description}
            {...field('description')}
            optional
            description={words.descriptionHelp}
            maxLength={2_000}
          />
        </div>
        <RewardFields
          name="reward"
          value={draft.reward}
          currency={draft.currency}
          onChange={(reward) => onChange(withReward(draft, reward))}
        />
        <div className={styles.short}>
          <CurrencyField label={texts.currencyLabel} {...field('currency')} />
        </div>
        <RadioCards
          label={words.attribution}
          {...field('attribution')}
          description={words.attributionHelp}
          options={optionsOf(words.attributions)}
        />
        <div className={styles.short}>
          <NumberField
            label={words.window}
            {...field('windowDays')}
            suffix={words.days}
            min={1}
            description={words.windowHelp}
          />
        </div>
        <Approval draft={draft} onChange={onChange} />
        <RadioCards label={words.enrollment} {...field('enrollment')} options={optionsOf(words.enrollments)} />
      </Stack>
    </Card>
  );
}

/** The default number of days until approval. Most return periods are at most two weeks. */
const USUAL_DAYS = 14;

function Approval({ draft, onChange }: TermsProps) {
  return (
    <Stack gap={3}>
      <RadioCards
        label={words.approval}
        name="autoApprove"
        options={optionsOf(words.approvals)}
        value={draft.approval}
        onChange={(approval) => onChange({ approval, approveAfterDays: draft.approveAfterDays ?? USUAL_DAYS })}
      />
      {draft.approval === 'after-days' && (
        <div className={styles.short}>
          <NumberField
            label={words.approveAfter}
            {...fieldsOf(draft, onChange)('approveAfterDays')}
            suffix={words.days}
            min={0}
          />
        </div>
      )}
    </Stack>
  );
}

type Words<Value extends string> = Readonly<Record<Value, readonly [label: string, description: string] | string[]>>;

export function optionsOf<Value extends string>(of: Words<Value>) {
  return (Object.keys(of) as Value[]).map((value) => {
    const [label = '', description] = of[value];
    return { value, label, ...(description === undefined ? {} : { description }) };
  });
}
