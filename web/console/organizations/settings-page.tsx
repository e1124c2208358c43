import { useQuery } from '@tanstack/react-query';
import type { Organization } from '@whence/sdk';
import {
  ChevronRight,
  CircleUser,
  Coins,
  FileText,
  History,
  KeyRound,
  Landmark,
  type LucideIcon,
  Mail,
  PanelTop,
  Plug,
  Settings,
  UserCog,
  Webhook,
} from 'lucide-react';
import { useState } from 'react';
import { organizationQuery, usePermission, useSession } from '../session.ts';
import { timeZoneOptions } from './time-zones.ts';
import { settings as texts } from './settings-texts.ts';
import { Loaded } from '#web/ui/feedback/loaded.tsx';
import { useCall } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { Combobox } from '#web/ui/form/combobox.tsx';
import { CopyLine } from '#web/ui/controls/copy.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { Link, useLinkProps } from '#web/ui/controls/link.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import styles from './settings.module.css';

const words = texts.organization;
const TIERS = (['lite', 'essentials'] as const).map((value) => ({ value, label: words.tiers[value] }));

export function SettingsPage() {
  const api = useApi();
  const { publicUrl } = useSession();
  const { version } = placeOf(document);
  const query = useQuery(organizationQuery(api));
  return (
    <Page title={texts.title} width="narrow">
      <Stack gap={4}>
        <Card title={words.title} description={words.description}>
          <Loaded query={query} lines={4}>
            {(data) => <OrganizationForm key={data.updatedAt} organization={data} />}
          </Loaded>
        </Card>
        <Card title={texts.more} padded={false}>
          <ul className={styles.pages}>
            {texts.pages.map((page) => (
              <li key={page.href}>
                <PageLink {...page} />
              </li>
            ))}
          </ul>
        </Card>
        <Card title={texts.service} description={texts.serviceUrl}>
          <Stack gap={2}>
            <CopyLine text={publicUrl} />
            <Link href={`${publicUrl}/docs`}>{texts.reference}</Link>
            {version !== undefined && <Text tone="muted">{texts.version(version)}</Text>}
          </Stack>
        </Card>
      </Stack>
    </Page>
  );
}

const ICONS: Readonly<Record<string, LucideIcon>> = {
  '/settings/portal': PanelTop,
  '/settings/agreement': FileText,
  '/settings/emails': Mail,
  '/settings/payouts': Landmark,
  '/settings/currency': Coins,
  '/settings/account': CircleUser,
  '/people': UserCog,
  '/keys': KeyRound,
  '/connectors': Plug,
  '/webhooks': Webhook,
  '/audit': History,
};

function PageLink({ href, label, description }: (typeof texts.pages)[number]) {
  const Icon = ICONS[href] ?? Settings;
  return (
    <a className={styles.page} {...useLinkProps(href)}>
      <Icon aria-hidden />
      <span className={styles.words}>
        <span>{label}</span>
        <Text tone="muted" size="small">
          {description}
        </Text>
      </span>
      <ChevronRight aria-hidden />
    </a>
  );
}

function OrganizationForm({ organization }: { readonly organization: Organization }) {
  const may = usePermission('keys:write');
  const [{ name, tier }, field] = useDraft({ name: organization.name, tier: organization.tier });
  const [timeZone, setTimeZone] = useState(organization.timeZone);
  const [zones] = useState(() => timeZoneOptions(organization.timeZone));
  const isSame = name === organization.name && tier === organization.tier && timeZone === organization.timeZone;
  const save = useCall((api) => api.organization.update({ name, tier, timeZone }), {
    // A new time zone changes the figures by day and the times on all pages.
    reloads: 'all',
    done: words.saved,
  });
  return (
    <Form call={save}>
      <TextField label={words.name} {...field('name')} required maxLength={255} disabled={!may} />
      <Select label={words.tier} {...field('tier')} description={words.tierHelp} disabled={!may} options={TIERS} />
      <Combobox
        label={words.timeZone}
        name="timeZone"
        description={words.timeZoneHelp}
        disabled={!may}
        clearable={false}
        options={zones}
        value={timeZone}
        onChange={(zone) => setTimeZone(zone ?? timeZone)}
      />
      {may && <FormActions submitLabel={words.save} disabled={name.trim() === '' || isSame} />}
    </Form>
  );
}
