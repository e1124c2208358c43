import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useCollaboratorChoices } from '../../choices.ts';
import { programEditor as texts } from './program-editor-texts.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Form, fieldsOf } from '#web/ui/form/form.tsx';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import type { ShownFault } from '#web/ui/feedback/problem.ts';
import { Select } from '#web/ui/form/select.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import type { Draft } from './draft.ts';
import { newKey } from './draft.ts';
import styles from './editor.module.css';
import { type ExampleDraft, exampleKind, type ItemDraft, newTouch, type TouchDraft, type Tried } from './example.ts';
import { triggerName } from './reach-sections.tsx';
import { ExampleResults } from './results.tsx';
import { Words } from './words.tsx';

const words = texts.example;

export type PreviewProps = {
  readonly draft: Draft;
  readonly example: ExampleDraft;
  readonly onChange: (example: ExampleDraft) => void;
  readonly tried: Tried;
  /** The faults in the input of the worked example. */
  readonly faults: readonly ShownFault[];
};

/** Shows the rule text, and the commissions on an example sale that the user can edit. */
export function Preview({ draft, example, onChange, tried, faults }: PreviewProps) {
  const { shown, stale } = tried;
  return (
    <>
      <Card title={texts.words.title}>
        <Stack gap={3}>
          {shown === undefined ? <Skeleton lines={6} /> : <Words words={shown.words} stale={stale} />}
          {tried.faults.length > 0 && <p className={styles.hint}>{texts.words.waiting}</p>}
        </Stack>
      </Card>
      <Card title={words.title} description={words.help}>
        <Stack gap={4}>
          {tried.error !== undefined && <ErrorPanel error={tried.error} />}
          {shown === undefined ? <Skeleton lines={3} /> : <ExampleResults example={shown} stale={stale} />}
          <Form live={faults} onSubmit={nothing}>
            <SaleFields draft={draft} example={example} onChange={onChange} />
            <Touches draft={draft} example={example} onChange={onChange} />
          </Form>
        </Stack>
      </Card>
    </>
  );
}

function nothing(): void {
  // The example is calculated while the user types, so submitting its form does nothing.
}

type ExampleProps = Pick<PreviewProps, 'draft' | 'example' | 'onChange'>;

function SaleFields({ draft, example, onChange }: ExampleProps) {
  const kind = exampleKind(example, draft.pays);
  const field = fieldsOf(example, (patch) => onChange({ ...example, ...patch }), 'sale.');
  return (
    <>
      <div className={styles.fields}>
        {draft.pays.length > 1 && (
          <Select
            label={words.kind}
            options={draft.pays.map((value) => ({ value, label: words.kinds[value] }))}
            value={kind}
            onChange={(now) => onChange({ ...example, kind: now })}
          />
        )}
        {kind !== 'lead' && example.items.length === 0 && (
          <MoneyField label={words.total} {...field('total')} currency={draft.currency} />
        )}
        {kind === 'renewal' && <NumberField label={words.renewalNumber} {...field('renewalNumber')} min={1} />}
      </div>
      {kind !== 'lead' && <Items draft={draft} example={example} onChange={onChange} />}
    </>
  );
}

function Items({ draft, example, onChange }: ExampleProps) {
  const { items } = example;
  const set = (now: readonly ItemDraft[]) => onChange({ ...example, items: now });
  const change = (key: number, patch: Partial<ItemDraft>) =>
    set(items.map((item) => (item.key === key ? { ...item, ...patch } : item)));
  const field = (item: ItemDraft, at: number) =>
    fieldsOf(item, (patch) => change(item.key, patch), `sale.items.${at}.`);
  const add = () =>
    set([
      ...items,
      { key: newKey(), name: words.newItem(items.length + 1), quantity: 1, amount: example.total ?? 10_000 },
    ]);
  return (
    <fieldset className={styles.part} aria-label={words.items}>
      {items.map((item, at) => (
        <div key={item.key} className={styles.row}>
          <div className={styles.fields}>
            <TextField label={words.itemName} {...field(item, at)('name')} />
            <NumberField label={words.quantity} {...field(item, at)('quantity')} min={1} />
            <MoneyField label={words.price} {...field(item, at)('amount')} currency={draft.currency} />
          </div>
          <IconButton
            icon={X}
            label={words.removeItem(item.name)}
            onClick={() => set(items.filter(({ key }) => key !== item.key))}
          />
        </div>
      ))}
      <Row>
        <Button size="small" variant="ghost" icon={Plus} onClick={add}>
          {items.length === 0 ? words.withItems : words.addItem}
        </Button>
      </Row>
    </fieldset>
  );
}

