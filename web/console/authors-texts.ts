export const authors = {
  key: (label: string) => `API key “${label}”`,
  commandLine: 'Command line',
};
