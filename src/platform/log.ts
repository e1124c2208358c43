import { type Logger, pino } from 'pino';

/** The fields that are redacted in the log, at the top level and one level below: credentials and personal data. */
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

/**
 * Returns a logger that writes JSON lines to standard error, so that standard output has only the output of a command.
 */
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
 * Returns the type, message, code, stack and cause of an error for the log. Omits the other fields that the database
 * driver adds, because the values of a failed statement may be personal data.
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
