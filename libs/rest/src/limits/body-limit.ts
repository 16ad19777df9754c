/** Maximum bytes of a request body, enough for a description of 100,000 characters. A larger body is a 413. */
export const BODY_LIMIT = 512 * 1024;
