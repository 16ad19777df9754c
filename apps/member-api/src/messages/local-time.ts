import { SHORT_TIME_ZONES } from '@lyceum/platform';

const SHORT = SHORT_TIME_ZONES.map((name) => `'${name}'`).join(', ');

/** SQL of a time zone if it has the same meaning here as for the service that has stored it, or else null. */
const known = (zone: string): string => `case
  when (length(${zone}) <> 3 or upper(${zone}) in (${SHORT}))
    and pg_input_is_valid('2000-01-01 00:00 ' || ${zone}, 'timestamptz') then ${zone} end`;

/** Clocks change by an hour, by half an hour in Australia/Lord_Howe, and by two hours in Antarctica/Troll. */
const CLOCK_CHANGES = ['-2 hours', '-1 hour', '-30 minutes', '30 minutes', '1 hour', '2 hours'];

/**
 * SQL of an instant as text that is the same in every language: `2026-12-01 10:00 (Europe/Lisbon)`. The zone is the one
 * that the member of the membership `m` has chosen at the site, or else `zone`, or else UTC: PostgreSQL fails at a zone
 * that it does not know, and no member would get a message. Clocks that go back show times twice: the text of such a
 * time also has the offset, `2026-10-25 01:30 (Europe/Lisbon, UTC+01:00)`.
 */
export function memberTime(instant: string, zone: string): string {
  const local = `(${instant} at time zone own.zone)`;
  const offset = `(${local} - (${instant} at time zone 'UTC'))`;
  const sign = `case when ${offset} < interval '0' then '-' else '+' end`;
  const shown = `', UTC' || ${sign} || to_char(greatest(${offset}, -${offset}), 'HH24:MI')`;
  const others = CLOCK_CHANGES.map((by) => `((${instant} + interval '${by}') at time zone own.zone)`);
  // Without `offset` PostgreSQL would evaluate the zone at each of its places.
  return `(
    select to_char(${local}, 'YYYY-MM-DD HH24:MI') || ' (' || own.zone
      || case when ${local} in (${others.join(', ')}) then ${shown} else '' end || ')'
    from (select coalesce(${known('m.timezone')}, ${known(zone)}, 'UTC') as zone offset 0) own)`;
}
