const COLUMNS = {
  site_id: 'uuid',
  id: 'uuid',
  action: 'text',
  object_type: 'text',
  object_id: 'uuid',
  member_id: 'uuid',
  client_id: 'text',
  via: 'text',
  request_id: 'text',
  changed_fields: 'text[]',
  created_at: 'timestamptz',
} as const;

/** A row of `activity`. */
export type ActivityEntry = Readonly<Record<keyof typeof COLUMNS, unknown>>;

export const ACTIVITY_COLUMNS = Object.keys(COLUMNS) as (keyof ActivityEntry)[];

const INTO = `insert into activity (${ACTIVITY_COLUMNS.join(', ')})`;

/** Inserts one entry from parameters. Reading it from JSON would take longer than the insert. */
export const INSERT_ONE = {
  name: 'activity_one',
  text: `${INTO} values (${ACTIVITY_COLUMNS.map((_, at) => `$${at + 1}`).join(', ')}) returning 1`,
};

export const INSERT_MANY = {
  name: 'activity',
  text: `${INTO} select ${ACTIVITY_COLUMNS.join(', ')} from jsonb_to_recordset($1::jsonb)
    as entry (${Object.entries(COLUMNS)
      .map((column) => column.join(' '))
      .join(', ')}) returning 1`,
};
