import { type Logger, pino } from 'pino';

/** What must never stand in a log: credentials and people. */
const SECRET_PATHS = [
  'authorization',
  'headers.authorization',
  'req.headers.authorization',
  'rawKey',
  'email',
  'name',
  'nickname',
  'userId',
  'password',
  'connectionString',
];

/** JSON lines on standard error, so that standard output is free for what a command prints. */
export function openLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)], censor: '[redacted]' },
      serializers: { err: errorForLog },
    },
    pino.destination({ fd: 2, sync: true }),
  );
}

/** An error without what a database driver hangs on it: the values of a failed statement may be personal. */
function errorForLog(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  };
}
