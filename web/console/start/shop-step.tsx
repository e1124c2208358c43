import { useQuery } from '@tanstack/react-query';
import type { PortalSettings } from '@whence/sdk';
import { organizationQuery, usePermission } from '../session.ts';
import { start as texts } from './start-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { Step } from './step.tsx';
import { portalSettingsQuery } from '../collaborators/portal-settings.ts';

const words = texts.shop;

/** Sets the name of the organization, and the page of the shop that partner links open. */
export function ShopStep({ onNext }: { readonly onNext: () => void }) {
  const api = useApi();
  const may = usePermission('keys:write');
  const organization = useQuery(organizationQuery(api));
  const shop = useQuery(portalSettingsQuery(api));
  const error = organization.error ?? shop.error;
  const isDone = shop.data !== undefined && shop.data.landingUrl !== null;
  return (
    <Step name="shop" isDone={isDone} onNext={onNext}>
      {error !== null ? (
        <ErrorPanel error={error} onRetry={() => void Promise.all([organization.refetch(), shop.refetch()])} />
      ) : organization.data === undefined || shop.data === undefined ? (
        <Skeleton lines={4} />
      ) : may ? (
        <ShopForm name={organization.data.name} shop={shop.data} onSaved={onNext} />
      ) : (
        <Text tone="muted">{words.forbidden}</Text>
      )}
    </Step>
  );
}

type ShopFormProps = { readonly name: string; readonly shop: PortalSettings; readonly onSaved: () => void };

function ShopForm({ name, shop, onSaved }: ShopFormProps) {
  const [typed, field] = useDraft({ name, landingUrl: shop.landingUrl ?? '' });
  const save = useCall(
    async (api) => {
      if (typed.name !== name) await api.organization.update({ name: typed.name });
      await api.portalSettings.update({ landingUrl: withScheme(typed.landingUrl) });
    },
    { reloads: ['organization', 'session', 'portalSettings'], onDone: onSaved },
  );
  return (
    <Form call={save}>
      <TextField label={words.name} {...field('name')} required maxLength={255} />
      <TextField
        label={words.url}
        {...field('landingUrl')}
        description={words.urlHelp}
        type="url"
        placeholder="https://shop.example/"
        required
      />
      <FormActions submitLabel={words.submit} disabled={typed.name === '' || typed.landingUrl === ''} />
    </Form>
  );
}

/** Returns the address with `https://` before it, unless it already has a scheme. */
function withScheme(address: string): string {
  const text = address.trim();
  return text.includes('://') ? text : `https://${text}`;
}
