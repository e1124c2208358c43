import type { Whence } from '@whence/sdk';
import { NotFoundError } from '@whence/sdk';
import { audit as texts } from './audit-texts.ts';
import { operations } from './operations-texts.ts';
import { Chooser } from '#web/ui/form/combobox.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import type { OptionSource } from '#web/ui/form/options.ts';
import { operationWords } from './operation-words.ts';

type Choices = Required<Pick<OptionSource, 'load' | 'find'>>;

export function auditFilters(api: Whence): readonly Filter[] {
  return [
    {
      id: 'operation',
      kind: 'lookup',
      chooser: Chooser,
      name: 'operation',
      label: texts.filters.operation,
      ...OPERATIONS,
    },
    { id: 'author', kind: 'lookup', chooser: Chooser, name: 'author', label: texts.filters.author, ...authors(api) },
    { id: 'path', kind: 'text', name: 'path', label: texts.filters.path, placeholder: '/v1/programs/5' },
    { id: 'at', kind: 'period', from: 'from', until: 'until', label: texts.filters.at },
  ];
}

/** A source of the audited operations. The typed text can be anywhere in the label. */
const OPERATIONS: Choices = {
  load: (text) => {
    const all = Object.entries(operations).map(([value, label]) => ({ value, label }));
    return Promise.resolve(all.filter(({ label }) => contains(label, text)));
  },
  find: (value) => Promise.resolve({ value, label: operationWords(value) }),
};

const MOST = 100;

/**
 * Returns a source of people and API keys, at most MOST of each. The value of an option is the author id in the audit
 * log.
 */
function authors(api: Whence): Choices {
  return {
    load: async (text, signal) => {
      const [people, keys] = await Promise.all([
        api.people.list({ perPage: MOST, sort: 'name' }, { signal }).page(),
        api.apiKeys.list({ perPage: MOST, sort: 'label' }, { signal }).page(),
      ]);
      return [
        ...people.data.map(({ id, name, email }) => ({ value: `person ${id}`, label: name, description: email })),
        ...keys.data.map(({ id, label, keyPrefix }) => ({
          value: `key ${id}`,
          label,
          description: `${texts.kinds.key}, ${keyPrefix}…`,
        })),
      ].filter(({ label, description }) => contains(`${label} ${description}`, text));
    },
    find: async (value, signal) => {
      const [kind, id = ''] = value.split(' ');
      try {
        if (kind === 'person') return { value, label: (await api.people.get(id, { signal })).name };
        if (kind === 'key') return { value, label: (await api.apiKeys.get(id, { signal })).label };
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
      return { value, label: value };
    },
  };
}

function contains(words: string, text: string): boolean {
  return words.toLowerCase().includes(text.trim().toLowerCase());
}
