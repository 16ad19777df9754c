/** Bytes of a request's body: room for a description of 100,000 characters. More is 413. */
export const BODY_LIMIT = 512 * 1024;
