/** SQL of the time zone of the school, for statements whose `$1` is the site. */
export const TIME_ZONE = `coalesce((select timezone from schools where site_id = $1), 'UTC')`;
