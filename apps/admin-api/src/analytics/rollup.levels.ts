/** Tables of a rollup whose rows have sums over equal times. All of these times begin at midnight of UTC or later. */
export interface Level {
  /** Ends the name of each table of the level. */
  readonly suffix: string;
  /** The column with the instant at which the time of a row begins. */
  readonly column: string;
  readonly minutes: number;
}

export const QUARTERS: Level = { suffix: '', column: 'quarter', minutes: 15 };
export const HOURS: Level = { suffix: '_hours', column: 'hour', minutes: 60 };
/** Four hours, as the days of UTC have six. */
export const BLOCKS: Level = { suffix: '_blocks', column: 'block', minutes: 240 };

/** PostgreSQL's expression for the beginning of the time of a level that has an instant. */
export const beginOf = ({ minutes }: Level, instant: string): string =>
  `date_bin('${minutes} minutes', ${instant}, '2000-01-01T00:00:00Z')`;
