/** Texts of the session card that are not in `web/ui/shell/texts.ts`, which every page loads. */
export const sessions = {
  title: 'Where you are logged in',
  current: 'This browser',
  on: (browser: string, system: string) => `${browser} on ${system}`,
  unknownBrowser: 'A browser',
  unknownSystem: 'an unknown system',
  browser: 'Browser',
  search: 'Search browsers',
  lastSeen: 'Last used',
  since: 'Logged in',
  end: 'End',
  endOf: (which: string) => `End the session of ${which}`,
  ended: 'The session has ended',
};
