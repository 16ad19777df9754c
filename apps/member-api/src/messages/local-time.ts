/** SQL of an instant as text that is the same in every language: `2026-12-01 10:00 (Europe/Lisbon)`. */
export const localTime = (instant: string, zone: string): string =>
  `to_char(${instant} at time zone ${zone}, 'YYYY-MM-DD HH24:MI') || ' (' || ${zone} || ')'`;
