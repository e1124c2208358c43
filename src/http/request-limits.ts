/* What a request may be, before anybody has read it. docs/limits.md tells all limits. */

/** More than any URL and any headers that a caller of ours needs. */
export const MAX_HEADER_BYTES = 16_384;
export const MAX_BODY_BYTES = 1_048_576;
export const HEADERS_TIMEOUT_MS = 5_000;
export const REQUEST_TIMEOUT_MS = 8_000;
/** Above the 60 s of common load balancers, so that they close an idle connection first. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;
