import { agreement as texts } from '../agreement/agreement-texts.ts';
import { usePortal } from '../brand.ts';
import { useSlug } from '../session.ts';
import styles from './sign-up.module.css';
import { useRead } from '#web/ui/shell/call.ts';
import { Prose } from '#web/ui/controls/prose.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { CheckboxGroup } from '#web/ui/form/checkbox.tsx';

type AgreementFieldProps = {
  /** The version that the applicant accepts. Undefined while the checkbox is not checked. */
  readonly value: number | undefined;
  readonly onChange: (version: number | undefined) => void;
};

/** Shows the text of the partner agreement, which applicants accept with a checkbox. */
export function AgreementField({ value, onChange }: AgreementFieldProps) {
  const slug = useSlug();
  const { name } = usePortal();
  const { data, error, refetch } = useRead(['portals', slug, 'agreement'], (api, options) =>
    api.portals.getOpenAgreement(slug, options),
  );
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={160} />;
  const version = String(data.version);
  return (
    <Stack gap={2}>
      {/* A scrollable region needs the focus, so that the keyboard can scroll it. */}
      <section className={styles.agreement} tabIndex={0} aria-label={texts.field(name)}>
        <Prose text={data.text} />
      </section>
      <CheckboxGroup
        label={texts.title}
        hideLabel
        name="agreementVersion"
        options={[{ value: version, label: texts.check }]}
        value={value === data.version ? [version] : []}
        onChange={(checked) => onChange(checked.length === 0 ? undefined : data.version)}
      />
    </Stack>
  );
}
