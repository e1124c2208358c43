import type { Webhook, WebhookWithSecret } from '@whence/sdk';
import { useState } from 'react';
import { webhooks as texts } from './webhooks-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { MultiCombobox } from '#web/ui/form/combobox.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { type WebhookEventType, webhookEventTypes } from './webhook-event-types.ts';

const words = texts.form;

type WebhookFormProps = {
  /** The webhook to edit. If it is undefined, the form creates a webhook. */
  readonly webhook?: Webhook | undefined;
  readonly onClose: () => void;
  /** Called with a created webhook and its secret. */
  readonly onMade?: ((made: WebhookWithSecret) => void) | undefined;
};

export function WebhookForm({ webhook, onClose, onMade }: WebhookFormProps) {
  const [{ url, description }, field] = useDraft({ url: webhook?.url ?? '', description: webhook?.description ?? '' });
  const [isAll, setAll] = useState(webhook?.events.includes('*') ?? true);
  const [events, setEvents] = useState<readonly string[]>(webhook?.events.filter((each) => each !== '*') ?? []);
  const save = useCall(
    async (api) => {
      const heard = (isAll ? ['*'] : [...events]) as WebhookEventType[];
      const body = { url, events: heard, description: description === '' ? null : description };
      if (webhook === undefined) onMade?.(await api.webhooks.create(body));
      else await api.webhooks.update(webhook.id, body);
    },
    {
      reloads: ['webhooks'],
      onDone: () => {
        if (webhook !== undefined) {
          toast.success(words.saved);
          onClose();
        }
      },
    },
  );
  return (
    <Dialog open onClose={onClose} title={webhook === undefined ? words.newTitle : words.editTitle}>
      <Form call={save}>
        <TextField
          label={words.url}
          {...field('url')}
          type="url"
          description={words.urlHelp}
          placeholder="https://shop.example/whence"
          required
          mono
        />
        <TextField label={words.description} {...field('description')} optional maxLength={255} />
        <Switch label={words.all} checked={isAll} onChange={setAll} />
        {!isAll && (
          <MultiCombobox
            label={words.events}
            name="events"
            options={webhookEventTypes}
            value={[...events]}
            onChange={setEvents}
          />
        )}
        <FormActions
          submitLabel={webhook === undefined ? words.create : words.save}
          disabled={url === '' || (!isAll && events.length === 0)}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
