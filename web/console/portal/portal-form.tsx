import type { ChangePortalSettingsBody, PortalSettings } from '@whence/sdk';
import { useState } from 'react';
import { LeaveGuard } from '../leave-guard.tsx';
import { usePermission, useSession } from '../session.ts';
import { settings as texts } from '../organizations/settings-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { CodeBlock, CopyLine } from '#web/ui/controls/copy.tsx';
import { Form, FormActions, FormSection } from '#web/ui/form/form.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextArea, TextField } from '#web/ui/form/text-field.tsx';
import { AccentField } from './accent-field.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { embedCode } from './embed-code.ts';
import { LogoField } from './logo-field.tsx';

const words = texts.portal;

type PortalFormProps = {
  readonly settings: PortalSettings;
  /** The ETag of the loaded settings. If another user has saved in the meantime, saving fails with a conflict. */
  readonly etag: string | undefined;
};

/** The fields as text. An empty text means that the field has no value. */
type Draft = Readonly<Record<TextName, string>> & { readonly logo: string | null };
type TextName =
  | 'slug'
  | 'name'
  | 'accent'
  | 'supportEmail'
  | 'termsUrl'
  | 'landingUrl'
  | 'refParameter'
  | 'linkOrigins'
  | 'linkDomain'
  | 'portalDomain'
  | 'embedOrigins';

export function PortalForm({ settings, etag }: PortalFormProps) {
  const { publicUrl } = useSession();
  const may = usePermission('resources:write');
  const first = draftOf(settings);
  const [draft, setDraft] = useState(first);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(first);
  const save = useCall((api) => api.portalSettings.update(bodyOf(draft), etag === undefined ? {} : { ifMatch: etag }), {
    reloads: ['portalSettings'],
    done: words.saved,
  });
  const field = (name: TextName) => ({
    name,
    disabled: !may,
    value: draft[name],
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  return (
    <Card>
      <Form call={save}>
        <FormSection title={words.address} description={words.addressHelp}>
          <TextField label={words.slug} description={words.slugHelp} mono optional {...field('slug')} />
          {draft.slug.trim() !== '' && <CopyLine text={`${publicUrl}/portal/${draft.slug.trim()}/`} />}
          <TextField
            label={words.portalDomain}
            description={words.portalDomainHelp}
            mono
            optional
            {...field('portalDomain')}
          />
        </FormSection>
        <FormSection title={words.brand} description={words.brandHelp}>
          <TextField label={words.name} required maxLength={255} {...field('name')} />
          <AccentField {...field('accent')} />
          <LogoField logo={draft.logo} disabled={!may} onChange={(logo) => setDraft({ ...draft, logo })} />
          <BrandPreview name={draft.name} accent={draft.accent} logo={draft.logo} />
        </FormSection>
        <FormSection title={words.links} description={words.linksHelp}>
          <TextField
            label={words.landingUrl}
            description={words.landingUrlHelp}
            type="url"
            placeholder="https://shop.example/"
            optional={draft.slug.trim() === ''}
            {...field('landingUrl')}
          />
          <TextField label={words.refParameter} description={words.refParameterHelp} mono {...field('refParameter')} />
          <TextArea
            label={words.linkOrigins}
            description={words.linkOriginsHelp}
            rows={2}
            mono
            optional
            {...field('linkOrigins')}
          />
          <TextField
            label={words.linkDomain}
            description={words.linkDomainHelp}
            mono
            optional
            {...field('linkDomain')}
          />
          {draft.landingUrl !== '' && (
            <>
              <Text tone="muted" size="small">
                {words.example}
              </Text>
              <CopyLine text={exampleLink(draft, publicUrl)} />
            </>
          )}
        </FormSection>
        <FormSection title={words.contact} description={words.contactHelp}>
          <TextField label={words.supportEmail} type="email" optional {...field('supportEmail')} />
          <TextField label={words.termsUrl} type="url" optional {...field('termsUrl')} />
        </FormSection>
        <FormSection title={words.embed} description={words.embedHelp}>
          <TextArea
            label={words.embedOrigins}
            description={words.embedOriginsHelp}
            rows={3}
            mono
            optional
            {...field('embedOrigins')}
          />
          {linesOf(draft.embedOrigins).length > 0 && settings.url !== null && (
            <CodeBlock title={words.embedCode} code={embedCode({ url: settings.url, name: settings.name })} />
          )}
        </FormSection>
        {may && <FormActions submitLabel={words.save} disabled={!isChanged} />}
      </Form>
      <LeaveGuard unsaved={() => isChanged} />
    </Card>
  );
}

function draftOf(settings: PortalSettings): Draft {
  const {
    slug,
    name,
    accent,
    logo,
    supportEmail,
    termsUrl,
    landingUrl,
    refParameter,
    linkOrigins,
    linkDomain,
    portalDomain,
    embedOrigins,
  } = settings;
  return {
    slug: slug ?? '',
    name,
    accent,
    logo,
    supportEmail: supportEmail ?? '',
    termsUrl: termsUrl ?? '',
    landingUrl: landingUrl ?? '',
    refParameter,
    linkOrigins: linkOrigins.join('\n'),
    linkDomain: linkDomain ?? '',
    portalDomain: portalDomain ?? '',
    embedOrigins: embedOrigins.join('\n'),
  };
}

function bodyOf({
  name,
  accent,
  logo,
  refParameter,
  embedOrigins,
  linkOrigins,
  ...clearable
}: Draft): ChangePortalSettingsBody {
  const cleared = Object.fromEntries(
    Object.entries(clearable).map(([field, text]) => [field, text.trim() === '' ? null : text.trim()]),
  );
  return {
    name,
    accent,
    logo,
    refParameter,
    embedOrigins: linesOf(embedOrigins),
    linkOrigins: linesOf(linkOrigins),
    ...cleared,
  };
}

function linesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((line) => line !== '');
}

/** Returns the link of a partner with the code “ada” as the portal shows it. */
function exampleLink({ landingUrl, refParameter, linkDomain }: Draft, publicUrl: string): string {
  if (linkDomain.trim() !== '') {
    const url = new URL(publicUrl);
    url.hostname = linkDomain.trim();
    return `${url.origin}/ada`;
  }
  if (!URL.canParse(landingUrl)) return landingUrl;
  const url = new URL(landingUrl);
  url.searchParams.set(refParameter === '' ? 'ref' : refParameter, 'ada');
  return url.href;
}
