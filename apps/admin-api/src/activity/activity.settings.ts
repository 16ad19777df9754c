/** How long the log is kept. */
export class ActivitySettings {
  /** @param days 0 keeps everything. */
  constructor(readonly days: number) {}
}
