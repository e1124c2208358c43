import { people as texts } from './people-texts.ts';

/** The roles to choose from, each with its permissions. */
export const roleOptions = (['manager', 'viewer', 'owner'] as const).map((value) => ({
  value,
  label: texts.roles[value],
  description: texts.roleHelp[value],
}));
