import { type Logger, pino } from 'pino';

/** The fields that must never be logged: credentials and personal data. */
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

/** Logs JSON lines to standard error, so that standard output contains only the output of a command. */
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

/**
 * Returns an error without the fields that the database driver adds, because the values of a failed statement may be
 * personal data.
 */
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
