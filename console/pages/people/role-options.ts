import { people as texts } from '#console/texts/people.ts';

/** The roles to choose from, what each may do beside it. */
export const roleOptions = (['manager', 'viewer', 'owner'] as const).map((value) => ({
  value,
  label: texts.roles[value],
  description: texts.roleHelp[value],
}));