function Touches({ draft, example, onChange }: ExampleProps) {
  const choices = useCollaboratorChoices();
  const [choosing, setChoosing] = useState(false);
  const { touches } = example;
  const set = (now: readonly TouchDraft[]) => onChange({ ...example, touches: now });
  const nextName = words.nextNames[touches.length % words.nextNames.length] ?? '';
  return (
    <fieldset className={styles.part} aria-label={words.touches}>
      <span className={styles.partTitle} aria-hidden>
        {words.touches}
      </span>
      {touches.length === 0 && <span className={styles.hint}>{words.nobody}</span>}
      {touches.map((touch, at) => (
        <Touch
          key={touch.key}
          draft={draft}
          touch={touch}
          at={at}
          onChange={(patch) => set(touches.map((each) => (each.key === touch.key ? { ...each, ...patch } : each)))}
          onRemove={() => set(touches.filter(({ key }) => key !== touch.key))}
        />
      ))}
      {choosing && (
        <Combobox
          label={words.chooseTouch}
          value={null}
          {...choices}
          onChange={(id, option) => {
            setChoosing(false);
            if (id !== null) set([...touches, { ...newTouch(option?.label ?? id, 1), collaboratorId: id }]);
          }}
        />
      )}
      <Row>
        <Button size="small" variant="ghost" icon={Plus} onClick={() => set([...touches, newTouch(nextName, 1)])}>
          {words.addTouch}
        </Button>
        <Button size="small" variant="ghost" icon={Plus} onClick={() => setChoosing(true)}>
          {words.chooseTouch}
        </Button>
      </Row>
    </fieldset>
  );
}

type TouchProps = {
  readonly draft: Draft;
  readonly touch: TouchDraft;
  readonly at: number;
  readonly onChange: (patch: Partial<TouchDraft>) => void;
  readonly onRemove: () => void;
};

/** Edits a touch: its partner, its day, and only the fields that affect the result under the program's terms. */
function Touch({ draft, touch, at, onChange, onRemove }: TouchProps) {
  const { triggers, tiers, capPerPeriod, enrollment, currency } = draft;
  const field = fieldsOf(touch, onChange, `touches.${at}.`);
  const countsSum = tiers?.by === 'sum' || capPerPeriod !== null;
  const first = triggers.find(({ name }) => name === 'site-visit') ?? triggers[0];
  return (
    <div className={styles.touch}>
      <div className={styles.row}>
        <div className={styles.fields}>
          <TextField
            label={words.collaborator}
            name={`touches.${at}.collaborator`}
            value={touch.name}
            readOnly={touch.collaboratorId !== null}
            onChange={(name) => onChange({ name })}
          />
          <NumberField label={words.daysBefore} {...field('daysBefore')} min={0} />
        </div>
        <IconButton icon={X} label={words.removeTouch(touch.name)} onClick={onRemove} />
      </div>
      <div className={styles.fields}>
        {triggers.length > 1 && (
          <Select
            label={words.by}
            name={`touches.${at}.trigger`}
            options={triggers.map(({ name }) => ({ value: name, label: triggerName(name) }))}
            value={touch.trigger ?? first?.name ?? null}
            onChange={(trigger) => onChange({ trigger })}
          />
        )}
        {countsSum && <MoneyField label={words.earnedBefore} {...field('earnedBefore')} currency={currency} />}
        {tiers?.by === 'count' && (
          <NumberField label={words.conversionsBefore} {...field('conversionsBefore')} min={0} />
        )}
      </div>
      {enrollment === 'selected' && (
        <Checkbox label={words.enrolled} checked={touch.enrolled} onChange={(enrolled) => onChange({ enrolled })} />
      )}
    </div>
  );
}
