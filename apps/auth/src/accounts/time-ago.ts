import { distance, instant, say } from '@lyceum/messages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';

/** Milliseconds, the longest first. */
const UNITS = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago an instant was, in its longest whole unit. */
export function ago(at: Date, now: Date): string {
  const age = now.getTime() - at.getTime();
  const unit = UNITS.find(([, length]) => age >= length);
  return unit === undefined ? say('time.now') : distance(-Math.floor(age / unit[1]), unit[0]);
}

/** How long it is until an instant, in the longest whole unit. */
export function until(at: Date, now: Date): string {
  const left = at.getTime() - now.getTime();
  const unit = UNITS.find(([, length]) => left >= length);
  return unit === undefined ? say('time.soon') : distance(Math.floor(left / unit[1]), unit[0]);
}

/** Shows how long ago it was. The exact time is in the attributes. */
export function timeAgo(at: Date, now = new Date()): Html {
  return html`<time datetime="${at.toISOString()}" title="${instant(at)}">${ago(at, now)}</time>`;
}

/** Shows how long it is until then. The exact time is in the attributes. */
export function timeLeft(at: Date, now = new Date()): Html {
  return html`<time datetime="${at.toISOString()}" title="${instant(at)}">${until(at, now)}</time>`;
}
