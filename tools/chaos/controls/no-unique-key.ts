import type { Control } from '../control.ts';

export const control: Control = {
  name: 'no-unique-key',
  what: 'Nothing but the code says that an order is there once',
  fault: 'calm',
  within: 3,
  edits: [
    {
      file: 'src/sales/store/sales.ts',
      instead: 'from placed\n  order by source collate "C"',
      put: `from placed p
        where not exists (select from transactions t
          where t.organization_id = $1 and t.source = p.source and t.external_id = p.external_id)
        order by source collate "C"`,
    },
    {
      file: 'src/sales/store/sales.ts',
      instead: 'on conflict (organization_id, source, external_id) do nothing',
      put: '',
    },
  ],
  sql: 'alter table transactions drop constraint transactions_organization_id_source_external_id_key',
};
