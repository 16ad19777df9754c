/** Longer headers are no browser's. */
const LENGTH = 500;

/** True when `Accept-Encoding` names the coding (RFC 9110 §12.5.3). A wildcard names nothing. */
export function acceptsCoding(accepted: string | undefined, coding: string): boolean {
  if (accepted === undefined || accepted.length > LENGTH) return false;
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((text) => text.startsWith('q='))?.slice(2);
    return name === coding && (quality === undefined || Number(quality) > 0);
  });
}
