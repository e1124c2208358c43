import { Coins, Percent as PercentIcon, Webhook } from 'lucide-react';
import { useState } from 'react';
import { Checkbox, CheckboxGroup } from '#web/ui/form/checkbox.tsx';
import { Combobox, MultiCombobox } from '#web/ui/form/combobox.tsx';
import { Form, FormActions, FormSection } from '#web/ui/form/form.tsx';
import * as data from './data.ts';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Grid } from '#web/ui/controls/stack.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { TextArea, TextField } from '#web/ui/form/text-field.tsx';

export function FormPart() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('correct horse');
  const [notes, setNotes] = useState('');
  const [kind, setKind] = useState<'percent' | 'fixed' | 'lead' | null>('percent');
  const [rate, setRate] = useState<number | null>(10);
  const [cap, setCap] = useState<number | null>(250000);
  const [attribution, setAttribution] = useState<string | null>('last-touch');
  const [who, setWho] = useState<string | null>('Grace Hopper');
  const [many, setMany] = useState<readonly string[]>(['Ada Lovelace', 'Hedy Lamarr']);
  const [scopes, setScopes] = useState<readonly string[]>(['read']);
  const [auto, setAuto] = useState(true);
  const [on, setOn] = useState(true);
  const [error, setError] = useState<unknown>();
  return (
    <Page
      title="New program"
      width="narrow"
      breadcrumbs={[{ label: 'Programs', href: '/programs' }]}
      description="Say who earns, on what, and how much."
    >
      <Form onSubmit={() => setError(data.problem)} error={error}>
        <FormSection title="What it is called" description="Collaborators see it in their portal.">
          <TextField
            label="Name"
            name="name"
            value={name}
            onChange={setName}
            placeholder="Friends of the shop"
            required
          />
          <TextArea label="Notes" optional value={notes} onChange={setNotes} description="Only your people see them." />
          <TextField
            label="Password"
            type="password"
            value={password}
            onChange={setPassword}
            autoComplete="new-password"
          />
          <TextField label="Landing page" disabled value="shop.example" onChange={() => undefined} prefix="https://" />
        </FormSection>
        <FormSection title="What it pays">
          <RadioCards
            label="Reward"
            value={kind}
            onChange={setKind}
            options={[
              { value: 'percent', label: 'A percentage', description: 'Of products and discounts.', icon: PercentIcon },
              { value: 'fixed', label: 'An amount', description: 'The same for each sale.', icon: Coins },
              { value: 'lead', label: 'Per lead', description: 'No sale is needed.', icon: Webhook, disabled: true },
            ]}
          />
          <Grid min={160} gap={3}>
            <NumberField
              label="Rate"
              name="reward.percent"
              value={rate}
              onChange={setRate}
              min={0}
              max={100}
              decimals={2}
              suffix="%"
            />
            <MoneyField label="Cap per order" value={cap} onChange={setCap} currency="USD" optional />
          </Grid>
          <Select
            label="Attribution"
            value={attribution}
            onChange={setAttribution}
            options={[
              { value: 'last-touch', label: 'Last touch', description: 'The newest touch gets all.' },
              { value: 'first-touch', label: 'First touch' },
              { value: 'linear', label: 'Equal parts' },
            ]}
          />
          <Combobox label="Collaborator" value={who} onChange={setWho} load={data.loadPeople} find={data.findPerson} />
          <MultiCombobox label="Enrolled" value={many} onChange={setMany} options={data.people} />
          <CheckboxGroup
            label="Scopes"
            name="terms"
            value={scopes}
            onChange={setScopes}
            options={[
              { value: 'read', label: 'Read resources', description: 'Every list and every page.' },
              { value: 'write', label: 'Write resources' },
            ]}
          />
          <Checkbox label="Approve by itself" checked={auto} onChange={setAuto} />
          <Switch label="Active" description="Takes effect at once." checked={on} onChange={setOn} />
        </FormSection>
        <FormActions submitLabel="Create program" onCancel={() => setError(undefined)} />
      </Form>
    </Page>
  );
}
