import { sql } from '#src/selection/sources.js';
import type { Sources } from '#src/selection/sources.js';
import { LECTURE_OPEN } from '#src/course-access/course-access.js';
import { PLAYER_HOSTS } from './player.policy.js';

/** SQL of `playerOf`: NULL for other hosts. */
function playerSql(url: string): string {
  const cases = PLAYER_HOSTS.map(
    ({ page, player }) => `when ${url} ~ '${page}' then regexp_replace(${url}, '${page}', '${player}')`,
  );
  return `case ${cases.join(' ')} end`;
}

/** The first player among the videos of a lecture `cl`. NULL: no known host has one of them. */
const PLAYER = `(
  select v.player from (
    select a.place, ${playerSql(`a.value->>'url'`)} as player
    from lecture_attachments la cross join jsonb_array_elements(la.attachments) with ordinality as a (value, place)
    where la.site_id = :site and la.lecture_id = cl.lecture_id and a.value->>'kind' = 'video') v
  where v.player is not null order by v.place limit 1)`;

/** Cost points of one player, and of each one of a list: PostgreSQL needs up to 90 µs for its host (ADR 172). */
const ONE_POINTS = 2;
const EACH_POINTS = 1;

export const playerSources: Sources = {
  CurriculumLecture: {
    playerUrl: {
      ...sql.nullable(sql.text(`case when ${LECTURE_OPEN} then ${PLAYER} end`)),
      points: ONE_POINTS - EACH_POINTS,
      pointsEach: EACH_POINTS,
    },
  },
};
