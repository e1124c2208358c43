import type { AuditEntry } from '@whence/sdk';
import type { ReactNode } from 'react';
import { Author } from '../author.tsx';
import { audit as texts } from './audit-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Loaded } from '#web/ui/feedback/loaded.tsx';
import { CodeBlock } from '#web/ui/controls/copy.tsx';
import { Drawer } from '#web/ui/overlay/dialog.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Facts } from '#web/ui/shell/page.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import styles from './audit.module.css';
import { changedFields } from './changed-fields.ts';
import { operationWords } from './operation-words.ts';
import { subjectOf } from './subject.ts';

export function AuditDrawer({ id, onClose }: { readonly id: string | undefined; readonly onClose: () => void }) {
  const query = useRead(['auditEntries', id], (api, options) => api.auditEntries.get(id ?? '', options), {
    enabled: id !== undefined,
  });
  const { data } = query;
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      title={data === undefined ? texts.entry : operationWords(data.operation)}
    >
      <Loaded query={query} lines={6}>
        {(entry) => <Details entry={entry} />}
      </Loaded>
    </Drawer>
  );
}

function Details({ entry }: { readonly entry: AuditEntry }) {
  const { operation, path, author, at, request, before, after } = entry;
  const subject = subjectOf(entry);
  const isChange = before !== null && after !== null && !Array.isArray(before);
  return (
    <Stack gap={4}>
      <Facts
        items={[
          { label: texts.facts.subject, value: subject && <Link href={subject.href}>{subject.label}</Link> },
          { label: texts.facts.author, value: <Author author={author} /> },
          { label: texts.facts.at, value: <Time at={at} as="datetime" /> },
          { label: texts.facts.operation, value: <Text mono>{operation}</Text> },
          { label: texts.facts.path, value: <Text mono>{path}</Text> },
        ]}
      />
      {isChange && <Changes before={before} after={after} />}
      {request !== null && <CodeBlock code={JSON.stringify(request, null, 2)} title={texts.request} />}
      {!isChange && before !== null && <CodeBlock code={JSON.stringify(before, null, 2)} title={texts.before} />}
      {!isChange && after !== null && <CodeBlock code={JSON.stringify(after, null, 2)} title={texts.after} />}
    </Stack>
  );
}

function Changes({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const fields = changedFields(before, after);
  if (fields.length === 0) return null;
  return (
    <table className={styles.changes}>
      <caption>{texts.changed}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.field}</th>
          <th scope="col">{texts.before}</th>
          <th scope="col">{texts.after}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name}>
            <th scope="row">{field.name}</th>
            <td>
              <Text tone="muted">{shown(field.before)}</Text>
            </td>
            <td>{shown(field.after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function shown(value: unknown): ReactNode {
  if (value === undefined || value === null || value === '') return texts.none;
  if (typeof value === 'boolean') return texts.truth[`${value}`];
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return <code>{JSON.stringify(value)}</code>;
  return MOMENT.test(value) ? <Time at={value} as="datetime" /> : value;
}
